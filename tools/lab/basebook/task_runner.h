// Runs tasks with several engines side by side.
#pragma once

#include "engine/engine.h"
#include "engine/platform/events.h"
#include "tools/lab/basebook/task_log.h"

#include <memory>
#include <span>

namespace tools::basebook {

inline constexpr int MaxCentipawns = 2000;  // of a score in the book, and the score of mates

class TaskRunner {
  public:
    // `signals`: see end_requests; null: none.
    TaskRunner(TaskLog& log, int workers, int hash_mib, const engine::platform::Event* signals);

    // Searches the tasks that are not in the log and adds their results to it. False if a signal
    // ended the work before all were done; tasks that had begun are finished.
    bool run(std::span<const Task> tasks);
    // Of the searches run, not of those found in the log.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
    [[nodiscard]] double seconds() const { return seconds_; }

  private:
    TaskLog& log_;
    std::vector<std::unique_ptr<engine::Searcher>> searchers_;
    const engine::platform::Event* signals_;
    std::uint64_t nodes_ = 0;
    double seconds_ = 0;
};

// Clears the hash table first.
TaskResult search(engine::Searcher& searcher, const Task& task);

}  // namespace tools::basebook

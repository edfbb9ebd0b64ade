// Searches that the book is built from, and the file that keeps their results.
#pragma once

#include "engine/board/position.h"
#include "engine/platform/file.h"

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tools::basebook {

// What is searched: with one thread and an empty hash table, so that the result depends on nothing
// else.
struct TaskKey {
    engine::Key key = 0;
    std::uint32_t bits = 0;   // book::check_bits
    std::uint64_t nodes = 0;  // the limit
    std::string excluded;     // root moves not considered: "d2d4,e2e4" in order, or "-"
    // NOLINTNEXTLINE(modernize-use-nullptr): a false alarm of clang-tidy 14
    friend auto operator<=>(const TaskKey&, const TaskKey&) = default;
};
struct TaskResult {
    std::string move;         // in coordinates
    int cp = 0, depth = 0;    // for the side to move
    std::uint64_t nodes = 0;  // searched
};
struct Task {
    TaskKey name;
    engine::Position position;
    std::vector<engine::Move> excluded;
};
// The key of the position, its excluded moves sorted. No legal move may be left out of the search
// altogether.
Task make_task(const engine::Position& pos,
               std::vector<engine::Move> excluded,
               std::uint64_t nodes);
std::string to_text(const std::vector<engine::Move>& moves);  // sorted, in coordinates; "-" if none

// An append-only file: a line that names the engine, then one line a task. A line cut short when
// the program was killed is dropped. add() may be called by several threads.
class TaskLog {
  public:
    // Opens the file or begins it, and locks it against other programs. Throws Failure if it cannot
    // be written, is in use, was made by another engine, or has a bad line.
    TaskLog(const std::string& path, const std::string& engine);
    TaskLog(const TaskLog&) = delete;
    TaskLog& operator=(const TaskLog&) = delete;
    ~TaskLog();

    [[nodiscard]] std::optional<TaskResult> find(const TaskKey& name) const;
    // Stores a result; synchronises the disk at intervals of a few seconds.
    void add(const TaskKey& name, const TaskResult& result);
    void sync();  // until the disk has everything
    [[nodiscard]] std::size_t size() const;

  private:
    void load(const std::string& path, const std::string& head);
    void write(std::string_view text);

    mutable std::mutex mutex_;  // guards all below
    std::map<TaskKey, TaskResult> results_;
    engine::platform::File file_;
    std::int64_t synced_at_ = 0;  // seconds of the steady clock
};

std::string line_of(const TaskKey& name, const TaskResult& result);  // with line end

// Names the search: its bench signature, the network, and the hash table.
std::string engine_name(int hash_mib);

}  // namespace tools::basebook

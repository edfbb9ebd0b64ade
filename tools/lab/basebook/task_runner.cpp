#include "tools/lab/basebook/task_runner.h"

#include "engine/board/notation.h"
#include "tools/common/errors.h"
#include "tools/common/fixed_nodes.h"
#include "tools/common/workers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iostream>

#include <fmt/format.h>

namespace tools::basebook {

namespace {
constexpr double ProgressInterval = 60;  // seconds
}

TaskResult search(engine::Searcher& searcher, const Task& task) {
    searcher.clear();
    engine::Limits limits;
    limits.nodes = task.name.nodes;
    limits.excluded = task.excluded;
    const engine::SearchResult found = searcher.search(engine::Game(task.position), limits);
    const int cp = found.score == engine::NoScore
                       ? 0
                       : std::clamp<int>(found.score, -MaxCentipawns, MaxCentipawns);
    return {.move = engine::to_coordinates(found.best),
            .cp = cp,
            .depth = found.depth,
            .nodes = found.nodes};
}

TaskRunner::TaskRunner(TaskLog& log,
                       int workers,
                       int hash_mib,
                       const engine::platform::Event* signals)
    : log_(log), signals_(signals) {
    for (int i = 0; i < workers; ++i)
        searchers_.push_back(make_single_threaded(hash_mib));
}

bool TaskRunner::run(std::span<const Task> tasks) {
    std::vector<const Task*> open;
    for (const Task& task : tasks)
        if (!log_.find(task.name))
            open.push_back(&task);
    if (open.empty())
        return true;
    // Long searches first, so that at the end of a round no engine waits long for another.
    std::stable_sort(open.begin(), open.end(), [](const Task* a, const Task* b) {
        return a->name.nodes > b->name.nodes;
    });
    std::atomic<std::size_t> next = 0;
    std::atomic<std::uint64_t> nodes = 0;
    std::atomic<bool> stopped = false;
    std::mutex failure_mutex;
    std::exception_ptr failure;
    const auto work = [&](int worker) {
        try {
            while (!stopped) {
                const std::size_t i = next++;
                if (i >= open.size())
                    return;
                const TaskResult result =
                    search(*searchers_[static_cast<std::size_t>(worker)], *open[i]);
                log_.add(open[i]->name, result);
                nodes += result.nodes;
            }
        } catch (...) {
            const std::scoped_lock lock(failure_mutex);
            failure = std::current_exception();
            stopped = true;
        }
    };
    const auto begun = std::chrono::steady_clock::now();
    double next_progress = ProgressInterval;
    const auto print_progress = [&](double seconds) {
        if (seconds < next_progress)
            return;
        next_progress += ProgressInterval;
        std::cerr << fmt::format("  {} of {} searches, {:.0f} kN/s",
                                 std::min(next.load(), open.size()),
                                 open.size(),
                                 static_cast<double>(nodes) / seconds / 1e3)
                  << std::endl;
    };
    run_workers(static_cast<int>(searchers_.size()),
                work,
                {.signals = signals_,
                 .stop = [&stopped] { stopped = true; },
                 .every_second = print_progress});
    log_.sync();
    if (failure)
        std::rethrow_exception(failure);
    nodes_ += nodes;
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return !stopped;
}

}  // namespace tools::basebook

#include "tools/common/workers.h"

#include "tools/common/errors.h"

#include <array>
#include <atomic>
#include <chrono>
#include <iostream>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace tools {
namespace {

using engine::platform::Event;
using Clock = Event::Clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds CheckInterval{1'000}, ProgressInterval{10'000};

// Runs until `finished` is set.
void supervise(const Event& finished, const Supervision& watch) {
    const auto begun = Clock::now();
    auto next_check = begun + CheckInterval, next_progress = begun + ProgressInterval;
    std::array<const Event*, 2> events{&finished, watch.signals};
    for (bool over = false; !over;) {
        const auto which = Event::wait_any(events, next_check);
        over = which == std::size_t{0};
        if (which == std::size_t{1}) {
            watch.stop();
            events[1] = nullptr;  // it stays set
        }
        const auto now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - begun).count();
        if (now >= next_check || over) {
            if (watch.every_second)
                watch.every_second(seconds);
            next_check = now + CheckInterval;
        }
        if (watch.progress && (now >= next_progress || over)) {
            std::cerr << watch.progress(seconds) << std::endl;
            next_progress = now + ProgressInterval;
        }
    }
}

}  // namespace

void run_workers(int count, const std::function<void(int)>& work, const Supervision& supervision) {
    const Event finished;
    std::atomic<int> running = count;
    const auto end = [&running, &finished](int workers) {
        if (running.fetch_sub(workers) == workers)
            finished.set();
    };
    std::vector<std::thread> threads;
    std::optional<std::system_error> missing;
    try {
        for (int i = 0; i < count; ++i)
            threads.emplace_back([&work, &end, i] {
                work(i);
                end(1);
            });
    } catch (const std::system_error& e) {
        missing = e;
        supervision.stop();
    }
    end(count - static_cast<int>(threads.size()));
    supervise(finished, supervision);
    for (std::thread& thread : threads)
        thread.join();
    if (missing)
        throw Failure(fmt::format("cannot start {} threads: {}", count, missing->what()));
}

}  // namespace tools

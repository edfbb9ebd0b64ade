#include "tools/common/workers.h"

#include "tools/common/errors.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace tools {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds CheckInterval{1'000}, ProgressInterval{10'000};

// Until `running` workers have written to `finished`, an eventfd.
void supervise(int running, int finished, const Supervision& watch) {
    const auto begun = Clock::now();
    auto next_check = begun + CheckInterval, next_progress = begun + ProgressInterval;
    while (running > 0) {
        const auto left = std::chrono::ceil<Milliseconds>(next_check - Clock::now());
        std::array<pollfd, 2> files{{{watch.signals, POLLIN, 0}, {finished, POLLIN, 0}}};
        poll(files.data(), files.size(), static_cast<int>(std::max<long>(left.count(), 0)));
        if (eventfd_t done = 0;
            (files[1].revents & POLLIN) != 0 && eventfd_read(finished, &done) == 0)
            running -= static_cast<int>(done);
        signalfd_siginfo signal{};
        if ((files[0].revents & POLLIN) != 0 && read(watch.signals, &signal, sizeof signal) > 0)
            watch.stop();
        const auto now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - begun).count();
        if (now >= next_check || running == 0) {
            if (watch.every_second)
                watch.every_second(seconds);
            next_check = now + CheckInterval;
        }
        if (watch.progress && (now >= next_progress || running == 0)) {
            std::cerr << watch.progress(seconds) << std::endl;
            next_progress = now + ProgressInterval;
        }
    }
}

}  // namespace

void run_workers(int count, const std::function<void(int)>& work, const Supervision& supervision) {
    const int finished = eventfd(0, EFD_CLOEXEC);
    std::vector<std::thread> threads;
    std::optional<std::system_error> missing;
    try {
        for (int i = 0; i < count; ++i)
            threads.emplace_back([&work, finished, i] {
                work(i);
                eventfd_write(finished, 1);
            });
    } catch (const std::system_error& e) {
        missing = e;
        supervision.stop();
    }
    supervise(static_cast<int>(threads.size()), finished, supervision);
    for (std::thread& thread : threads)
        thread.join();
    close(finished);
    if (missing)
        throw Failure(fmt::format("cannot start {} threads: {}", count, missing->what()));
}

}  // namespace tools

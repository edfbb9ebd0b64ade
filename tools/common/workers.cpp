#include "tools/common/workers.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace tools {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds LookEvery{1'000};
constexpr Milliseconds ReportEvery{10'000};

void look_after(int running, int finished, const Watch& watch) {
    const auto begun = Clock::now();
    auto next_look = begun + LookEvery, next_report = begun + ReportEvery;
    while (running > 0) {
        const auto left = std::chrono::ceil<Milliseconds>(next_look - Clock::now());
        std::array<pollfd, 2> files{{{watch.signals, POLLIN, 0}, {finished, POLLIN, 0}}};
        poll(files.data(), files.size(), static_cast<int>(std::max<long>(left.count(), 0)));
        if (eventfd_t done = 0;
            (files[1].revents & POLLIN) != 0 && eventfd_read(finished, &done) == 0)
            running -= static_cast<int>(done);
        signalfd_siginfo signal{};
        if ((files[0].revents & POLLIN) != 0 &&
            read(watch.signals, &signal, sizeof signal) == sizeof signal)
            watch.stop();
        const auto now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - begun).count();
        if (now >= next_look || running == 0) {
            watch.look(seconds);
            next_look = now + LookEvery;
        }
        if (now >= next_report || running == 0) {
            std::cerr << watch.report(seconds) << std::endl;
            next_report = now + ReportEvery;
        }
    }
}

}  // namespace

void work_together(int count, const std::function<void(int)>& work, const Watch& watch) {
    const int finished = eventfd(0, EFD_CLOEXEC);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&work, finished, i] {
            work(i);
            eventfd_write(finished, 1);
        });
    look_after(count, finished, watch);
    for (std::thread& thread : threads)
        thread.join();
    close(finished);
}

}  // namespace tools

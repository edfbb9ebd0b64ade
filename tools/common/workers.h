// Threads that work for hours while the calling thread waits for signals and prints progress.
#pragma once

#include "engine/platform/events.h"

#include <functional>
#include <string>

namespace tools {

// All are called on the thread that called run_workers(); `seconds` since the work began.
struct Supervision {
    const engine::platform::Event* signals;  // see end_requests; null: none
    std::function<void()> stop;  // called once, after `signals`: the work is to end early
    // Both may be empty. Called every second, or every ten seconds to print the text, and once when
    // all work has ended.
    std::function<void(double seconds)> every_second{};
    std::function<std::string(double seconds)> progress{};
};

// Runs work(0) to work(count - 1), each in a thread of its own; returns when all have ended.
// If there are too few threads, stops those that run and throws Failure.
void run_workers(int count, const std::function<void(int)>& work, const Supervision& supervision);

}  // namespace tools

// Threads that work side by side for hours, and what the main thread does meanwhile.
#pragma once

#include <functional>
#include <string>

namespace tools {

// All are called on the thread that called run_workers(); `seconds` since the work began.
struct Supervision {
    int signals;                 // see signals_as_file; -1: none
    std::function<void()> stop;  // `signals` became readable: the work is to end early
    // May be empty: called every second and at last; printed every ten seconds and at last.
    std::function<void(double seconds)> every_second{};
    std::function<std::string(double seconds)> progress{};
};

// Runs work(0) to work(count - 1), each in a thread of its own; returns when all have ended.
void run_workers(int count, const std::function<void(int)>& work, const Supervision& supervision);

}  // namespace tools

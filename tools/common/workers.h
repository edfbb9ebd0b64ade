// Threads that work side by side for hours, and what is done about them meanwhile.
#pragma once

#include <functional>
#include <string>

namespace tools {

// All are called by the thread that watches; `seconds` since the work began.
struct Watch {
    int signals;                                        // see signals_as_file
    std::function<void()> stop;                         // a signal came: the work is to end early
    std::function<void(double seconds)> look;           // every second, and when all have ended
    std::function<std::string(double seconds)> report;  // shown every ten seconds and at the end
};

// Runs work(0) to work(count - 1), each in a thread of its own; returns when all have ended.
void work_together(int count, const std::function<void(int)>& work, const Watch& watch);

}  // namespace tools

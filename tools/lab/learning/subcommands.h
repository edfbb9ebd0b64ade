// The commands of nutcracker-learningmatch. Each gets the words after its name and returns the exit
// code of the program: 0, or 1 if a requirement failed or the command was stopped. They throw
// Failure with code 2 for wrong use, else 1.
#pragma once

#include "tools/common/command_line.h"

#include <functional>

namespace tools::learning::command {

int games(const Words& words);
int poison(const Words& words);
int play(const Words& words);
int against(const Words& words);
int report(const Words& words);

// Runs the part of a command after its options. All errors there have exit code 1: 2 is for wrong
// use.
int run_work(const std::function<int()>& work);

}  // namespace tools::learning::command

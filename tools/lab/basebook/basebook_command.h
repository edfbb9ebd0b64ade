// The commands of nutcracker-basebook. Each gets the words after its name and returns the exit code
// of the program. They throw Failure with code 2 for wrong use, else 1.
#pragma once

#include "tools/common/command_line.h"

namespace tools::basebook::command {

int counts(const Words& words);
int build(const Words& words);
int calibrate(const Words& words);
int exits(const Words& words);

}  // namespace tools::basebook::command

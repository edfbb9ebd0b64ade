// The commands of nutcracker-learningmatch. Each gets its own arguments and returns the program's
// exit code: 0, 1 (it failed, or a measure did), 2 (bad use).
#pragma once

#include <string>
#include <vector>

namespace tools::learning::command {

using Arguments = std::vector<std::string>;

int games(const Arguments& arguments);
int poison(const Arguments& arguments);
int play(const Arguments& arguments);
int report(const Arguments& arguments);

}  // namespace tools::learning::command

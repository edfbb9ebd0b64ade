// The commands of nutcracker-basebook. Each gets the words after its name and returns the exit code
// of the program.
#pragma once

#include "tools/common/command_line.h"

#include <string>

namespace tools::basebook::command {

// How a command searches: its options log, workers and hash.
struct SearchOptions {
    std::string log;
    int workers = 2, hash_mib = 64;
};
void add_search_options(boost::program_options::options_description& options, SearchOptions& o);

int counts(const Words& words);
int build(const Words& words);
int calibrate(const Words& words);
int exits(const Words& words);

}  // namespace tools::basebook::command

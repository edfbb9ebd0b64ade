// The rule of this program: its own book library, on a database in memory, told of the world's
// positions and games by their keys.
#pragma once

#include "tools/lab/bookbench/rules.h"

namespace tools::bookbench {

// `analysed`: with a search of every move of ours, as after long idle time.
Result<std::unique_ptr<Rule>> make_learner(const World& world,
                                           std::uint64_t seed,
                                           bool analysed,
                                           const std::vector<Setting>& settings);

}  // namespace tools::bookbench

// The rule of this program: its own book, on a database in memory, with made-up keys for the
// positions of the world.
#pragma once

#include "tools/lab/bookbench/rules.h"

namespace tools::bookbench {

// `analysed`: with an analysis of each of our moves, as after long idle time. The world must
// outlive the rule. Throws if the storage of the book fails.
std::unique_ptr<Rule> make_learner(const World& world,
                                   std::uint64_t seed,
                                   bool analysed,
                                   const std::vector<Setting>& settings);

}  // namespace tools::bookbench

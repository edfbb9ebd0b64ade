// A yardstick: how much of the regret could be avoided by better inference.
#pragma once

#include "tools/lab/bookbench/rules.h"

namespace tools::bookbench {

// Knows how the worlds are made: it infers the strengths of all positions together from results,
// search scores and imported games, as if Elo and scores were proportional and a trap one more
// random change, and plays the best line against the habits of each opponent. It does not know what
// is special in the scenarios other than Base.
std::unique_ptr<Rule> make_ideal(const World& world, std::uint64_t seed);

}  // namespace tools::bookbench

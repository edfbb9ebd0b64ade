// Solves an ending backwards from its mates, and from the endings that it can become.
// Source: K. Thompson, "Retrograde Analysis of Certain Endgames", 1986.
#pragma once

#include "tools/lab/retro/table_set.h"

#include <functional>

namespace tools::retro {

// Thrown by solve() when it is to stop.
struct Interrupted {};

// Requires the tables of all successors in `known`. `stopped` is asked now and then; true ends the
// work. Needs about 60 MB for four men, 120 MB with pawns.
DistanceTable
solve(const Ending& ending, const TableSet& known, const std::function<bool()>& stopped);

}  // namespace tools::retro

// Solves one ending with the engine's solver.
#pragma once

#include "tools/lab/retro/table_set.h"

#include <functional>

namespace tools::retro {

// Thrown when the work is to stop.
struct Interrupted {};

// The wins of both sides. Requires those of all successors in `known`; for distances in an ending
// without pawns, theirs with distances, too. `stopped` is asked now and then; true ends the work.
Wins solve_wins(const Ending& ending,
                const TableSet& known,
                bool distances,
                const std::function<bool()>& stopped);

// The values of all positions, from wins with distances. Throws Failure if a value has too many
// plies for its byte.
DistanceTable distance_table(const Ending& ending, const Wins& wins);

// Both one after the other.
DistanceTable
solve(const Ending& ending, const TableSet& known, const std::function<bool()>& stopped);

}  // namespace tools::retro

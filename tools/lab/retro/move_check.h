// Checks the values of a solved ending against the engine's move generator.
#pragma once

#include "tools/lab/retro/table_set.h"

namespace tools::retro {

struct MoveCheck {
    std::uint64_t positions = 0, wrong = 0;
    std::string first_wrong;  // as FEN; empty if none is wrong
};

// Random positions of the ending, always the same: the value of each must follow from those after
// its moves, en passant included, and what is marked as illegal must be. Requires the distances of
// the ending and the values of its successors.
MoveCheck check_moves(const Ending& ending, const TableSet& tables, std::uint64_t positions);

}  // namespace tools::retro

// The facts of positions with only kings and pawns.
#pragma once

#include "tools/lab/facts/facts.h"

namespace tools::facts {

// The facts of each man, in the order of the ending. Requires a legal position.
std::array<Facts, MaxMen> pawn_facts_of(const Ending& ending, const Board& board);

// The facts that tell results of smaller endings.
Facts facts_of_smaller_endings(Role role);

}  // namespace tools::facts

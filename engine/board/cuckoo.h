// Upcoming repetitions: whether one reversible move leads from a position to an earlier one, found
// by the difference of their keys in a cuckoo hash table of all reversible moves.
// Source: M. N. J. van Kervinck, "The design and implementation of the Rookie 2.0 chess program",
// 2002.
#pragma once

#include "engine/board/position.h"

namespace engine {

// True if a move of a piece, not a pawn, over empty squares turns `pos` into the position whose key
// is `earlier`. The piece may be of either side. Requires that the sides to move differ.
bool is_one_move_away(const Position& pos, Key earlier);

}  // namespace engine

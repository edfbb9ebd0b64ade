// SEE, static exchange evaluation: what a series of captures on one square wins.
#pragma once

#include "engine/board/position.h"

namespace engine {

// Exchange values in centipawns; the king's is 0.
inline constexpr std::array<int, 7> SeeValue{100, 320, 330, 500, 950, 0, 0};

// True if m wins at least `threshold` centipawns when both sides go on capturing on its target
// square with their least valuable piece as long as that pays. Pinned pieces do not take part while
// their pinner is on the board. Requires that m is legal.
bool see_ge(const Position& pos, Move m, int threshold);

}  // namespace engine

// Static exchange evaluation: what a series of captures on one square wins.
#pragma once

#include "engine/board/position.h"

namespace engine {

// Exchange values in centipawns; the king's is 0.
inline constexpr std::array<int, 7> SeeValue{100, 320, 330, 500, 950, 0, 0};

// True if m wins at least `threshold` centipawns when both sides capture on its target with their
// cheapest piece as long as it pays. Pins are ignored while the pinning piece stands. m is legal.
bool see_ge(const Position& pos, Move m, int threshold);

}  // namespace engine

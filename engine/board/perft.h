// Perft: counts the leaves of the move tree, to test the move generator.
#pragma once

#include "engine/board/position.h"

namespace engine {

// The number of leaves `depth` plies below `pos`. Requires depth >= 0.
std::uint64_t perft(Position& pos, int depth);

}  // namespace engine

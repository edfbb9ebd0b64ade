// Counting the leaves of the move tree, the usual check of a move generator.
#pragma once

#include "engine/board/position.h"

namespace engine {

// Leaves `depth` plies below `pos`; the last ply is counted, not made. depth >= 0.
std::uint64_t perft(Position& pos, int depth);

}  // namespace engine

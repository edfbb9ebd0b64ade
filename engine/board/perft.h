// Perft: counts the leaves of the move tree, to test the move generator.
#pragma once

#include "engine/board/position.h"

#include <functional>

namespace engine {

// The number of leaves `depth` plies below `pos`. Requires depth >= 0. `stopped`, if there is one,
// is asked every few thousand leaves; true ends the count, and the leaves so far are returned.
std::uint64_t perft(Position& pos, int depth, const std::function<bool()>& stopped = {});

}  // namespace engine

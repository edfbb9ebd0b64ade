// Which thread's move is played when several have searched.
#pragma once

#include "engine/board/move.h"
#include "engine/score.h"

#include <span>

namespace engine {

// What a thread says of the position: nothing if it finished no iteration (depth 0).
struct Ballot {
    Move move;
    Score score = 0;
    int depth = 0;  // finished
};

// The index of the thread to believe; of the first one if none finished anything.
std::size_t elect(std::span<const Ballot> ballots);

}  // namespace engine

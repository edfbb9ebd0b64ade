// Best-thread voting: whose move is played when several threads have searched.
#pragma once

#include "engine/board/move.h"
#include "engine/score.h"

#include <span>

namespace engine {

struct ThreadVote {
    Move move;
    Score score = 0;
    int depth = 0;  // of the last finished iteration; 0: none, the vote does not count
};

// The index of the thread whose move to play; 0 if no thread finished an iteration.
std::size_t best_thread(std::span<const ThreadVote> votes);

}  // namespace engine

// How long to think: pure functions of the clocks, so that every rule can be tested.
#pragma once

#include "engine/search/limits.h"

namespace engine {

using std::chrono::microseconds;

struct Budget {
    microseconds soft;  // no new iteration beyond this, scaled by what the search found
    microseconds hard;  // never more
};

// Spends at most what is on the clock less `overhead`, whatever the increment; a clock at 50 ms or
// below, or past its end, is played at almost once.
Budget budget(const GameClock& clock, milliseconds overhead);
// All of the move's time less `overhead`, or 30 ms or a 25th if that is more (a quarter at most);
// at least one millisecond.
Budget budget(milliseconds move_time, milliseconds overhead);
// The smaller of both, limit by limit.
Budget smaller(const Budget& a, const Budget& b);

// What the last iteration told about the move, to stretch or shrink the soft limit.
struct Confidence {
    std::uint64_t best_nodes, all_nodes;  // spent under the best move, and in all
    int stable_iterations;                // since the best move changed
    int score_drop;                       // centipawns below the iteration before
    int score_drop_game;                  // centipawns below the previous move of the game
};
// Percent of the soft limit to use; between 20 and 400.
int soft_percent(const Confidence& confidence);

}  // namespace engine

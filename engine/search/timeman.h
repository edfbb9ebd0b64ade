// Time management: pure functions of the clocks, so that every rule can be tested.
#pragma once

#include "engine/search/limits.h"

namespace engine {

using std::chrono::microseconds;

struct Budget {
    microseconds soft;     // no new iteration after this, scaled by soft_percent()
    microseconds hard;     // the search is stopped
    bool minimal = false;  // almost no time: nodes limit the search, so that no delay cuts it short
};

// A minimal search begins no new iteration after these nodes, and stops after four times as many.
inline constexpr std::uint64_t MinimalNodes = 1'000;
// Without a finished iteration there is no good move yet: for this many nodes stop() is ignored
// and, unless the search is minimal, the clock.
inline constexpr std::uint64_t FirstIterationNodes = 10'000;

// At most the time left minus `overhead`, whatever the increment. `reserve`: for delays that may
// come once, while the overhead is lost at every move. Minimal when no more is left than `overhead`
// and half of `reserve`, or than 50 ms, also below 0: hard is then a tenth of the time left but at
// least 1 ms.
Budget budget(const GameClock& clock, milliseconds overhead, milliseconds reserve = {});
// `move_time` minus a reserve: the largest of `overhead`, 30 ms and 1/25 of the time, but at most
// 1/4 of it. At least 1 ms.
Budget budget(milliseconds move_time, milliseconds overhead);
// The smaller soft and the smaller hard limit; minimal if one of them is.
Budget smaller(const Budget& a, const Budget& b);
// What solving an ending before the search may take: an eighth of the clock, and half of the time
// for the move; max() without both, or if nodes count in place of time.
milliseconds time_to_solve(const Limits& limits);

// How certain the last iteration is of its best move. It scales the soft limit.
struct Confidence {
    std::uint64_t best_nodes, all_nodes;  // spent on the best move, and in all
    int stable_iterations;                // since the best move changed
    int score_drop;                       // centipawns below the iteration before
    int score_drop_game;                  // centipawns below the previous move of the game
};
// Percent of the soft limit to use; between 20 and 400.
int soft_percent(const Confidence& confidence);

}  // namespace engine

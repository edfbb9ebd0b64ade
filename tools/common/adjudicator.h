// The part of the arbiter that looks at scores: games that both engines hold for decided or drawn.
#pragma once

#include "tools/match/game_runner.h"

namespace tools {

// Fed with every move of a game; scores count from the side that said them.
class Adjudicator {
  public:
    explicit Adjudicator(const Rules& rules) : rules_(rules) {}

    // `number` is the full move just made by `mover` (from 1). The outcome if the game is to end.
    Outcome move_made(engine::Color mover, int number, const Thinking& thinking);

  private:
    Rules rules_;
    int drawn_plies_ = 0;             // in a row, both sides
    std::array<int, 2> won_plies_{};  // in a row that speak for this colour, by either side
};

}  // namespace tools

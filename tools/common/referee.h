// Ends games whose result is plain from the scores of both sides.
#pragma once

#include "engine/score.h"

#include <optional>

namespace tools {

// Scores in centipawns, spans in plies in a row.
struct RefereeRules {
    engine::Score won;  // beyond it one side wins …
    int won_plies;      // … after so many
    engine::Score level;
    int level_plies, level_from;  // nothing is a draw before this ply
    int longest;                  // a draw from this ply on
};

// Fed with every move of one game.
class Referee {
  public:
    explicit Referee(const RefereeRules& rules) : rules_(rules) {}

    // `white` is White's score, `ply` counts from the start of chess. White's points if it is over.
    std::optional<double> judge(engine::Score white, int ply);

  private:
    RefereeRules rules_;
    int won_ = 0, level_ = 0;  // plies in a row
    int leader_ = 0;           // +1 White, -1 Black, 0 nobody
};

}  // namespace tools

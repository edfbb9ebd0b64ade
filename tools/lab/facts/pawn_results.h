// What one pawn does against the bare king, and against one enemy pawn: two smaller endings,
// solved.
#pragma once

#include "tools/lab/retro/table_set.h"

namespace tools::facts {

class PawnResults {
  public:
    // The one of this program, solved at the first call in half a second. Any thread.
    static const PawnResults& instance();

    // 1, 0 or -1 for the pawn's side. Its pawn moves up the board, `moves` says that it is to move,
    // `foe` is the other king. Require a legal position.
    [[nodiscard]] int
    alone(bool moves, engine::Square king, engine::Square foe, engine::Square pawn) const;
    [[nodiscard]] int against(bool moves,
                              engine::Square king,
                              engine::Square foe,
                              engine::Square pawn,
                              engine::Square enemy) const;

  private:
    PawnResults();

    retro::TableSet tables_;
    const retro::Wins *alone_, *against_;
};

}  // namespace tools::facts

// The face of the evaluation: what a position is worth without searching. One per thread; not for
// use by two threads at once.
#pragma once

#include "engine/board/position.h"
#include "engine/eval/pawns.h"
#include "engine/score.h"

#include <memory>
#include <string>

namespace engine {

class Evaluator {
  public:
    Evaluator();

    // Centipawns for the side to move, inside (-KnownWin, KnownWin). Meaningless in check.
    Score evaluate(const Position& pos);
    // The terms of the evaluation as a table, in centipawns for White.
    std::string explain(const Position& pos);

  private:
    std::unique_ptr<PawnTable> pawns_;
};

}  // namespace engine

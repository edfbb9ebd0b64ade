// The face of the evaluation: what a position is worth without searching. One per thread; not for
// use by two threads at once.
#pragma once

#include "engine/board/position.h"
#include "engine/eval/accumulator.h"
#include "engine/eval/pawns.h"
#include "engine/score.h"

#include <memory>
#include <optional>
#include <string>

namespace engine {

class Evaluator {
  public:
    Evaluator();
    // Null: the hand-written evaluation.
    void use(std::shared_ptr<const Network> net);

    // The moves on the way to the next position to evaluate; null moves are not told.
    void reset() {
        if (accumulators_)
            accumulators_->reset();
    }
    void push(const Position& before, Move m) {
        if (accumulators_)
            accumulators_->push(before, m);
    }
    void pop() {
        if (accumulators_)
            accumulators_->pop();
    }

    // Centipawns for the side to move, inside (-KnownWin, KnownWin). Meaningless in check.
    Score evaluate(const Position& pos);
    // The terms of the evaluation as a table, in centipawns for White.
    std::string explain(const Position& pos);

  private:
    std::unique_ptr<PawnTable> pawns_;
    std::shared_ptr<const Network> net_;
    std::optional<AccumulatorStack> accumulators_;
};

}  // namespace engine

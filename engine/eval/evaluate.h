// Static evaluation by the network or by the classical evaluation. One Evaluator per thread; not
// for use by two threads at once.
#pragma once

#include "engine/board/position.h"
#include "engine/eval/accumulator.h"
#include "engine/eval/pawns.h"
#include "engine/score.h"

#include <memory>
#include <string>

namespace engine {

class Evaluator {
  public:
    // Null: the classical evaluation.
    explicit Evaluator(std::shared_ptr<const Network> net = built_in_network());

    // Call these for every move made or unmade, except null moves, which change no piece.
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
    // The parts of the evaluation as a table, in centipawns for White. Undoes every push().
    std::string explain(const Position& pos);

  private:
    Score white_score(const Position& pos);
    std::string table_of_pieces(const Position& pos);
    std::string table_of_terms(const Position& pos);

    std::unique_ptr<PawnTable> pawns_;  // of the classical evaluation
    std::shared_ptr<const Network> net_;
    std::unique_ptr<AccumulatorStack> accumulators_;
};

}  // namespace engine

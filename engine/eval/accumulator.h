// The accumulators: outputs of the network's first layer for each ply of the line being searched. A
// move only records which pieces it changes; the neurons are updated when an evaluation needs them.
#pragma once

#include "engine/eval/network.h"
#include "engine/eval/threat_stack.h"

#include <vector>

namespace engine {

// For one thread. The network must outlive it.
class AccumulatorStack {
  public:
    explicit AccumulatorStack(const Network& net);

    // Call it before evaluating a position that push() did not reach.
    void reset() {
        top_ = 0, levels_[0] = Level{};
        threats_.reset();
    }
    void push(const Position& before, Move m);  // requires before.is_legal(m)
    void pop() {
        assert(top_ > 0);
        --top_;
        threats_.pop();
    }
    // Centipawns for the side to move. `pos` is the position after the moves pushed.
    Score evaluate(const Position& pos);

  private:
    struct PieceSquare {
        Piece piece;
        Square square;
    };
    // The pieces that a move changed, and the neurons of both sides where `computed`.
    struct Level {
        alignas(64) std::array<Neurons, 2> neurons;
        std::array<bool, 2> computed{};
        std::array<bool, 2> king_crossed{};  // to the other half: all inputs changed
        std::array<PieceSquare, 2> added, removed;
        int adds = 0, removals = 0;
    };
    // An entry of the refresh table ("Finny table"): the neurons of the last refresh with the king
    // on this half, and the pieces then on the board.
    struct RefreshEntry {
        alignas(64) Neurons neurons;
        PieceSets pieces{};
    };

    void update(Color side, const Position& pos);
    void update_incrementally(Color side, bool mirrored, const Level& before, Level& after);
    void refresh(Color side, const Position& pos, Level& level);
    [[nodiscard]] const std::int16_t* weights(Color side, bool mirrored, PieceSquare p) const {
        return net_.features[feature(side, mirrored, p.piece, p.square)].data();
    }
    [[nodiscard]] bool is_exact(Color side, const Position& pos) const;

    const Network& net_;
    std::vector<Level> levels_;
    std::size_t top_ = 0;
    std::array<std::array<RefreshEntry, 2>, 2> refresh_table_;  // by side, by mirrored
    ThreatStack threats_;
};

}  // namespace engine

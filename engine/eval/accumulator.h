// The first layer of the network along the line being searched: what each move changes is noted
// when it is made, and worked out only where an evaluation is asked for.
#pragma once

#include "engine/eval/network.h"

#include <vector>

namespace engine {

// Of one thread. The network must outlive it.
class AccumulatorStack {
  public:
    explicit AccumulatorStack(const Network& net);

    void reset() { top_ = 0, levels_[0] = Level{}; }  // before any position that no push() led to
    void push(const Position& before, Move m);        // requires before.is_legal(m)
    void pop() {
        assert(top_ > 0);
        --top_;
    }
    // Centipawns for the side to move. `pos` is the position after the moves pushed; null moves are
    // not pushed, for they change no piece.
    Score evaluate(const Position& pos);

  private:
    struct PieceSquare {
        Piece piece;
        Square square;
    };
    // What a move changed, and the neurons of both sides where they are known.
    struct Level {
        alignas(64) std::array<Neurons, 2> neurons;
        std::array<bool, 2> known{}, turned{};  // turned: the king went to the other half
        std::array<PieceSquare, 2> added, removed;
        int adds = 0, removals = 0;
    };
    // The last neurons refreshed with the king on one half, and the pieces they stand for.
    struct Refreshed {
        alignas(64) Neurons neurons;
        std::array<std::array<Bitboard, 6>, 2> pieces{};
    };

    void know(Color side, const Position& pos);
    void advance(Color side, bool mirrored, const Level& before, Level& after);
    void refresh(Color side, const Position& pos, Level& level);
    [[nodiscard]] const std::int16_t* weights(Color side, bool mirrored, PieceSquare p) const {
        return net_.features[feature(side, mirrored, p.piece, p.square)].data();
    }
    [[nodiscard]] bool is_exact(Color side, const Position& pos) const;

    const Network& net_;
    std::vector<Level> levels_;
    std::size_t top_ = 0;
    std::array<std::array<Refreshed, 2>, 2> refreshed_;  // by side, by mirrored
};

}  // namespace engine

// The part of the accumulators that comes from the threat inputs, for each ply of the line being
// searched. A level is computed from the nearest one below it that an evaluation needed.
#pragma once

#include "engine/eval/network.h"
#include "engine/eval/threats.h"

#include <vector>

namespace engine {

// For one thread. The network must outlive it.
class ThreatStack {
  public:
    using BothSides = std::array<ThreatNeurons, 2>;

    explicit ThreatStack(const Network& net);

    void reset() { top_ = 0, levels_[0].computed = false; }
    // `changed` are the squares whose piece the move changes; `king_crossed`: to the other half.
    void push(Bitboard changed, bool king_crossed);
    void pop() {
        assert(top_ > 0);
        --top_;
    }
    // For White and for Black, without bias. `pos` is the position after the moves pushed.
    const BothSides& neurons(const Position& pos);

  private:
    struct Level {
        alignas(64) BothSides neurons;
        PieceSets attacked{};
        BySquare<Piece> board{};
        Bitboard changed = 0;
        bool king_crossed = false, computed = false;
    };
    void update(const Level& before, Bitboard changed, const Position& pos, Level& now) const;
    [[nodiscard]] bool is_exact(const Position& pos) const;

    const Network& net_;
    std::vector<Level> levels_;
    Level empty_{};  // no piece
    std::size_t top_ = 0;
};

}  // namespace engine

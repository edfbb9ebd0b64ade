// Which moves of a position give check, for many moves of one position.
#pragma once

#include "engine/board/position.h"

namespace engine {

class Checks {
  public:
    explicit Checks(const Position& pos);
    // The squares from which a piece of this type attacks their king; none for a king.
    [[nodiscard]] Bitboard squares(PieceType t) const { return squares_[t]; }
    // True if m gives check. Requires a legal move of `pos`, which must be as it was.
    [[nodiscard]] bool by(const Position& pos, Move m) const {
        if (m.kind() != MoveKind::Normal)
            return by_special(pos, m);
        return (squares_[type_of(pos.piece_on(m.from()))] & bit(m.to())) != 0 ||
               ((discoverers_ & bit(m.from())) != 0 && leaves_line(m));
    }

  private:
    [[nodiscard]] bool leaves_line(Move m) const;
    [[nodiscard]] static bool by_special(const Position& pos, Move m);

    Square king_;           // theirs
    Bitboard discoverers_;  // pieces of ours that stand between it and a slider of ours
    std::array<Bitboard, 6> squares_;
};

}  // namespace engine

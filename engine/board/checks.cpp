#include "engine/board/checks.h"

#include "engine/board/attacks.h"

namespace engine {

Checks::Checks(const Position& pos)
    : king_(pos.king(~pos.side_to_move())),
      discoverers_(pos.king_blockers(~pos.side_to_move()) & pos.pieces(pos.side_to_move())) {
    const Bitboard bishop = bishop_attacks(king_, pos.pieces());
    const Bitboard rook = rook_attacks(king_, pos.pieces());
    squares_ = {pawn_attacks(~pos.side_to_move(), king_),
                knight_attacks(king_),
                bishop,
                rook,
                bishop | rook,
                0};
}

bool Checks::leaves_line(Move m) const {
    return (line(king_, m.from()) & bit(m.to())) == 0;
}

// Castling, promotion and en passant.
bool Checks::by_special(const Position& pos, Move m) {
    Position after = pos;
    after.make(m);
    return after.in_check();
}

}  // namespace engine

// King and pawn against king, exactly: a bit for each position, computed in a millisecond.
#pragma once

#include "engine/board/position.h"

#include <array>

namespace engine {

class PawnEnding {
  public:
    // The one of this engine, computed at the first call. Any thread.
    static const PawnEnding& instance();

    // True if the pawn wins. Requires two kings and one pawn. The 50-move rule does not matter.
    [[nodiscard]] bool is_won(const Position& pos) const;

  private:
    static constexpr std::size_t Pawns = 24;  // files a to d, ranks 2 to 7
    // Bits are squares of the pawn's king.
    using ByBareKing = BySquare<Bitboard>;
    using Wins = std::array<ByBareKing, Pawns>;

    PawnEnding();
    bool extend_to_bare_king(std::size_t pawn, Square bare);  // true if something was new
    bool extend_to_pawn(std::size_t pawn, Square bare);

    Wins pawn_moves_{}, bare_king_moves_{};  // won with this side to move
};

}  // namespace engine

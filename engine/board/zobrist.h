// Zobrist keys of positions, the same as PolyGlot's, so that books translate one to one.
#pragma once

#include "engine/board/types.h"

#include <array>

namespace engine {

extern const std::array<Key, 781> ZobristNumbers;

inline Key zobrist_piece(Piece p, Square s) {
    // PolyGlot counts black pawn, white pawn, black knight, …
    const int kind = 2 * type_of(p) + (color_of(p) == White ? 1 : 0);
    return ZobristNumbers[static_cast<std::size_t>(64 * kind + s)];
}
inline Key zobrist_castling(int right) {  // number of the right, 0..3
    return ZobristNumbers[static_cast<std::size_t>(768 + right)];
}
inline Key zobrist_en_passant(Square s) {
    return ZobristNumbers[static_cast<std::size_t>(772 + file_of(s))];
}
inline Key zobrist_white_to_move() {
    return ZobristNumbers[780];
}

}  // namespace engine

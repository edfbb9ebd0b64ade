// Zobrist keys, equal to those of PolyGlot books.
#pragma once

#include "engine/board/types.h"

#include <array>

namespace engine {

extern const std::array<Key, 781> ZobristNumbers;
inline constexpr Key StartKey = 0x463b96181691fc9c;  // of the start position

inline Key zobrist_number(int i) {
    return ZobristNumbers[static_cast<std::size_t>(i)];
}

inline Key zobrist_piece(Piece p, Square s) {
    // PolyGlot counts black pawn, white pawn, black knight, …
    const int kind = 2 * type_of(p) + (color_of(p) == White ? 1 : 0);
    return zobrist_number(64 * kind + s);
}
inline Key zobrist_castling(int right) {  // index of the right, 0..3
    return zobrist_number(768 + right);
}
inline Key zobrist_en_passant(Square s) {
    return zobrist_number(772 + file_of(s));
}
inline Key zobrist_white_to_move() {
    return zobrist_number(780);
}

}  // namespace engine

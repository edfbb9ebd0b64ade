// Zobrist keys, equal to those of PolyGlot books, and a hash of 64 bits for all other purposes.
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

// One step of splitmix64: a bijection that mixes all 64 bits. Source: G. Steele, D. Lea, C. Flood,
// "Fast splittable pseudorandom number generators", 2014.
constexpr std::uint64_t splitmix64(std::uint64_t x) {
    x += 0x9E37'79B9'7F4A'7C15;
    x = (x ^ x >> 30) * 0xBF58'476D'1CE4'E5B9;
    x = (x ^ x >> 27) * 0x94D0'49BB'1331'11EB;
    return x ^ x >> 31;
}

}  // namespace engine

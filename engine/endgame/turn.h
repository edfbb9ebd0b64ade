// The symmetries of the board, for squares and for sets of squares.
#pragma once

#include "engine/board/bitboard.h"

namespace engine {

// Bits: mirror the files, mirror the ranks, then exchange files and ranks.
using Turn = std::uint8_t;
inline constexpr Turn MirrorFiles = 1, MirrorRanks = 2, Transpose = 4;

constexpr Square turned(Square s, Turn turn) {
    s ^= ((turn & MirrorFiles) != 0 ? 7 : 0) | ((turn & MirrorRanks) != 0 ? 56 : 0);
    return (turn & Transpose) != 0 ? make_square(rank_of(s), file_of(s)) : s;
}
// The turn that brings the square to the triangle a1-d1-d4.
constexpr Turn turn_to_triangle(Square s) {
    const int f = std::min(file_of(s), 7 - file_of(s)), r = std::min(rank_of(s), 7 - rank_of(s));
    return static_cast<Turn>((file_of(s) > 3 ? MirrorFiles : 0) |
                             (rank_of(s) > 3 ? MirrorRanks : 0) | (r > f ? Transpose : 0));
}

// Exchanges the bits of `mask` and those `shift` above them.
constexpr Bitboard exchanged(Bitboard b, Bitboard mask, int shift) {
    const Bitboard different = (b ^ b >> shift) & mask;
    return b ^ different ^ different << shift;
}
// The squares that the turn brings to `b`.
constexpr Bitboard turned_back(Bitboard b, Turn turn) {
    if ((turn & Transpose) != 0) {
        b = exchanged(b, 0x00AA'00AA'00AA'00AA, 7);
        b = exchanged(b, 0x0000'CCCC'0000'CCCC, 14);
        b = exchanged(b, 0x0000'0000'F0F0'F0F0, 28);
    }
    if ((turn & MirrorFiles) != 0) {
        b = exchanged(b, 0x5555'5555'5555'5555, 1);
        b = exchanged(b, 0x3333'3333'3333'3333, 2);
        b = exchanged(b, 0x0F0F'0F0F'0F0F'0F0F, 4);
    }
    if ((turn & MirrorRanks) != 0) {
        b = exchanged(b, 0x00FF'00FF'00FF'00FF, 8);
        b = exchanged(b, 0x0000'FFFF'0000'FFFF, 16);
        b = exchanged(b, 0x0000'0000'FFFF'FFFF, 32);
    }
    return b;
}
static_assert(turned_back(bit(turned(C1, MirrorFiles | Transpose)), MirrorFiles | Transpose) ==
              bit(C1));

}  // namespace engine

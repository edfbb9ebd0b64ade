// Sets of squares as 64-bit masks, bit 0 = A1. Everything here is constexpr and inline.
#pragma once

#include "engine/board/types.h"

#include <bit>
#include <cassert>

namespace engine {

using Bitboard = std::uint64_t;

inline constexpr Bitboard FileA = 0x0101'0101'0101'0101;
inline constexpr Bitboard FileH = FileA << 7;
inline constexpr Bitboard Rank1 = 0xFF;
inline constexpr Bitboard Rank8 = Rank1 << 56;
inline constexpr Bitboard DarkSquares = 0xAA55'AA55'AA55'AA55;  // A1 is dark

constexpr Bitboard bit(Square s) {
    return Bitboard{1} << s;
}
constexpr Bitboard file_bb(int file) {
    return FileA << file;
}
constexpr Bitboard rank_bb(int rank) {
    assert(0 <= rank && rank < 8);
    return Rank1 << (8 * rank);
}
// The squares next to any of `b`: where kings on `b` can step.
constexpr Bitboard king_steps(Bitboard b) {
    const Bitboard beside = (b & ~FileH) << 1 | (b & ~FileA) >> 1, row = b | beside;
    return beside | row << 8 | row >> 8;
}
constexpr bool more_than_one(Bitboard b) {
    return (b & (b - 1)) != 0;
}
constexpr int popcount(Bitboard b) {
    return std::popcount(b);
}
// The lowest square; 64 if b is empty.
constexpr Square lowest(Bitboard b) {
    return std::countr_zero(b);
}
// Removes and returns the lowest square. Requires b != 0.
constexpr Square pop_lowest(Bitboard& b) {
    assert(b != 0);
    const Square s = std::countr_zero(b);
    b &= b - 1;
    return s;
}

// All squares moved one rank forward as seen by c.
template <Color c>
constexpr Bitboard forward(Bitboard b) {
    return c == White ? b << 8 : b >> 8;
}
// The squares that pawns of colour c on `pawns` attack, towards the A file or towards the H file.
template <Color c>
constexpr Bitboard pawn_attacks_west(Bitboard pawns) {
    return c == White ? (pawns & ~FileA) << 7 : (pawns & ~FileA) >> 9;
}
template <Color c>
constexpr Bitboard pawn_attacks_east(Bitboard pawns) {
    return c == White ? (pawns & ~FileH) << 9 : (pawns & ~FileH) >> 7;
}
template <Color c>
constexpr Bitboard pawn_attacks(Bitboard pawns) {
    return pawn_attacks_west<c>(pawns) | pawn_attacks_east<c>(pawns);
}

static_assert(pawn_attacks<White>(bit(8)) == bit(17));               // a2 attacks b3 only
static_assert(pawn_attacks<Black>(bit(52)) == (bit(43) | bit(45)));  // e7 attacks d6 and f6

}  // namespace engine

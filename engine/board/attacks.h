// Attacks of the pieces, by table lookup. Sliders are indexed by pext where the processor has it,
// else by magic multiplication.
#pragma once

#include "engine/board/bitboard.h"

#include <array>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace engine {
namespace tables {

struct Slider {
    Bitboard mask;   // squares that can block
    Bitboard magic;  // unused with pext
    std::uint32_t offset, shift;
};
extern const BySquare<Slider> RookSliders, BishopSliders;
extern const std::array<Bitboard, 102'400> RookTable;
extern const std::array<Bitboard, 5'248> BishopTable;
extern const BySquare<BySquare<Bitboard>> Between, Line;
extern const std::array<BySquare<Bitboard>, 2> PawnAttacks;
extern const BySquare<Bitboard> KnightAttacks, KingAttacks;

inline std::size_t index(const Slider& s, Bitboard occupied) {
#ifdef __BMI2__
    return s.offset + _pext_u64(occupied, s.mask);
#else
    return s.offset + ((occupied & s.mask) * s.magic >> s.shift);
#endif
}

}  // namespace tables

inline Bitboard rook_attacks(Square s, Bitboard occupied) {
    return tables::RookTable[index(tables::RookSliders[s], occupied)];
}
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    return tables::BishopTable[index(tables::BishopSliders[s], occupied)];
}
inline Bitboard queen_attacks(Square s, Bitboard occupied) {
    return rook_attacks(s, occupied) | bishop_attacks(s, occupied);
}
inline Bitboard knight_attacks(Square s) {
    return tables::KnightAttacks[s];
}
inline Bitboard king_attacks(Square s) {
    return tables::KingAttacks[s];
}
// The squares that a pawn of colour c on s attacks.
inline Bitboard pawn_attacks(Color c, Square s) {
    return tables::PawnAttacks[c][s];
}
// Requires t != Pawn.
inline Bitboard attacks(PieceType t, Square s, Bitboard occupied) {
    switch (t) {
    case Knight:
        return knight_attacks(s);
    case Bishop:
        return bishop_attacks(s, occupied);
    case Rook:
        return rook_attacks(s, occupied);
    case Queen:
        return queen_attacks(s, occupied);
    default:
        return king_attacks(s);
    }
}
// The squares strictly between a and b; empty if they share no line.
inline Bitboard between(Square a, Square b) {
    return tables::Between[a][b];
}
// The line through a and b from edge to edge; empty if they share no line.
inline Bitboard line(Square a, Square b) {
    return tables::Line[a][b];
}

}  // namespace engine

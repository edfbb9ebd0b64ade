// Basic types: colours, pieces, squares, castling rights.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace engine {

enum Color : std::uint8_t { White, Black };
constexpr Color operator~(Color c) {
    return static_cast<Color>(c ^ 1);
}

enum PieceType : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King, NoPieceType };

// Colour in bit 3, type in bits 0..2.
enum Piece : std::uint8_t {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn = 8,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
    NoPiece = 15
};
inline constexpr std::string_view PieceLetters = "PNBRQK  pnbrqk .";  // by Piece, as in FEN
constexpr Piece make_piece(Color c, PieceType t) {
    return static_cast<Piece>(c << 3 | t);
}
// Both require p != NoPiece.
constexpr PieceType type_of(Piece p) {
    return static_cast<PieceType>(p & 7);
}
constexpr Color color_of(Piece p) {
    return static_cast<Color>(p >> 3);
}

// 0..63, A1 = 0, B1 = 1, … H8 = 63 (little-endian rank-file mapping).
using Square = int;
inline constexpr Square NoSquare = 64;
inline constexpr Square A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7;
inline constexpr Square A8 = 56, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63;

constexpr int rank_of(Square s) {
    return s >> 3;
}
constexpr int file_of(Square s) {
    return s & 7;
}
constexpr Square make_square(int file, int rank) {
    return rank << 3 | file;
}
// One T for each square.
template <typename T>
struct BySquare {
    std::array<T, 64> values;
    constexpr T& operator[](Square s) { return values[static_cast<std::size_t>(s)]; }
    constexpr const T& operator[](Square s) const { return values[static_cast<std::size_t>(s)]; }
};

// Chebyshev distance: moves of a king from a to b.
constexpr int distance(Square a, Square b) {
    const int files = file_of(a) - file_of(b), ranks = rank_of(a) - rank_of(b);
    return std::max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}
// Mirrors the ranks: A1 and A8 change places.
constexpr Square flip_rank(Square s) {
    return s ^ 56;
}
// The square as seen by c, whose first rank becomes rank 1. Its own inverse.
constexpr Square relative(Color c, Square s) {
    return s ^ (c * 56);
}
constexpr int relative_rank(Color c, Square s) {
    return rank_of(relative(c, s));
}

// One bit per right, in the order of PolyGlot's numbers. Short: the king goes to the g file.
enum CastlingRight : std::uint8_t { WhiteShort = 1, WhiteLong = 2, BlackShort = 4, BlackLong = 8 };
constexpr CastlingRight castling_right(Color c, bool short_side) {
    return static_cast<CastlingRight>((short_side ? 1 : 2) << (2 * c));
}

using Key = std::uint64_t;  // a Zobrist key

}  // namespace engine

// Moves of one man in all positions of a block at once: words of 64 squares of the defender's king,
// one for every placement of the other pieces.
#pragma once

#include "engine/board/bitboard.h"

#include <span>
#include <vector>

namespace engine {

class WordMoves {
  public:
    // A piece other than a king. Its square changes every `stride` words.
    WordMoves(PieceType type, std::size_t block, std::size_t stride);

    // Adds to `reaching` the positions from which a move of the man leads to one of `wanted`.
    // `free` holds those in which all men stand on different squares, `wanted` only such.
    void add(std::span<const Bitboard> wanted,
             std::span<const Bitboard> free,
             std::span<Bitboard> reaching) const;

  private:
    template <std::size_t width>
    void add_columns(const Bitboard* wanted, const Bitboard* free, Bitboard* reaching) const;

    std::size_t block_, stride_;
    // Lines of squares, each against the direction of the moves. A knight's move is a line of two
    // squares.
    std::vector<std::vector<Square>> lines_;
};

}  // namespace engine

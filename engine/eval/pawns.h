// Pawn structure of the classical evaluation, cached in a pawn hash table.
#pragma once

#include "engine/board/position.h"
#include "engine/eval/weights.h"

#include <vector>

namespace engine {

struct PawnEntry {
    Key key = 0;
    std::array<Tapered, 2> score{};
    std::array<Bitboard, 2> passed{};
    // Attack span: squares that the pawns attack now or after advancing.
    std::array<Bitboard, 2> span{};
};

class PawnTable {
  public:
    PawnTable() : entries_(Size) {}
    // Evaluates the pawns if they are not cached. Valid until the next call.
    const PawnEntry& probe(const Position& pos);

  private:
    static constexpr std::size_t Size = 8'192;
    std::vector<PawnEntry> entries_;
};

// All squares in front of `b` as seen by c, on the same files; without `b`.
template <Color c>
constexpr Bitboard forward_fill(Bitboard b) {
    b = forward<c>(b);
    b |= c == White ? b << 8 : b >> 8;
    b |= c == White ? b << 16 : b >> 16;
    return b | (c == White ? b << 32 : b >> 32);
}
constexpr Bitboard neighbour_files(Square s) {
    const Bitboard file = file_bb(file_of(s));
    return (file & ~FileA) >> 1 | (file & ~FileH) << 1;
}

}  // namespace engine

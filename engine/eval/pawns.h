// What the pawns alone are worth, remembered by their key: most positions of a search share them.
#pragma once

#include "engine/board/position.h"
#include "engine/eval/weights.h"

#include <vector>

namespace engine {

struct PawnEntry {
    Key key = 0;
    std::array<Tapered, 2> score{};
    std::array<Bitboard, 2> passed{};
    std::array<Bitboard, 2> span{};  // squares the side's pawns attack now or after advancing
};

class PawnTable {
  public:
    PawnTable() : entries_(Size) {}
    // Worked out if not known; valid until the next call.
    const PawnEntry& probe(const Position& pos);

  private:
    static constexpr std::size_t Size = 8'192;
    std::vector<PawnEntry> entries_;
};

// All squares before `b` as c sees it, on the same files, `b` not included.
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

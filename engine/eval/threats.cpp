#include "engine/eval/threats.h"

#include "engine/board/attacks.h"

namespace engine {

PieceSets piece_sets(const Position& pos) {
    PieceSets sets{};
    for (const Color c : {White, Black})
        for (int t = Pawn; t <= King; ++t)
            sets[c][static_cast<std::size_t>(t)] = pos.pieces(c, static_cast<PieceType>(t));
    return sets;
}

PieceSets attacked_pieces(const PieceSets& pieces) {
    Bitboard occupied = 0;
    for (const auto& side : pieces)
        for (const Bitboard set : side)
            occupied |= set;
    const Bitboard victims = occupied & ~(pieces[White][King] | pieces[Black][King]);
    PieceSets attacked{};
    attacked[White][Pawn] = pawn_attacks<White>(pieces[White][Pawn]) & victims;
    attacked[Black][Pawn] = pawn_attacks<Black>(pieces[Black][Pawn]) & victims;
    for (const Color c : {White, Black})
        for (int t = Knight; t <= King; ++t) {
            const auto type = static_cast<PieceType>(t);
            Bitboard seen = 0;
            for (Bitboard rest = pieces[c][type]; rest != 0;)
                seen |= attacks(type, pop_lowest(rest), occupied);
            attacked[c][type] = seen & victims;
        }
    return attacked;
}

}  // namespace engine

#include "engine/eval/kpk.h"

#include "engine/board/attacks.h"

namespace engine {
namespace {

// A white pawn on files a to d.
constexpr Square pawn_square(std::size_t pawn) {
    return make_square(static_cast<int>(pawn % 4), static_cast<int>(pawn / 4) + 1);
}
constexpr std::size_t pawn_index(Square s) {
    return static_cast<std::size_t>((rank_of(s) - 1) * 4 + file_of(s));
}

// Where the pawn's king may stand, whoever is to move.
Bitboard possible(Square pawn, Square bare) {
    return bare == pawn ? 0 : ~(king_attacks(bare) | bit(bare) | bit(pawn));
}

bool gives_check(Square pawn, Square bare) {
    return (pawn_attacks(White, pawn) & bit(bare)) != 0;
}

}  // namespace

// Retrograde analysis from the promotions, for all squares of the pawn's king at once.
PawnEnding::PawnEnding() {
    for (bool more = true; more;) {
        more = false;
        for (std::size_t pawn = Pawns; pawn-- > 0;)
            for (Square bare = 0; bare < 64; ++bare) {
                more = extend_to_pawn(pawn, bare) || more;
                more = extend_to_bare_king(pawn, bare) || more;
            }
    }
}

// Won if some move wins.
bool PawnEnding::extend_to_pawn(std::size_t pawn, Square bare) {
    const Square from = pawn_square(pawn), to = from + 8;
    if (gives_check(from, bare))
        return false;
    const Bitboard kings = possible(from, bare);
    Bitboard won = king_steps(bare_king_moves_[pawn][bare]);
    if (to != bare && rank_of(to) == 7) {
        // A promotion wins unless the bare king takes at once; a rook avoids stalemate.
        const bool near = (king_attacks(bare) & bit(to)) != 0;
        won |= (near ? king_attacks(to) : ~Bitboard{0}) & ~bit(to);
    } else if (to != bare) {
        won |= bare_king_moves_[pawn + 4][bare];
        if (rank_of(from) == 1 && to + 8 != bare)
            won |= bare_king_moves_[pawn + 8][bare] & ~bit(to);
    }
    Bitboard& known = pawn_moves_[pawn][bare];
    const Bitboard before = known;
    known |= won & kings;
    return known != before;
}

// Won if the bare king is mated, or if it can move and all its moves lose.
bool PawnEnding::extend_to_bare_king(std::size_t pawn, Square bare) {
    const Square here = pawn_square(pawn);
    Bitboard lost = possible(here, bare), can_move = 0;
    for (Bitboard left = king_attacks(bare) & ~pawn_attacks(White, here); left != 0;) {
        const Square to = pop_lowest(left);
        const Bitboard legal = ~(king_attacks(to) | bit(to));
        can_move |= legal;
        lost &= ~legal | (to == here ? 0 : pawn_moves_[pawn][to]);
    }
    if (!gives_check(here, bare))
        lost &= can_move;
    Bitboard& known = bare_king_moves_[pawn][bare];
    const Bitboard before = known;
    known |= lost;
    return known != before;
}

const PawnEnding& PawnEnding::instance() {
    static const PawnEnding ending;
    return ending;
}

bool PawnEnding::is_won(const Position& pos) const {
    const Color strong = pos.pieces(White, Pawn) != 0 ? White : Black;
    const Square pawn = lowest(pos.pieces(Pawn));
    const int flip = (strong == Black ? 56 : 0) ^ (file_of(pawn) > 3 ? 7 : 0);
    const Wins& wins = pos.side_to_move() == strong ? pawn_moves_ : bare_king_moves_;
    return (wins[pawn_index(pawn ^ flip)][pos.king(~strong) ^ flip] &
            bit(pos.king(strong) ^ flip)) != 0;
}

}  // namespace engine

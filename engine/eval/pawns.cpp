#include "engine/eval/pawns.h"

namespace engine {
namespace {

template <Color us>
void evaluate_pawns(const Position& pos, PawnEntry& e) {
    constexpr Color them = ~us;
    const Bitboard ours = pos.pieces(us, Pawn);
    const Bitboard theirs = pos.pieces(them, Pawn);
    const Bitboard our_attacks = pawn_attacks<us>(ours);
    const Bitboard their_attacks = pawn_attacks<them>(theirs);
    e.span[us] = our_attacks | forward_fill<us>(our_attacks);
    Tapered score = 0;
    for (Bitboard left = ours; left != 0;) {
        const Square s = pop_lowest(left);
        const Bitboard here = bit(s);
        const auto rank = static_cast<std::size_t>(relative_rank(us, s));
        const Bitboard ahead = forward_fill<us>(here);
        const Bitboard neighbours = neighbour_files(s) & ours;
        const Bitboard stop = forward<us>(here);
        const Bitboard front =
            ahead | forward_fill<us>(pawn_attacks<us>(here)) | pawn_attacks<us>(here);
        const Bitboard stoppers = front & theirs;
        const Bitboard supporters = pawn_attacks<them>(here) & ours;
        const Bitboard beside = neighbours & rank_bb(rank_of(s));
        const bool open = (ahead & (ours | theirs)) == 0;

        if (stoppers == 0 && (ahead & ours) == 0) {
            e.passed[us] |= here;
            score += W.passed[rank];
        } else if (open && popcount(stoppers & pawn_attacks<us>(stop)) <= popcount(beside) &&
                   (stoppers & ~pawn_attacks<us>(stop) & ~pawn_attacks<us>(here)) == 0) {
            score += W.candidate[rank];  // enough supporters to exchange the stoppers
        }
        if (supporters != 0)
            score += W.connected[rank];
        if (beside != 0)
            score += W.phalanx[rank];
        if ((ahead & ours) != 0)
            score += W.doubled;
        if (neighbours == 0)
            score += W.isolated;
        else if ((neighbours & ~forward_fill<us>(pawn_attacks<us>(here)) &
                  ~pawn_attacks<us>(here)) == 0 &&
                 ((stop & (their_attacks | theirs)) != 0))
            score += W.backward + (open ? W.open_backward : 0);
    }
    e.score[us] = score;
}

}  // namespace

const PawnEntry& PawnTable::probe(const Position& pos) {
    const Key key = pos.pawn_key();
    PawnEntry& e = entries_[key % Size];
    // Without pawns the key is 0, and the empty entry is right.
    if (e.key != key) {
        e = {};
        e.key = key;
        evaluate_pawns<White>(pos, e);
        evaluate_pawns<Black>(pos, e);
    }
    return e;
}

}  // namespace engine

#include "engine/eval/classical.h"

#include "engine/board/attacks.h"

#include <algorithm>

namespace engine::classical {
namespace {

std::size_t rank_index(Color c, Square s) {
    return static_cast<std::size_t>(relative_rank(c, s));
}

// One evaluation. Attack maps are collected while the pieces are evaluated, and used by later
// terms.
class ClassicalEval {
  public:
    ClassicalEval(const Position& pos, const PawnEntry& pawns) : pos_(pos), pawns_(pawns) {}

    Terms run() {
        prepare<White>();
        prepare<Black>();
        pieces<White>();
        pieces<Black>();
        finish<White>();
        finish<Black>();
        return terms_;
    }

  private:
    template <Color us>
    void prepare();
    template <Color us>
    void pieces();
    template <Color us, PieceType type>
    void pieces_of_type(Term term);
    template <Color us, PieceType type>
    [[nodiscard]] Tapered placement(Square s) const;
    template <Color us>
    void finish();
    template <Color us>
    Tapered king();
    template <Color us>
    [[nodiscard]] Tapered shelter(Square king) const;
    template <Color us>
    [[nodiscard]] int king_danger() const;
    template <Color us>
    [[nodiscard]] Tapered threats() const;
    template <Color us>
    [[nodiscard]] Tapered passed() const;
    template <Color us>
    [[nodiscard]] Tapered space() const;

    const Position& pos_;
    const PawnEntry& pawns_;
    Terms terms_;
    // By attacking colour: attacks by piece type, by all pieces, and by at least two.
    std::array<std::array<Bitboard, 6>, 2> by_{};
    std::array<Bitboard, 2> attacked_{}, twice_{};
    std::array<Bitboard, 2> mobility_area_{};
    std::array<Bitboard, 2> ring_{};      // king ring, around the colour's own king
    std::array<int, 2> attack_points_{};  // against the colour's own king
    std::array<int, 2> attackers_{};
};

template <Color us>
void ClassicalEval::prepare() {
    constexpr Color Them = ~us;
    const Square king = pos_.king(us);
    const Bitboard pawns = pos_.pieces(us, Pawn);
    by_[us][Pawn] = pawn_attacks<us>(pawns);
    by_[us][King] = king_attacks(king);
    attacked_[us] = by_[us][Pawn] | by_[us][King];
    twice_[us] = (pawn_attacks_west<us>(pawns) & pawn_attacks_east<us>(pawns)) |
                 (by_[us][Pawn] & by_[us][King]);

    // Mobility area: excludes blocked pawns, pawns on the second and third rank, king, queen, and
    // squares attacked by enemy pawns.
    const Bitboard blocked = pawns & forward<Them>(pos_.pieces());
    const Bitboard low = pawns & (us == White ? rank_bb(1) | rank_bb(2) : rank_bb(6) | rank_bb(5));
    mobility_area_[us] = ~(blocked | low | pos_.pieces(us, King) | pos_.pieces(us, Queen) |
                           pawn_attacks<Them>(pos_.pieces(Them, Pawn)));

    // The king ring is centred off the edge, so that it always has nine squares.
    const Square centre =
        make_square(std::clamp(file_of(king), 1, 6), std::clamp(rank_of(king), 1, 6));
    ring_[us] = king_attacks(centre) | bit(centre);
    // Squares defended by two pawns are safe.
    ring_[us] &= ~(pawn_attacks_west<us>(pawns) & pawn_attacks_east<us>(pawns));

    // The piece-square tables expect the king on files e to h.
    const int mirror = file_of(king) < 4 ? 7 : 0;
    Tapered material = 0;
    Tapered squares = W.square[King][relative(us, king) ^ mirror];
    for (const PieceType t : {Pawn, Knight, Bishop, Rook, Queen}) {
        const Bitboard all = pos_.pieces(us, t);
        material += popcount(all) * W.material[t];
        for (Bitboard left = all; left != 0;)
            squares += W.square[t][relative(us, pop_lowest(left)) ^ mirror];
    }
    terms_.of(Term::Material, us) = material;
    terms_.of(Term::Squares, us) = squares;
    terms_.of(Term::Pawns, us) = pawns_.score[us];
    terms_.phase += popcount(pos_.pieces(us, Knight) | pos_.pieces(us, Bishop)) +
                    2 * popcount(pos_.pieces(us, Rook)) + 4 * popcount(pos_.pieces(us, Queen));
}

template <Color us>
void ClassicalEval::pieces() {
    pieces_of_type<us, Knight>(Term::Knights);
    pieces_of_type<us, Bishop>(Term::Bishops);
    pieces_of_type<us, Rook>(Term::Rooks);
    pieces_of_type<us, Queen>(Term::Queens);
    if (popcount(pos_.pieces(us, Bishop)) >= 2)
        terms_.of(Term::Bishops, us) += W.bishop_pair;
}

template <Color us, PieceType type>
void ClassicalEval::pieces_of_type(Term term) {
    constexpr Color Them = ~us;
    const Square king = pos_.king(us);
    const Bitboard pinned = pos_.king_blockers(us);
    Tapered score = 0;
    for (Bitboard left = pos_.pieces(us, type); left != 0;) {
        const Square s = pop_lowest(left);
        // X-ray attacks through own queens, and of rooks through own rooks.
        Bitboard reach = 0;
        if constexpr (type == Bishop)
            reach = bishop_attacks(s, pos_.pieces() ^ pos_.pieces(us, Queen));
        else if constexpr (type == Rook)
            reach = rook_attacks(s, pos_.pieces() ^ pos_.pieces(us, Queen) ^ pos_.pieces(us, Rook));
        else
            reach = attacks(type, s, pos_.pieces());
        if ((pinned & bit(s)) != 0)
            reach &= line(king, s);
        twice_[us] |= attacked_[us] & reach;
        attacked_[us] |= reach;
        by_[us][type] |= reach;

        if ((reach & ring_[Them]) != 0) {
            ++attackers_[Them];
            attack_points_[Them] +=
                W.attacker[type] + W.ring_hit * popcount(reach & king_attacks(pos_.king(Them)));
        }
        const auto mobility = static_cast<std::size_t>(popcount(reach & mobility_area_[us]));
        if constexpr (type == Knight)
            score += W.knight_mobility[mobility];
        else if constexpr (type == Bishop)
            score += W.bishop_mobility[mobility];
        else if constexpr (type == Rook)
            score += W.rook_mobility[mobility];
        else
            score += W.queen_mobility[mobility];
        score += placement<us, type>(s);
    }
    terms_.of(term, us) += score;
}

template <Color us, PieceType type>
Tapered ClassicalEval::placement(Square s) const {
    constexpr Color Them = ~us;
    Tapered score = 0;
    if constexpr (type == Knight || type == Bishop) {
        constexpr Bitboard Outposts = us == White ? rank_bb(3) | rank_bb(4) | rank_bb(5)
                                                  : rank_bb(4) | rank_bb(3) | rank_bb(2);
        if ((bit(s) & Outposts & ~pawns_.span[Them]) != 0) {
            const std::size_t supported = (by_[us][Pawn] & bit(s)) != 0 ? 1 : 0;
            score += type == Knight ? W.knight_outpost[supported] : W.bishop_outpost[supported];
        }
        if ((forward<Them>(pos_.pieces(Pawn)) & bit(s)) != 0)
            score += W.minor_behind_pawn;
    }
    if constexpr (type == Bishop) {
        const Bitboard colour = (bit(s) & DarkSquares) != 0 ? DarkSquares : ~DarkSquares;
        score += popcount(pos_.pieces(us, Pawn) & colour) * W.bishop_blockers;
        constexpr Bitboard Centre = 0x0000'0018'1800'0000;
        if (more_than_one(bishop_attacks(s, pos_.pieces(Pawn)) & Centre))
            score += W.long_diagonal;
    }
    if constexpr (type == Rook) {
        const Bitboard file = file_bb(file_of(s));
        if ((file & pos_.pieces(us, Pawn)) == 0)
            score += W.rook_file[(file & pos_.pieces(Them, Pawn)) == 0 ? 1 : 0];
        if (relative_rank(us, s) == 6 && (relative_rank(us, pos_.king(Them)) == 7 ||
                                          (pos_.pieces(Them, Pawn) & rank_bb(rank_of(s))) != 0))
            score += W.rook_on_seventh;
    }
    return score;
}

template <Color us>
void ClassicalEval::finish() {
    terms_.of(Term::King, us) = king<us>();
    terms_.of(Term::Threats, us) = threats<us>();
    terms_.of(Term::Passed, us) = passed<us>();
    terms_.of(Term::Space, us) = space<us>();
}

// Pawn shelter and pawn storm: own pawns before the king and enemy pawns advancing on it, on its
// file and the two adjacent ones.
template <Color us>
Tapered ClassicalEval::shelter(Square king) const {
    constexpr Color Them = ~us;
    const Bitboard rank = rank_bb(rank_of(king));
    const Bitboard before = rank | forward_fill<us>(rank);
    const Bitboard ours = pos_.pieces(us, Pawn) & before & ~by_[Them][Pawn];
    const Bitboard theirs = pos_.pieces(Them, Pawn) & before;
    const int middle = std::clamp(file_of(king), 1, 6);
    Tapered score = 0;
    for (int f = middle - 1; f <= middle + 1; ++f) {
        // The rank of the nearest pawn to us on the file; 0 if there is none.
        const auto nearest = [&](Bitboard b) -> std::size_t {
            b &= file_bb(f);
            return b == 0 ? 0 : rank_index(us, us == White ? lowest(b) : 63 - std::countl_zero(b));
        };
        const auto edge = static_cast<std::size_t>(std::min(f, 7 - f));
        const std::size_t own = nearest(ours);
        const std::size_t their = nearest(theirs);
        score += W.shelter[edge][own];
        score += own != 0 && own + 1 == their ? W.blocked_storm[their] : W.storm[edge][their];
    }
    const Bitboard file = file_bb(file_of(king));
    if ((file & pos_.pieces(us, Pawn)) == 0)
        score += (file & pos_.pieces(Them, Pawn)) == 0 ? W.king_open : W.king_half_open;
    return score;
}

// The danger to the king of `us`, in points.
template <Color us>
int ClassicalEval::king_danger() const {
    constexpr Color Them = ~us;
    const Square king = pos_.king(us);
    const Bitboard weak =
        attacked_[Them] & ~twice_[us] & (~attacked_[us] | by_[us][King] | by_[us][Queen]);
    const Bitboard safe = ~pos_.pieces(Them) & (~attacked_[us] | (weak & twice_[Them]));
    const Bitboard occupied = pos_.pieces() ^ pos_.pieces(us, Queen);
    const Bitboard straight = rook_attacks(king, occupied);
    const Bitboard diagonal = bishop_attacks(king, occupied);
    const std::array<Bitboard, 6> from{
        0, knight_attacks(king), diagonal, straight, straight | diagonal, 0};

    int points = W.danger_base + attack_points_[us] * std::min(attackers_[us] + 1, 4) / 3 +
                 W.weak_ring * popcount(ring_[us] & weak);
    for (const PieceType t : {Knight, Bishop, Rook, Queen}) {
        const Bitboard checks = from[t] & by_[Them][t] & ~pos_.pieces(Them);
        if ((checks & safe) != 0)
            points += W.safe_check[t] * (more_than_one(checks & safe) ? 3 : 2) / 2;
        else
            points += W.unsafe_check * popcount(checks);
    }
    if (pos_.pieces(Them, Queen) == 0)
        points += W.no_queen;
    return points;
}

template <Color us>
Tapered ClassicalEval::king() {
    const Tapered cover = shelter<us>(pos_.king(us));
    if (attackers_[us] < 2 && pos_.pieces(~us, Queen) == 0)
        return cover;
    const int points = std::max(king_danger<us>() - middlegame(cover) * W.shelter_points / 2, 0);
    return cover - tapered(std::min(points * points / 512, 1'500), points / 10);
}

template <Color us>
Tapered ClassicalEval::threats() const {
    constexpr Color Them = ~us;
    const Bitboard theirs = pos_.pieces(Them) & ~pos_.pieces(Them, Pawn) & ~pos_.pieces(Them, King);
    const Bitboard guarded = by_[Them][Pawn] | (twice_[Them] & ~twice_[us]);
    const Bitboard weak = pos_.pieces(Them) & ~guarded & attacked_[us];
    Tapered score = 0;
    const auto add = [&](Bitboard targets, const TaperedList<6>& list) {
        for (const PieceType t : {Pawn, Knight, Bishop, Rook, Queen})
            score += popcount(targets & pos_.pieces(t)) * list[t];
    };
    add(theirs & by_[us][Pawn], W.by_pawn);
    add((theirs | weak) & (by_[us][Knight] | by_[us][Bishop]) & pos_.pieces(Them), W.by_minor);
    add((weak | pos_.pieces(Them, Queen)) & by_[us][Rook], W.by_rook);
    if ((weak & by_[us][King]) != 0)
        score += W.by_king;
    score += popcount(weak & (~attacked_[Them] | (theirs & twice_[us]))) * W.hanging;
    score += popcount(attacked_[Them] & ~guarded & attacked_[us]) * W.restricted;

    // Threats by pawn push: safe pushes that would attack a piece.
    const Bitboard empty = ~pos_.pieces();
    Bitboard steps = forward<us>(pos_.pieces(us, Pawn)) & empty;
    constexpr Bitboard Third = us == White ? rank_bb(2) : rank_bb(5);
    steps |= forward<us>(steps & Third) & empty;
    steps &= ~by_[Them][Pawn] & (attacked_[us] | ~attacked_[Them]);
    score += popcount(pawn_attacks<us>(steps) & theirs) * W.push_threat;
    return score;
}

template <Color us>
Tapered ClassicalEval::passed() const {
    constexpr Color Them = ~us;
    Tapered score = 0;
    for (Bitboard left = pawns_.passed[us]; left != 0;) {
        const Square s = pop_lowest(left);
        const std::size_t rank = rank_index(us, s);
        const Bitboard stop = forward<us>(bit(s));
        const Square stop_square = lowest(stop);
        const Bitboard path = forward_fill<us>(bit(s));
        score += std::min(distance(pos_.king(us), stop_square), 5) * W.own_king_distance[rank];
        score += std::min(distance(pos_.king(Them), stop_square), 5) * W.their_king_distance[rank];
        if ((stop & pos_.pieces()) == 0)
            score += W.free_stop[rank];
        if ((stop & attacked_[Them]) == 0)
            score += W.safe_stop[rank];
        if ((path & (attacked_[Them] | pos_.pieces(Them))) == 0)
            score += W.safe_path[rank];
        const Bitboard behind = forward_fill<Them>(bit(s));
        if ((behind & pos_.pieces(us, Rook)) != 0)
            score += W.rook_behind;
        // Rule of the square: no piece and no king can catch the pawn.
        const Square goal = make_square(file_of(s), us == White ? 7 : 0);
        const int moves = std::min(distance(s, goal), 5);
        if (!pos_.has_nonpawn(Them) && (path & pos_.pieces()) == 0 &&
            moves < distance(pos_.king(Them), goal) - (pos_.side_to_move() == Them ? 1 : 0))
            score += W.runner;
    }
    return score;
}

// Space: safe central squares behind and among the own pawns, while there are pieces to use them.
template <Color us>
Tapered ClassicalEval::space() const {
    constexpr Color Them = ~us;
    constexpr Bitboard Centre =
        (file_bb(2) | file_bb(3) | file_bb(4) | file_bb(5)) &
        (us == White ? rank_bb(1) | rank_bb(2) | rank_bb(3) : rank_bb(6) | rank_bb(5) | rank_bb(4));
    const int pieces = popcount(pos_.pieces(us) & ~pos_.pieces(Pawn));
    if (pieces < 5)
        return 0;
    const Bitboard safe = Centre & ~pos_.pieces(us, Pawn) & ~by_[Them][Pawn];
    const Bitboard behind = forward_fill<Them>(pos_.pieces(us, Pawn)) & ~attacked_[Them];
    const int points = (popcount(safe) + popcount(safe & behind)) * (pieces - 3) / 4;
    return points * W.space;
}

}  // namespace

Terms evaluate(const Position& pos, PawnTable& pawns) {
    return ClassicalEval(pos, pawns.probe(pos)).run();
}

}  // namespace engine::classical

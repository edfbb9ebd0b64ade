#include "engine/eval/endings.h"

#include "engine/board/attacks.h"
#include "engine/board/see.h"
#include "engine/eval/kpk.h"

#include <algorithm>

namespace engine {
namespace {

int from_edge(int x) {
    return std::min(x, 7 - x);
}
// 0 in the centre, 6 in a corner.
int near_corner(Square s) {
    return 6 - from_edge(file_of(s)) - from_edge(rank_of(s));
}
// 7 on the nearest corner of the bishop's colour, 0 on the other diagonal.
int near_coloured_corner(Square s, bool dark) {
    const int f = file_of(s);
    const int r = rank_of(s);
    // The dark corners are a1 and h8.
    return dark ? std::abs(7 - f - r) : std::abs(f - r);
}
int piece_value(const Position& pos, Color c) {
    int sum = 0;
    for (const PieceType t : {Knight, Bishop, Rook, Queen})
        sum += popcount(pos.pieces(c, t)) * SeeValue[t];
    return sum;
}
bool both_colours(Bitboard bishops) {
    return (bishops & DarkSquares) != 0 && (bishops & ~DarkSquares) != 0;
}
// True if the pieces of c can force mate against a bare king.
bool can_mate(const Position& pos, Color c) {
    const Bitboard bishops = pos.pieces(c, Bishop);
    const Bitboard knights = pos.pieces(c, Knight);
    return (pos.pieces(Rook, Queen) & pos.pieces(c)) != 0 || both_colours(bishops) ||
           (bishops != 0 && knights != 0) || popcount(knights) >= 3;
}
bool opposite_bishops(const Position& pos) {
    return popcount(pos.pieces(White, Bishop)) == 1 && popcount(pos.pieces(Black, Bishop)) == 1 &&
           both_colours(pos.pieces(Bishop));
}

// Pawns of c on one rook file do not win, whatever bishops help, while the other king is in or
// beside the corner where they promote and no bishop has the corner's colour.
bool has_wrong_rook_pawns(const Position& pos, Color c) {
    const Bitboard men = pos.pieces(c), pawns = pos.pieces(c, Pawn),
                   bishops = pos.pieces(c, Bishop);
    const bool one_rook_file = (pawns & ~FileA) == 0 || (pawns & ~FileH) == 0;
    if (pawns == 0 || !one_rook_file || (men & ~(pawns | bishops | pos.pieces(King))) != 0)
        return false;
    const Square corner = make_square(file_of(lowest(pawns)), c == White ? 7 : 0);
    const Bitboard colour = (DarkSquares & bit(corner)) != 0 ? DarkSquares : ~DarkSquares;
    return (bishops & colour) == 0 && distance(pos.king(~c), corner) <= 1;
}

// Two knights cannot force mate; the wrong rook pawns do not win either.
bool is_drawn(const Position& pos, Color c) {
    const Bitboard men = pos.pieces(c);
    return ((men & ~pos.pieces(King, Knight)) == 0 && popcount(men) <= 3) ||
           has_wrong_rook_pawns(pos, c);
}

// A rook protected by a pawn (no rook pawn) on its first square, with the king beside the pawn,
// holds against a queen.
bool is_rook_fortress(const Position& pos, Color weak) {
    const Bitboard rooks = pos.pieces(weak, Rook);
    const Bitboard first = rank_bb(weak == White ? 1 : 6) & ~(FileA | FileH);
    if (more_than_one(rooks) ||
        (pos.pieces(weak) & ~pos.pieces(Rook, Pawn) & ~pos.pieces(King)) != 0)
        return false;
    const Bitboard pawns = pos.pieces(weak, Pawn) & first & king_attacks(pos.king(weak));
    return (rooks & (weak == White ? pawn_attacks<White>(pawns) : pawn_attacks<Black>(pawns))) != 0;
}

// Requires a pawn against a bare king.
Score pawn_score(const Position& pos, Color c) {
    if (!PawnEnding::instance().is_won(pos))
        return Draw;
    const Square pawn = lowest(pos.pieces(Pawn));
    return PawnWins + 50 * relative_rank(c, pawn) - 10 * distance(pos.king(c), pawn);
}

}  // namespace

std::optional<Score> bare_king_score(const Position& pos) {
    const Color winner = more_than_one(pos.pieces(White)) ? White : Black;
    if (more_than_one(pos.pieces(~winner)))
        return {};
    if (is_drawn(pos, winner))
        return Draw;
    if (pos.pieces(Pawn) != 0 && popcount(pos.pieces()) == 3)
        return winner == White ? pawn_score(pos, winner) : -pawn_score(pos, winner);
    if (!can_mate(pos, winner))
        return {};
    const Square prey = pos.king(~winner);
    const Bitboard heavy = (pos.pieces(Rook, Queen) | pos.pieces(Pawn)) & pos.pieces(winner);
    const Bitboard bishops = pos.pieces(winner, Bishop);
    int score = piece_value(pos, winner) + 100 * popcount(pos.pieces(winner, Pawn)) + BareKing;
    score += 20 * (7 - distance(pos.king(White), pos.king(Black)));
    // A penalty for each escape square of the bare king.
    for (Bitboard flight = king_attacks(prey); flight != 0;)
        score -= pos.is_attacked(pop_lowest(flight), winner) ? 0 : 12;
    const bool only_one_colour = heavy == 0 && bishops != 0 && !both_colours(bishops);
    score += only_one_colour ? 60 * near_coloured_corner(prey, (bishops & DarkSquares) != 0) +
                                   5 * near_corner(prey)
                             : 30 * near_corner(prey);
    return winner == White ? score : -score;
}

int winning_scale(const Position& pos, Color strong) {
    const Color weak = ~strong;
    const int pawns = popcount(pos.pieces(strong, Pawn));
    const int ours = piece_value(pos, strong);
    const int theirs = piece_value(pos, weak);
    const int minor = SeeValue[Bishop];
    if (pawns == 0 && ours - theirs <= minor) {
        // An extra minor piece does not win without pawns.
        if (ours < SeeValue[Rook])
            return 0;
        return theirs <= minor ? 6 : 16;
    }
    if (pawns == 0 && theirs == 0 && ours == 2 * SeeValue[Knight] &&
        pos.pieces(strong, Bishop) == 0)
        return 0;
    if (opposite_bishops(pos)) {
        const bool bare = ours == minor && theirs == minor;
        return bare ? std::min(18 + 4 * pawns, 48) : std::min(40 + 3 * pawns, FullScale);
    }
    // The fewer pawns, the easier it is to exchange the last ones.
    return std::min(40 + 8 * pawns, FullScale);
}

int drawish_scale(const Position& pos, Color strong) {
    constexpr int Fortress = 6, LonePawn = 16;
    const Color weak = ~strong;
    const int lead = piece_value(pos, strong) - piece_value(pos, weak);
    const bool queen_alone =
        pos.pieces(strong) == (pos.pieces(strong, King) | pos.pieces(strong, Queen));
    // A queen beats two minor pieces, unless both are knights.
    const Bitboard bishops = pos.pieces(weak, Bishop);
    const bool beats_minors =
        queen_alone && bishops != 0 &&
        pos.pieces(weak) == (bishops | pos.pieces(weak, Knight) | pos.pieces(weak, King));
    if (pos.pieces(strong, Pawn) == 0 && ((lead <= SeeValue[Bishop] && !beats_minors) ||
                                          (queen_alone && is_rook_fortress(pos, weak))))
        return Fortress;
    if (has_wrong_rook_pawns(pos, strong))
        return Fortress;
    // A minor piece can be given for the last pawn.
    const Bitboard pawn = pos.pieces(strong, Pawn);
    if (pos.pieces(strong) == (pos.pieces(strong, King) | pawn) && !more_than_one(pawn) &&
        (pos.pieces(Knight, Bishop) & pos.pieces(weak)) != 0)
        return LonePawn;
    if (opposite_bishops(pos) && pos.pieces(Knight, Rook) == 0 && pos.pieces(Queen) == 0) {
        const int more = popcount(pos.pieces(strong, Pawn)) - popcount(pos.pieces(weak, Pawn));
        return more <= 1 ? 10 : more == 2 ? 28 : FullScale;
    }
    return FullScale;
}

}  // namespace engine

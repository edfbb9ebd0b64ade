// Source of the idea: online logistic regression, as in M. Mahoney, "Adaptive weighing of context
// models for lossless data compression", 2005.
#include "tools/lab/datagen/move_ranking.h"

#include "engine/board/attacks.h"
#include "engine/board/checks.h"
#include "engine/board/movegen.h"

#include <algorithm>

namespace tools::datagen {
namespace {

using engine::Bitboard;
using engine::Color;
using engine::Move;
using engine::MoveKind;
using engine::PieceType;
using engine::Square;

// The traits of a move, and how many values each has.
constexpr int ToSize = 6 * 64, FromSize = 6 * 64, CaptureSize = 7 * 5 * 2 * 6, ThreatSize = 6 * 16;
constexpr int CheckSize = 4, RelationSize = 8, PawnSize = 17;
constexpr int From = ToSize, Capture = From + FromSize, Threat = Capture + CaptureSize;
constexpr int Check = Threat + ThreatSize, Relation = Check + CheckSize;
constexpr int Pawn = Relation + RelationSize, AllWeights = Pawn + PawnSize;

constexpr std::array<int, 7> Values{1, 3, 3, 5, 9, 0, 0};

// What both sides attack.
struct Attacks {
    Bitboard by_us = 0, by_them = 0;
    std::array<Bitboard, 6> lesser{};  // where their pieces of less value attack ours of this type

    explicit Attacks(const engine::Position& pos) {
        for (Bitboard rest = pos.pieces(); rest != 0;) {
            const Square s = engine::pop_lowest(rest);
            const Color c = engine::color_of(pos.piece_on(s));
            const PieceType t = engine::type_of(pos.piece_on(s));
            const Bitboard attacked = t == engine::Pawn ? engine::pawn_attacks(c, s)
                                                        : engine::attacks(t, s, pos.pieces());
            (c == pos.side_to_move() ? by_us : by_them) |= attacked;
            if (c == pos.side_to_move())
                continue;
            for (std::size_t ours = engine::Knight; ours <= engine::Queen; ++ours)
                if (Values[t] < Values[ours] && t != engine::King)
                    lesser[ours] |= attacked;
        }
        lesser[engine::King] = lesser[engine::Queen];
    }
    // How dangerous a square is for a piece of ours, 0 to 3.
    [[nodiscard]] int threat(PieceType t, Square s) const {
        return (lesser[t] & engine::bit(s)) != 0 ? 3
               : (by_them & engine::bit(s)) == 0 ? 0
               : (by_us & engine::bit(s)) != 0   ? 1
                                                 : 2;
    }
};

// The king's square after castling, else the target.
Square target(Move m) {
    return m.kind() == MoveKind::Castling
               ? engine::make_square(m.to() > m.from() ? 6 : 2, engine::rank_of(m.to()))
               : m.to();
}

// No pawn of theirs stands in front of `s` on this file or those beside it.
bool is_passed(const engine::Position& pos, Square s) {
    const Color us = pos.side_to_move();
    const int rank = engine::rank_of(s);
    const Bitboard files = engine::file_bb(engine::file_of(s)) |
                           (engine::file_of(s) > 0 ? engine::file_bb(engine::file_of(s) - 1) : 0) |
                           (engine::file_of(s) < 7 ? engine::file_bb(engine::file_of(s) + 1) : 0);
    const Bitboard front = us == engine::White ? (rank == 7 ? 0 : ~Bitboard{0} << (8 * (rank + 1)))
                                               : engine::bit(8 * rank) - 1;
    return (files & front & pos.pieces(~us, engine::Pawn)) == 0;
}

// Roughly whether the move loses nothing on its target square.
bool is_safe(const engine::Position& pos, const Attacks& attacks, Move m, PieceType t, Square to) {
    if (Values[pos.captured(m)] >= Values[t])
        return true;
    const Bitboard from = engine::bit(m.from());
    const Bitboard all = pos.attackers_to(to, pos.pieces() ^ from);
    const int theirs = engine::popcount(all & pos.pieces(~pos.side_to_move()));
    const int ours = engine::popcount(all & pos.pieces(pos.side_to_move()) & ~from);
    return theirs == 0 || ((attacks.lesser[t] & engine::bit(to)) == 0 && theirs <= ours);
}

std::array<std::uint16_t, 7> traits_of(const engine::Position& pos,
                                       const Attacks& attacks,
                                       const engine::Checks& checks,
                                       const EarlierMoves& earlier,
                                       Move m) {
    const Color us = pos.side_to_move();
    const PieceType t = engine::type_of(pos.piece_on(m.from()));
    const Square to = target(m);
    const int promoted = m.kind() == MoveKind::Promotion ? m.promoted() : 0;
    const int safe = is_safe(pos, attacks, m, t, to) ? 1 : 0;
    const int gives_check = checks.by(pos, m) ? 1 : 0;
    const int relation = (earlier.theirs && to == earlier.theirs.to() ? 1 : 0) +
                         (earlier.ours && m.from() == earlier.ours.to() ? 2 : 0) +
                         (earlier.ours && to == earlier.ours.from() ? 4 : 0);
    const int pawn = t != engine::Pawn
                         ? PawnSize - 1
                         : (is_passed(pos, to) ? 8 : 0) + engine::relative_rank(us, to);
    const auto index = [](int at) { return static_cast<std::uint16_t>(at); };
    return {index(t * 64 + engine::relative(us, to)),
            index(From + t * 64 + engine::relative(us, m.from())),
            index(Capture + ((pos.captured(m) * 5 + promoted) * 2 + safe) * 6 + t),
            index(Threat + (t * 4 + attacks.threat(t, m.from())) * 4 + attacks.threat(t, to)),
            index(Check + 2 * gives_check + safe),
            index(Relation + relation),
            index(Pawn + pawn)};
}

}  // namespace

MoveRanking::MoveRanking() : weights_(AllWeights) {}

const std::vector<RankedMove>& MoveRanking::rank(const engine::Position& pos,
                                                 const EarlierMoves& earlier) {
    const Attacks attacks(pos);
    const engine::Checks checks(pos);
    ranked_.clear();
    for (const Move m : engine::legal_moves(pos)) {
        RankedMove& ranked = ranked_.emplace_back();
        ranked.move = m;
        ranked.traits = traits_of(pos, attacks, checks, earlier, m);
        for (const std::uint16_t trait : ranked.traits)
            ranked.score += weights_[trait];
    }
    // Independent of the order in which the moves are generated.
    std::sort(ranked_.begin(), ranked_.end(), [](const RankedMove& a, const RankedMove& b) {
        return a.score != b.score ? a.score > b.score : a.move.raw() < b.move.raw();
    });
    return ranked_;
}

void MoveRanking::learn(const RankedMove& ranked, bool played) {
    const int chance = std::clamp(32'768 + ranked.score / 8, 100, 65'400);
    const int step = ((played ? 65'536 : 0) - chance) * 3 / 128;
    for (const std::uint16_t trait : ranked.traits)
        weights_[trait] += step;
}

}  // namespace tools::datagen

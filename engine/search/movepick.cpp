#include "engine/search/movepick.h"

#include "engine/board/attacks.h"
#include "engine/board/see.h"
#include "engine/search/params.h"

#include <utility>

namespace engine {
namespace {

Bitboard attacked_by(const Position& pos, Color by, PieceType type) {
    Bitboard all = 0;
    for (Bitboard left = pos.pieces(by, type); left != 0;)
        all |= attacks(type, pop_lowest(left), pos.pieces());
    return all;
}

// For each type of piece the squares where it is threatened by a lesser piece of `by`.
std::array<Bitboard, 8> threatened_squares(const Position& pos, Color by) {
    const Bitboard pawn = by == White ? pawn_attacks<White>(pos.pieces(White, Pawn))
                                      : pawn_attacks<Black>(pos.pieces(Black, Pawn));
    const Bitboard minor = pawn | attacked_by(pos, by, Knight) | attacked_by(pos, by, Bishop);
    std::array<Bitboard, 8> squares{};
    squares[Knight] = squares[Bishop] = pawn;
    squares[Rook] = minor;
    squares[Queen] = minor | attacked_by(pos, by, Rook);
    return squares;
}

}  // namespace

MovePicker::MovePicker(const Position& pos,
                       Histories& histories,
                       const ContinuationHistory& continuation,
                       Move tt_move,
                       Move killer)
    : pos_(pos), histories_(histories), continuation_(&continuation),
      tt_move_(tt_move && pos.is_legal(tt_move) ? tt_move : NoMove), kind_(Kind::Main) {
    if (killer != tt_move_ && killer && pos.is_legal(killer) && !is_noisy(pos, killer))
        killer_ = killer;
}

MovePicker::MovePicker(const Position& pos,
                       Histories& histories,
                       const ContinuationHistory& continuation,
                       Move tt_move)
    : pos_(pos), histories_(histories), continuation_(&continuation),
      kind_(pos.in_check() ? Kind::Evasions : Kind::Captures) {
    const bool fits = kind_ == Kind::Evasions || (tt_move && is_noisy(pos, tt_move));
    tt_move_ = tt_move && fits && pos.is_legal(tt_move) ? tt_move : NoMove;
}

MovePicker::MovePicker(const Position& pos, Histories& histories, Move tt_move, int threshold)
    : pos_(pos), histories_(histories), kind_(Kind::ProbCut), threshold_(threshold) {
    const bool fits = tt_move && is_noisy(pos, tt_move) && pos.is_legal(tt_move) &&
                      see_ge(pos, tt_move, threshold);
    tt_move_ = fits ? tt_move : NoMove;
}

bool MovePicker::is_good(Scored s) const {
    if (kind_ == Kind::ProbCut)
        return see_ge(pos_, move_of(s), threshold_);
    return kind_ != Kind::Main ||
           see_ge(pos_, move_of(s), -score_of(s) / params::GoodCaptureDivisor());
}

void MovePicker::generate_captures() {
    MoveList list;
    generate<Moves::Captures>(pos_, list);
    for (const Move m : list) {
        if (m == tt_move_)
            continue;
        int score =
            params::CaptureValue() * SeeValue[pos_.captured(m)] + histories_.capture_of(pos_, m);
        if (m.kind() == MoveKind::Promotion)
            score +=
                m.promoted() == Queen ? params::QueenPromotion() : params::CaptureUnderpromotion();
        moves_[end_++] = scored(m, score);
    }
    captures_ = end_;
}

void MovePicker::generate_quiets() {
    MoveList list;
    generate<Moves::Quiets>(pos_, list);
    const Color us = pos_.side_to_move();
    const std::array<Bitboard, 8> threatened = threatened_squares(pos_, ~us);
    const Checks& checks = this->checks();
    // By piece type: for leaving a square threatened by a lesser piece; entering one costs as much.
    const std::array<int, 8> threat_bonus{0,
                                          params::ThreatMinor(),
                                          params::ThreatMinor(),
                                          params::ThreatRook(),
                                          params::ThreatQueen()};
    const PieceTo& pawn_history = histories_.pawn_of(pos_);
    for (const Move m : list) {
        if (m == tt_move_ || m == killer_)
            continue;
        const Piece p = pos_.piece_on(m.from());
        const PieceType type = type_of(p);
        int score =
            histories_.butterfly_of(us, m) + continuation_->of(p, m.to()) + pawn_history[p][m.to()];
        score += threat_bonus[type] * (static_cast<int>(threatened[type] >> m.from() & 1) -
                                       static_cast<int>(threatened[type] >> m.to() & 1));
        if ((checks.squares(type) & bit(m.to())) != 0 && see_ge(pos_, m, params::CheckSee()))
            score += params::CheckBonus();
        if (m.kind() == MoveKind::Promotion)
            score += params::QuietUnderpromotion();
        moves_[end_++] = scored(m, score);
    }
}

Move MovePicker::select_best(std::size_t end) {
    std::size_t best = at_;
    for (std::size_t i = at_ + 1; i < end; ++i)
        if (moves_[i] > moves_[best])
            best = i;
    std::swap(moves_[at_], moves_[best]);
    return move_of(moves_[at_++]);
}

Move MovePicker::next() {
    switch (stage_) {
    case Stage::TtMove:
        stage_ = Stage::GenerateCaptures;
        if (tt_move_)
            return tt_move_;
        [[fallthrough]];
    case Stage::GenerateCaptures:
        generate_captures();
        stage_ = Stage::GoodCaptures;
        [[fallthrough]];
    case Stage::GoodCaptures:
        while (at_ < captures_) {
            const Move m = select_best(captures_);
            if (is_good(moves_[at_ - 1]))
                return m;
            moves_[bad_++] = moves_[at_ - 1];
        }
        stage_ = Stage::Killer;
        if (kind_ == Kind::Captures || kind_ == Kind::ProbCut) {
            stage_ = Stage::Done;
            return NoMove;
        }
        [[fallthrough]];
    case Stage::Killer:
        stage_ = Stage::GenerateQuiets;
        if (killer_ && !skip_quiets_)
            return killer_;
        [[fallthrough]];
    case Stage::GenerateQuiets:
        if (!skip_quiets_)
            generate_quiets();
        stage_ = Stage::Quiets;
        [[fallthrough]];
    case Stage::Quiets:
        if (!skip_quiets_ && at_ < end_)
            return select_best(end_);
        stage_ = Stage::BadCaptures;
        at_ = 0;
        [[fallthrough]];
    case Stage::BadCaptures:
        if (at_ < bad_)
            return move_of(moves_[at_++]);
        stage_ = Stage::Done;
        [[fallthrough]];
    case Stage::Done:
        return NoMove;
    }
    return NoMove;
}

}  // namespace engine

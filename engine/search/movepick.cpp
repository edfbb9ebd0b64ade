#include "engine/search/movepick.h"

#include "engine/board/see.h"
#include "engine/search/params.h"

#include <algorithm>

namespace engine {

MovePicker::MovePicker(const Position& pos,
                       Histories& histories,
                       const ContinuationHistory& continuation,
                       const Threats& threats,
                       Move tt_move,
                       Move killer,
                       int ply)
    : pos_(pos), histories_(histories), continuation_(&continuation),
      tt_move_(tt_move && pos.is_legal(tt_move) ? tt_move : NoMove), kind_(Kind::Main), ply_(ply),
      threats_(threats) {
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

bool MovePicker::is_good(Move m, int score) const {
    if (kind_ == Kind::ProbCut)
        return see_ge(pos_, m, threshold_);
    return kind_ != Kind::Main || see_ge(pos_, m, -score / params::GoodCaptureDivisor());
}

void MovePicker::score_captures() {
    generate<Moves::Captures>(pos_, moves_);
    captures_ = moves_.size();
    for (std::size_t i = 0; i < captures_; ++i) {
        const Move m = moves_[i];
        int score =
            params::CaptureValue() * SeeValue[pos_.captured(m)] + histories_.capture_of(pos_, m);
        if (m.kind() == MoveKind::Promotion)
            score +=
                m.promoted() == Queen ? params::QueenPromotion() : params::CaptureUnderpromotion();
        set_score(i, score);
        if (m == tt_move_)
            keys_[i] = Returned;
    }
}

void MovePicker::score_quiets() {
    generate<Moves::Quiets>(pos_, moves_);
    const Color us = pos_.side_to_move();
    if (kind_ == Kind::Evasions)
        threats_ = Threats(pos_, ~us);
    // By piece type: where it is threatened by a lesser piece.
    const std::array<Bitboard, 8> threatened{
        0, threats_.by_pawn, threats_.by_pawn, threats_.by_minor, threats_.by_rook};
    const Checks& checks = this->checks();
    // For leaving such a square; entering one costs as much.
    const std::array<int, 8> threat_bonus{0,
                                          params::ThreatMinor(),
                                          params::ThreatMinor(),
                                          params::ThreatRook(),
                                          params::ThreatQueen()};
    const PieceTo& pawn_history = histories_.pawn_of(pos_);
    for (std::size_t i = captures_; i < moves_.size(); ++i) {
        const Move m = moves_[i];
        if (m == tt_move_ || m == killer_) {
            keys_[i] = Returned;
            continue;
        }
        const Piece p = pos_.piece_on(m.from());
        const PieceType type = type_of(p);
        int score = histories_.quiet_of(us, m, threats_.all) + continuation_->of(p, m.to()) +
                    pawn_history[p][m.to()];
        score += threat_bonus[type] * (static_cast<int>(threatened[type] >> m.from() & 1) -
                                       static_cast<int>(threatened[type] >> m.to() & 1));
        if ((checks.squares(type) & bit(m.to())) != 0 && see_ge(pos_, m, params::CheckSee()))
            score += params::CheckBonus();
        if (ply_ < Histories::LowPlies)
            score += params::LowPlyHistory() *
                     histories_.low_ply[static_cast<std::size_t>(ply_)][m.from()][m.to()] /
                     (1 + ply_);
        if (m.kind() == MoveKind::Promotion)
            score += params::QuietUnderpromotion();
        set_score(i, score);
    }
}

MovePicker::SortKey MovePicker::select_best(std::size_t begin, std::size_t end) {
    SortKey best = Returned;
    for (std::size_t i = begin; i < end; ++i)
        best = std::max(best, keys_[i]);
    if (best != Returned)
        keys_[index_of(best)] = Returned;
    return best;
}

Move MovePicker::next() {
    switch (stage_) {
    case Stage::TtMove:
        stage_ = Stage::GenerateCaptures;
        if (tt_move_)
            return tt_move_;
        [[fallthrough]];
    case Stage::GenerateCaptures:
        score_captures();
        stage_ = Stage::GoodCaptures;
        [[fallthrough]];
    case Stage::GoodCaptures:
        for (SortKey key = 0; (key = select_best(0, captures_)) != Returned;) {
            const Move m = moves_[index_of(key)];
            if (is_good(m, score_of(key)))
                return m;
            bad_captures_[bad_++] = static_cast<std::uint8_t>(index_of(key));
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
            score_quiets();
        stage_ = Stage::Quiets;
        [[fallthrough]];
    case Stage::Quiets:
        if (!skip_quiets_)
            if (const SortKey key = select_best(captures_, moves_.size()); key != Returned)
                return moves_[index_of(key)];
        stage_ = Stage::BadCaptures;
        [[fallthrough]];
    case Stage::BadCaptures:
        if (bad_given_ < bad_)
            return moves_[bad_captures_[bad_given_++]];
        stage_ = Stage::Done;
        [[fallthrough]];
    case Stage::Done:
        return NoMove;
    }
    return NoMove;
}

}  // namespace engine

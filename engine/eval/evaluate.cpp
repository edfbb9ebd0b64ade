#include "engine/eval/evaluate.h"

#include "engine/eval/classical.h"
#include "engine/eval/endings.h"

#include <algorithm>

namespace engine {
namespace {

// Interpolates between middlegame and endgame by the phase; for White.
Score interpolate(const Position& pos, const classical::Terms& terms) {
    const int phase = std::min(terms.phase, classical::FullPhase);
    const Tapered total = terms.total();
    const int scaled_endgame =
        endgame(total) * winning_scale(pos, endgame(total) >= 0 ? White : Black) / FullScale;
    return (middlegame(total) * phase + scaled_endgame * (classical::FullPhase - phase)) /
           classical::FullPhase;
}

// The network's score, for the side to move.
Score scaled(const Position& pos, Score score) {
    if (popcount(pos.pieces()) > FewMen)
        return score;
    const Color ahead = score >= 0 ? pos.side_to_move() : ~pos.side_to_move();
    return score * drawish_scale(pos, ahead) / FullScale;
}

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const Network> net) : net_(std::move(net)) {
    if (net_)
        accumulators_ = std::make_unique<AccumulatorStack>(*net_);
    else
        pawns_ = std::make_unique<PawnTable>();
}

Score Evaluator::evaluate(const Position& pos) {
    Score white = 0;
    const auto known = bare_king_score(pos);
    if (known == Draw)
        return Draw;
    if (known)
        white = *known;
    else if (accumulators_)
        return scaled(pos, accumulators_->evaluate(pos));
    else
        white = interpolate(pos, classical::evaluate(pos, *pawns_));
    const Score score = (pos.side_to_move() == White ? white : -white) + W.tempo;
    return std::clamp(score, -KnownWin + 1, KnownWin - 1);
}

}  // namespace engine

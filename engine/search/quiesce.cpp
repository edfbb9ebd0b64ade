// Quiescence: captures until the position is calm enough for the static evaluation.
#include "engine/board/see.h"
#include "engine/search/params.h"
#include "engine/search/worker.h"

namespace engine {

// Fail-soft like search(). In check every evasion is tried, until one quiet move holds.
template <bool pv>
Score Worker::quiesce(int ply, Score alpha, Score beta) {
    line_length_[static_cast<std::size_t>(ply)] = 0;
    if (stopped())
        return 0;
    seldepth_ = std::max(seldepth_, ply + 1);
    if (is_draw(ply))
        return draw_score();
    const bool in_check = pos_.in_check();
    if (ply >= MaxPly - 1)
        return in_check ? Draw : corrected(evaluator_.evaluate(pos_));

    // Step 1. The transposition table.
    const TtEntry tt = tt_.probe(pos_.key(), ply);
    const bool was_pv = pv || (tt.found && tt.pv);
    if (!pv && tt.bound != Bound::None &&
        (tt.bound == Bound::Exact || (tt.bound == Bound::Lower) == (tt.score >= beta)))
        return tt.score;

    // Step 2. Stand pat: the side to move need not capture.
    Score raw = NoScore, best = -Infinite, futile = -Infinite;
    if (!in_check) {
        raw = tt.found && tt.eval != NoScore ? tt.eval : evaluator_.evaluate(pos_);
        best = corrected(raw);
        futile = best + params::QuiesceMargin();
        if (tt.bound != Bound::None && std::abs(tt.score) < KnownWin &&
            (tt.bound == Bound::Exact || (tt.bound == Bound::Lower) == (tt.score > best)))
            best = tt.score;
        if (best >= beta) {
            if (!tt.found)
                tt_.store(pos_.key(), ply, {.pv = was_pv, .eval = raw});
            return std::abs(best) < KnownWin ? (best + beta) / 2 : best;
        }
        alpha = std::max(alpha, best);
    }

    // Step 3. The captures, or all evasions.
    const QuietContext quiets = context(ply);
    MovePicker picker(pos_, *histories_, quiets, tt.move);
    Move best_move = NoMove;
    int count = 0;
    while (const Move m = picker.next()) {
        ++count;
        const bool quiet = !is_tactical(pos_, m);
        if (best > -KnownWin) {
            if (in_check && quiet && count > 1)
                break;
            if (!in_check && m.kind() != MoveKind::Promotion) {
                const Score hope = futile + SeeValue[pos_.captured(m)];
                if (hope <= alpha) {
                    best = std::max(best, hope);
                    continue;
                }
            }
            if (!see_at_least(pos_, m, params::QuiesceSee()))
                continue;
        }
        Undo undo;
        make(ply, m, undo);
        const Score score = -quiesce<pv>(ply + 1, -beta, -alpha);
        unmake(m, undo);
        if (stopped())
            return 0;
        if (score <= best)
            continue;
        best = score;
        if (score <= alpha)
            continue;
        best_move = m;
        if constexpr (pv)
            extend_line(ply, m);
        if (score >= beta)
            break;
        alpha = score;
    }
    if (in_check && count == 0)
        return mated_in(ply);
    if (best >= beta && std::abs(best) < KnownWin)
        best = (best + beta) / 2;
    tt_.store(pos_.key(),
              ply,
              {.pv = was_pv,
               .bound = best >= beta ? Bound::Lower : Bound::Upper,
               .depth = 0,
               .score = best,
               .eval = raw,
               .move = best_move});
    return best;
}

template Score Worker::quiesce<true>(int, Score, Score);
template Score Worker::quiesce<false>(int, Score, Score);

}  // namespace engine

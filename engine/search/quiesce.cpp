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
        return in_check ? Draw : corrected(ply, evaluator_.evaluate(pos_));

    // Step 1. The transposition table.
    Calm c{alpha, beta, NoScore, -Infinite, tt_.probe(pos_.key(), ply), {}};
    const bool was_pv = pv || (c.tt.found && c.tt.pv);
    if (!pv && c.tt.decides(beta))
        return c.tt.score;

    // Step 2. Stand pat: the side to move need not capture.
    if (!in_check && stand_pat(ply, c)) {
        if (!c.tt.found)
            tt_.store(pos_.key(), ply, {.pv = was_pv, .eval = c.raw});
        return std::abs(c.found.best) < KnownWin ? (c.found.best + beta) / 2 : c.found.best;
    }

    // Step 3. The captures, or all evasions.
    const bool any = try_captures<pv>(ply, c);
    if (stopped())
        return 0;
    if (in_check && !any)
        return mated_in(ply);
    Score best = c.found.best;
    if (best >= beta && std::abs(best) < KnownWin)
        best = (best + beta) / 2;
    tt_.store(pos_.key(),
              ply,
              {.pv = was_pv,
               .bound = best >= beta ? Bound::Lower : Bound::Upper,
               .depth = 0,
               .score = best,
               .eval = c.raw,
               .move = c.found.move});
    return best;
}

// The score without a move; true if it reaches beta.
bool Worker::stand_pat(int ply, Calm& c) {
    c.raw = c.tt.found && c.tt.eval != NoScore ? c.tt.eval : evaluator_.evaluate(pos_);
    const Score eval = corrected(ply, c.raw);
    c.futile = eval + params::QuiesceMargin();
    c.found.best = c.tt.sharpen(eval);
    c.alpha = std::max(c.alpha, c.found.best);
    return c.found.best >= c.beta;
}

// False if there was no move to try.
template <bool pv>
bool Worker::try_captures(int ply, Calm& c) {
    const bool in_check = pos_.in_check();
    const QuietContext quiets = context(ply);
    MovePicker picker(pos_, *histories_, quiets, c.tt.move);
    Score& best = c.found.best;
    int count = 0;
    while (const Move m = picker.next()) {
        ++count;
        if (best > -KnownWin) {
            if (in_check && count > 1 && !is_tactical(pos_, m))
                break;
            if (!in_check && m.kind() != MoveKind::Promotion) {
                const Score hope = c.futile + SeeValue[pos_.captured(m)];
                if (hope <= c.alpha) {
                    best = std::max(best, hope);
                    continue;
                }
            }
            if (!see_ge(pos_, m, params::QuiesceSee()))
                continue;
        }
        Undo undo;
        make(ply, m, undo);
        const Score score = -quiesce<pv>(ply + 1, -c.beta, -c.alpha);
        unmake(m, undo);
        if (stopped() || take<pv>(ply, m, score, c.alpha, c.beta, c.found))
            break;
    }
    return count > 0;
}

template Score Worker::quiesce<true>(int, Score, Score);
template Score Worker::quiesce<false>(int, Score, Score);

}  // namespace engine

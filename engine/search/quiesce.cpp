// One node of the quiescence search: captures, or evasions in check, until the position is quiet
// enough for the static evaluation. Steps 19 to 25 of the list in search.cpp.
#include "engine/board/see.h"
#include "engine/search/params.h"
#include "engine/search/worker.h"

namespace engine {

// Fail-soft like search().
template <bool pv>
Score Worker::quiesce(int ply, Score alpha, Score beta) {
    pv_length_[static_cast<std::size_t>(ply)] = 0;
    if (stopped())
        return 0;
    seldepth_ = std::max(seldepth_, ply + 1);
    if (is_draw(ply))
        return draw_score();
    alpha = raised_by_repetition(ply, alpha);
    if (alpha >= beta)
        return alpha;
    const bool in_check = pos_.in_check();
    if (ply >= MaxPly - 1)
        return in_check ? Draw : corrected_eval(ply, evaluate());

    // Step 19. Transposition table cutoff.
    QNodeState s{
        alpha, beta, NoScore, -Infinite, tt_.probe(pos_.key(), ply, pos_.halfmove_clock()), {}};
    const bool tt_pv = pv || (s.tt.found && s.tt.pv);
    if (!pv && s.tt.allows_cutoff(beta) && !near_move_rule())
        return s.tt.score;

    // Step 20. Stand pat: the side to move need not capture, so the static evaluation is a lower
    // bound. Here and in step 25 a score above beta is averaged with beta.
    if (!in_check && stand_pat(ply, s)) {
        if (!s.tt.found)
            tt_.store(pos_.key(), ply, {.pv = tt_pv, .eval = s.raw_eval});
        return std::abs(s.best.score) < KnownWin ? (s.best.score + beta) / 2 : s.best.score;
    }

    const bool any_move = search_captures<pv>(ply, s);
    if (stopped())
        return 0;
    if (in_check && !any_move)
        return mated_in(ply);

    // Step 25. Transposition table store.
    Score best = s.best.score;
    if (best >= beta && std::abs(best) < KnownWin)
        best = (best + beta) / 2;
    tt_.store(pos_.key(),
              ply,
              {.pv = tt_pv,
               .bound = best >= beta ? Bound::Lower : Bound::Upper,
               .depth = 0,
               .score = best,
               .eval = s.raw_eval,
               .move = s.best.move});
    return best;
}

// Sets the static evaluation as the best score so far; true if it reaches beta.
bool Worker::stand_pat(int ply, QNodeState& s) {
    s.raw_eval = s.tt.found && s.tt.eval != NoScore ? s.tt.eval : evaluate();
    const Score static_eval = corrected_eval(ply, s.raw_eval);
    s.futility_base = static_eval + params::QuiesceMargin();
    s.best.score = s.tt.refine(static_eval);
    s.alpha = std::max(s.alpha, s.best.score);
    return s.best.score >= s.beta;
}

// Searches the captures, or all evasions in check. False if there was no move to try.
template <bool pv>
bool Worker::search_captures(int ply, QNodeState& s) {
    const bool in_check = pos_.in_check();
    const ContinuationHistory continuation = continuation_history(ply);
    MovePicker picker(pos_, *histories_, continuation, s.tt.move);
    Score& best = s.best.score;
    int move_count = 0;
    const Move last_move = frame(ply - 1).move;
    const Square last_square = last_move ? last_move.to() : NoSquare;
    while (const Move m = picker.next()) {
        if (overlooks(ply, m))
            continue;
        ++move_count;
        if (best > -KnownWin) {
            // Step 21. Evasions: once one of them avoids the mate, the later quiet ones are
            // skipped.
            if (in_check && move_count > 1 && !is_noisy(pos_, m))
                break;
            // Step 22. After two captures only recaptures, promotions and checks are searched.
            if (!in_check && move_count > 2 && m.kind() != MoveKind::Promotion &&
                m.to() != last_square && !picker.gives_check(m))
                continue;
            // Step 23. Delta pruning: even winning the captured piece for nothing leaves us below
            // alpha.
            if (!in_check && m.kind() != MoveKind::Promotion) {
                const Score optimistic = s.futility_base + SeeValue[pos_.captured(m)];
                if (optimistic <= s.alpha) {
                    best = std::max(best, optimistic);
                    continue;
                }
            }
            // Step 24. SEE pruning: skip moves that lose material.
            if (!see_ge(pos_, m, params::QuiesceSee()))
                continue;
        }
        tt_.prefetch(pos_.key_after(m));
        Undo undo;
        make(ply, m, undo);
        const Score score = -quiesce<pv>(ply + 1, -s.beta, -s.alpha);
        unmake(m, undo);
        if (stopped() || update_best<pv>(ply, m, score, s.alpha, s.beta, s.best))
            break;
    }
    return move_count > 0;
}

template Score Worker::quiesce<true>(int, Score, Score);
template Score Worker::quiesce<false>(int, Score, Score);

}  // namespace engine

// One node of the main search: fail-soft principal variation search (PVS). Its steps, in the order
// of the code:
//    1 draws, upcoming repetition, mate distance pruning
//    2 transposition table cutoff, endgame tables
//    3 static evaluation                  4 hindsight extension and reduction
//    5 reverse futility pruning           6 razoring
//    7 null move pruning, verification    8 ProbCut
//    9 internal iterative reduction      10 the move loop
//   11 pruning at shallow depth: late move pruning, futility pruning, static exchange evaluation
//      (SEE) pruning, history pruning
//   12 singular extension, multi-cut, negative extension
//   13 late move reductions              14 principal variation search
//   15 best move, beta cutoff            16 checkmate and stalemate
//   17 history updates                   18 transposition table store, correction history
//   19 to 25 the quiescence search in quiesce.cpp: stand pat, late captures, delta pruning,
//      SEE pruning
#include "engine/board/see.h"
#include "engine/search/params.h"
#include "engine/search/reductions.h"
#include "engine/search/worker.h"

namespace engine {

using namespace params;

// Fail-soft negamax. Returns a bound on the position's score: <= alpha an upper, >= beta a lower.
// `cut_node`: a zero-window node that is expected to fail high.
template <Worker::Node node>
Score Worker::search(int ply, Score alpha, Score beta, int depth, bool cut_node) {
    const bool root = node == Node::Root;
    const bool pv = node != Node::Other;
    assert(-Infinite <= alpha && alpha < beta && beta <= Infinite);
    assert(pv || alpha == beta - 1);
    if (depth <= 0)
        return quiesce<pv>(ply, alpha, beta);

    pv_length_[static_cast<std::size_t>(ply)] = 0;
    if (stopped())
        return 0;
    seldepth_ = std::max(seldepth_, ply + 1);

    // Step 1. Draws, maximum ply, upcoming repetition, and mate distance pruning: give up if even a
    // mate on the next move would not be shorter than one already found.
    if constexpr (!root) {
        if (is_draw(ply))
            return draw_score();
        if (ply >= MaxPly - 1)
            return pos_.in_check() ? Draw : corrected_eval(ply, evaluate());
        alpha = std::max(raised_by_repetition(ply, alpha), mated_in(ply));
        beta = std::min(beta, mate_in(ply + 1));
        if (alpha >= beta)
            return alpha;
    }

    // Step 2. Transposition table cutoff. A singular search has no table entry of its own.
    Frame& f = frame(ply);
    const bool in_singular_search = static_cast<bool>(f.excluded_move);
    frame(ply + 1).double_extensions = f.double_extensions;
    frame(ply + 2).killer = NoMove;
    frame(ply + 2).cutoff_count = 0;
    NodeState s{alpha, beta, NoScore, NoScore, depth, false, cut_node};
    if (!in_singular_search) {
        s.tt = tt_.probe(pos_.key(), ply, pos_.halfmove_clock());
        f.tt_pv = pv || (s.tt.found && s.tt.pv);
    }
    if constexpr (root)
        s.tt.move = root_moves_[line_].move;
    if ((!pv && tt_cutoff(ply, s)) || (!root && table_cutoff(ply, s)))
        return s.tt.score;

    // Steps 3 to 8.
    set_static_eval(ply, s);
    if constexpr (!root)
        hindsight_depth(ply, s);
    if (!pv && !in_singular_search && !pos_.in_check() && std::abs(beta) < KnownWin)
        if (const auto score = prune_node(ply, s))
            return *score;
    if (stopped())
        return 0;

    // Step 9. Internal iterative reduction (IIR): without a table move the move order is poor, so
    // search less deep now; the next iteration will have a table move.
    if (s.depth >= IirDepth() && !s.tt.move && !in_singular_search && cut_node)
        --s.depth;

    return search_moves<node>(ply, s);
}

// Step 2. True if the table's score can be returned. A quiet move that caused it gets its history
// bonus again.
bool Worker::tt_cutoff(int ply, const NodeState& s) {
    if (!s.tt.allows_cutoff(s.beta) || s.tt.depth < s.depth + (s.tt.score > s.beta) ||
        near_move_rule())
        return false;
    if (s.tt.score >= s.beta && s.tt.move && pos_.is_legal(s.tt.move) &&
        !is_noisy(pos_, s.tt.move)) {
        frame(ply).attacked = Threats(pos_, ~pos_.side_to_move()).all;
        update_histories(ply, s, s.tt.move, {});
        // The opponent's last move, one of the first tried, gets a malus.
        const Frame& before = frame(ply - 1);
        if (before.move && !before.noisy && before.move_count <= 3)
            update_continuation_histories(
                ply - 1, before.piece, before.move.to(), -history_malus(s.depth + 1));
    }
    return true;
}

// Step 3. Static evaluation: from the table if known, adjusted by the correction history and then
// by the table's score. `improving`: better than at our last move that was not in check, or enough
// for a beta cutoff.
void Worker::set_static_eval(int ply, NodeState& s) {
    Frame& f = frame(ply);
    if (pos_.in_check()) {
        f.static_eval = NoScore;
        return;
    }
    if (!f.excluded_move) {
        const bool known = s.tt.found && s.tt.eval != NoScore;
        s.raw_eval = known ? s.tt.eval : evaluate();
        s.correction = correction_history_->correction(pos_, last_two_moves(ply));
        f.static_eval = with_correction(s.raw_eval, s.correction);
        if (!s.tt.found)
            tt_.store(pos_.key(), ply, {.pv = f.tt_pv, .eval = s.raw_eval});
        reward_evaluation_gain(ply);
    }
    s.eval = s.tt.refine(f.static_eval);

    const Score before = frame(ply - 2).static_eval != NoScore ? frame(ply - 2).static_eval
                                                               : frame(ply - 4).static_eval;
    s.improving = before == NoScore || f.static_eval > before || f.static_eval >= s.beta;
}

// Step 4. Hindsight extension and reduction: the last move was reduced as a bad one. If the static
// evaluation is no worse for its side than before, search deeper; if it is much worse, less deep.
void Worker::hindsight_depth(int ply, NodeState& s) {
    Frame& before = frame(ply - 1);
    const Frame& f = frame(ply);
    if (pos_.in_check() || f.excluded_move || before.static_eval == NoScore)
        return;
    const int reduction = std::exchange(before.reduction, 0);
    if (reduction >= 3 && f.static_eval <= -before.static_eval)
        ++s.depth;
    else if (reduction >= 2 && s.depth >= 2 &&
             f.static_eval + before.static_eval > HindsightMargin())
        --s.depth;
}

// Steps 5 to 8. The score to return if the node need not be searched.
std::optional<Score> Worker::prune_node(int ply, const NodeState& s) {
    // Step 5. Reverse futility pruning (static null move): the evaluation is so far above beta that
    // the opponent will not bring it below. A large correction makes it less certain. Not where the
    // score was once exact: such nodes may belong to the PV again.
    if (!frame(ply).tt_pv && s.depth <= RfpDepth() && s.eval < KnownWin &&
        s.eval - RfpMargin() * (s.depth - s.improving) - std::abs(s.correction) / 2 >= s.beta)
        return (s.eval + s.beta) / 2;

    // Step 6. Razoring: the evaluation is so far below alpha that only captures can help, so the
    // quiescence search decides.
    if (s.depth <= RazorDepth() && s.eval + RazorMargin() * s.depth * s.depth < s.alpha) {
        const Score score = quiesce<false>(ply, s.alpha, s.beta);
        if (score <= s.alpha)
            return score;
    }
    if (const auto score = null_move_pruning(ply, s))
        return score;
    return stopped() ? std::optional<Score>(0) : probcut(ply, s);
}

// Step 7. Null move pruning: if we reach beta even though the opponent moves twice in a row, our
// best move will reach it too. Only where a beta cutoff is expected.
std::optional<Score> Worker::null_move_pruning(int ply, const NodeState& s) {
    const Frame& f = frame(ply);
    if (s.depth < 2 || !s.cut_node || !frame(ply - 1).move || ply < null_from_ply_ ||
        s.eval < s.beta ||
        f.static_eval < s.beta + NullStaticMargin() - NullStaticSlope() * s.depth ||
        !pos_.has_nonpawn(pos_.side_to_move()))
        return {};

    const int reduced_depth = s.depth - NullBase() - s.depth / NullDepthDivisor() -
                              std::min((s.eval - s.beta) / NullEvalDivisor(), NullEvalMax());
    Undo undo;
    make_null(ply, undo);
    Score score = -search<Node::Other>(ply + 1, -s.beta, -s.beta + 1, reduced_depth, false);
    unmake_null(undo);
    if (stopped() || score < s.beta)
        return {};
    if (is_proved(score))
        score = s.beta;  // not after a null move
    if (s.depth < NullVerifyDepth() || null_from_ply_ > 0)
        return score;

    // Verification search: in zugzwang the null move is the best move, so at high depth the cutoff
    // must hold without null moves too.
    null_from_ply_ = ply + 3 * std::max(reduced_depth, 1) / 4 + 1;
    const Score verified =
        search<Node::Other>(ply, s.beta - 1, s.beta, std::max(reduced_depth, 1), false);
    null_from_ply_ = 0;
    if (verified >= s.beta && !stopped())
        return score;
    return {};
}

// Step 8. ProbCut: if a good capture beats beta by a margin in a search of reduced depth, it will
// very probably beat beta in a full one.
std::optional<Score> Worker::probcut(int ply, const NodeState& s) {
    const Score raised_beta = s.beta + ProbCutMargin();
    if (s.depth < ProbCutDepth() ||
        (s.tt.bound != Bound::None && s.tt.depth >= s.depth - 3 && s.tt.score < raised_beta))
        return {};

    const int threshold = std::max(raised_beta - frame(ply).static_eval, 0);
    MovePicker picker(pos_, *histories_, s.tt.move, threshold);
    while (const Move m = picker.next()) {
        if (overlooks(ply, m))
            continue;
        tt_.prefetch(pos_.key_after(m));
        Undo undo;
        make(ply, m, undo);
        Score score = -quiesce<false>(ply + 1, -raised_beta, -raised_beta + 1);
        if (score >= raised_beta && s.depth > ProbCutReduction())
            score = -search<Node::Other>(
                ply + 1, -raised_beta, -raised_beta + 1, s.depth - ProbCutReduction(), !s.cut_node);
        unmake(m, undo);
        if (stopped())
            return {};
        if (score >= raised_beta) {
            tt_.store(pos_.key(),
                      ply,
                      {.pv = frame(ply).tt_pv,
                       .bound = Bound::Lower,
                       .depth = std::max(s.depth - ProbCutReduction() + 1, 0),
                       .score = score,
                       .eval = s.raw_eval,
                       .move = m});
            return score;
        }
    }
    return {};
}

// Steps 10 to 18.
template <Worker::Node node>
Score Worker::search_moves(int ply, NodeState& s) {
    const bool root = node == Node::Root;
    const bool pv = node != Node::Other;
    Frame& f = frame(ply);
    const bool in_singular_search = static_cast<bool>(f.excluded_move);
    const Score old_alpha = s.alpha;
    const ContinuationHistory continuation = continuation_history(ply);
    const Threats threats(pos_, ~pos_.side_to_move());
    f.attacked = threats.all;
    MovePicker picker(pos_, *histories_, continuation, threats, s.tt.move, f.killer, ply);
    SearchedMoves searched;
    Best best;
    int move_count = 0;

    // Step 10. The move loop.
    while (const Move m = picker.next()) {
        if (m == f.excluded_move || (root ? is_left_out(m) : overlooks(ply, m)))
            continue;
        ++move_count;
        tt_.prefetch(pos_.key_after(m));  // before pruning, so that the entry arrives in time
        if (root && is_main_)
            set_current_move(m, move_count);
        const bool quiet = !is_noisy(pos_, m);
        f.history = history_of(m, quiet, continuation, threats.all);
        if (!root && !is_loss(best.score) &&
            prune_at_shallow_depth(ply, s, m, move_count, quiet, picker))
            continue;

        int extension = 0;
        if (!root && m == s.tt.move && !in_singular_search)
            if (const auto cutoff = singular_extension(ply, s, pv, extension))
                return *cutoff;
        frame(ply + 1).double_extensions = f.double_extensions + (extension >= 2);

        const std::uint64_t nodes_before = nodes_;
        const int reduction = late_move_reduction(ply, s, m, move_count, quiet, pv, picker);
        Undo undo;
        make(ply, m, undo);
        const Score score =
            search_child<node>(ply, s, move_count, best.score, s.depth - 1 + extension, reduction);
        unmake(m, undo);
        if (stopped())
            return 0;

        // Step 15. Best move, beta cutoff.
        if constexpr (root)
            update_root_move(m, score, move_count == 1 || score > s.alpha, nodes_ - nodes_before);
        if (update_best<pv>(ply, m, score, s.alpha, s.beta, best))
            break;
        if (m != best.move)
            (quiet ? searched.quiets : searched.captures).add(m);
    }

    // Step 16. Checkmate and stalemate. A singular search without another move fails low.
    if (move_count == 0)
        return in_singular_search ? old_alpha : score_without_moves(ply);

    return finish_node(ply, s, searched, best, old_alpha);
}

// Step 16. A level may have overlooked all moves.
Score Worker::score_without_moves(int ply) const {
    if (pos_.in_check())
        return mated_in(ply);
    return level_ != nullptr && has_legal_move(pos_) ? frame(ply).static_eval : Draw;
}

// Step 11. Pruning at shallow depth: true if the move need not be searched.
bool Worker::prune_at_shallow_depth(
    int ply, const NodeState& s, Move m, int move_count, bool quiet, MovePicker& picker) const {
    if (!pos_.has_nonpawn(pos_.side_to_move()))
        return false;
    const Frame& f = frame(ply);
    // Step 11a. Late move pruning (LMP): skip quiet moves after the first few at low depth. Not in
    // check, where any move may be the only good one.
    if (quiet && !pos_.in_check() &&
        move_count >= (LmpBase() + s.depth * s.depth) / (2 - s.improving))
        picker.skip_quiets();
    // Step 11b. Futility pruning of captures: the evaluation is so far below alpha that even the
    // captured piece does not help.
    if (!quiet && is_futile_capture(ply, s, m, move_count, picker))
        return true;
    // Step 11c. SEE pruning of captures and checks: skip those that lose too much material. The
    // better its capture history, the more a capture may lose.
    if (!quiet || picker.gives_check(m)) {
        const int margin = SeeCapture() * s.depth;
        return !see_ge(
            pos_, m, -margin - (quiet ? 0 : std::clamp(f.history / 32, -margin, margin)));
    }

    const int reduction =
        base_reduction(true, s.depth, move_count) + (s.improving ? 0 : LmrNotImproving());
    const int depth =
        std::max(s.depth - 1 - reduction / 1'024 + f.history / LmrHistoryDivisor(), 0);
    // Step 11d. History pruning: skip quiet moves that have mostly failed elsewhere.
    if (s.depth <= HistoryPruningDepth() && f.history < -HistoryPruning() * s.depth)
        return true;
    // Step 11e. Futility pruning: the evaluation is so far below alpha that a quiet move does not
    // help.
    if (!pos_.in_check() && depth <= FutilityDepth() &&
        f.static_eval + FutilityBase() + FutilitySlope() * depth <= s.alpha)
        return true;
    // Step 11f. SEE pruning of quiet moves.
    return !see_ge(pos_, m, -SeeQuiet() * depth * depth);
}

// Step 11b. Not of checks and promotions.
bool Worker::is_futile_capture(
    int ply, const NodeState& s, Move m, int move_count, MovePicker& picker) const {
    const Frame& f = frame(ply);
    const int depth = std::max(s.depth - 1 - base_reduction(false, s.depth, move_count) / 1'024, 0);
    return depth <= CaptureFutilityDepth() && !pos_.in_check() && m.kind() != MoveKind::Promotion &&
           f.static_eval + CaptureFutilityBase() + CaptureFutilitySlope() * depth +
                   SeeValue[pos_.captured(m)] + f.history / CaptureFutilityHistory() <=
               s.alpha &&
           !picker.gives_check(m);
}

// Step 12. Singular extension: search the node without the table move, at less than half the depth.
// If all other moves stay well below the table's score, the table move is singular and is extended,
// twice or three times if they stay far below. Returns a score if the node is cut off.
std::optional<Score>
Worker::singular_extension(int ply, const NodeState& s, bool pv, int& extension) {
    if (s.depth < SingularDepth() || ply >= 2 * root_depth_ || s.tt.depth < s.depth - 3 ||
        (s.tt.bound != Bound::Lower && s.tt.bound != Bound::Exact) ||
        std::abs(s.tt.score) >= KnownWin)
        return {};

    Frame& f = frame(ply);
    const Score target = s.tt.score - s.depth * SingularMargin() / 32;
    const bool quiet = !is_noisy(pos_, s.tt.move);
    const int history = f.history;
    f.excluded_move = s.tt.move;
    const Score score = search<Node::Other>(
        ply, target - 1, target, (s.depth - 1) * SingularShare() / 16, s.cut_node);
    f.excluded_move = NoMove;
    f.history = history;
    if (stopped())
        return 0;
    if (score < target) {
        extension = 1;
        if (!pv && score < target - DoubleMargin() && f.double_extensions < DoubleExtensionMax())
            extension = quiet && score < target - TripleMargin() ? 3 : 2;
    } else if (score >= s.beta && !is_mate(score)) {
        // Multi-cut: another move reaches beta too, so the node will very probably fail high.
        return score;
    } else if (s.tt.score >= s.beta) {
        // Negative extension: several moves seem to be good, so this one needs less depth.
        extension = pv ? -1 : -2;
    } else if (s.cut_node) {
        extension = -2;
    }
    return {};
}

// Step 13. Late move reductions (LMR): by how much the depth of a move is reduced, in 1/1024 ply.
// May be negative.
int Worker::late_move_reduction(int ply,
                                const NodeState& s,
                                Move m,
                                int move_count,
                                bool quiet,
                                bool pv,
                                MovePicker& picker) const {
    if (!is_late(ply, s, move_count))
        return 0;
    const Frame& f = frame(ply);
    int r = base_reduction(quiet, s.depth, move_count);
    r -= f.history * 1'024 / (quiet ? LmrHistoryDivisor() : LmrCaptureHistoryDivisor());
    r += s.improving ? 0 : LmrNotImproving();
    r += s.cut_node ? LmrCutNode() : 0;
    r -= pv ? LmrPv() + LmrWindow() * (s.beta - s.alpha) / root_window_ : 0;
    r -= f.tt_pv ? LmrTtPv() : 0;
    r += s.tt.move && pos_.is_capture(s.tt.move) ? LmrTtCapture() : 0;
    r -= m == f.killer ? LmrKiller() : 0;
    r -= s.depth >= 3 && picker.gives_check(m) ? LmrCheck() : 0;
    // Not at the root: the count of ply 1 is never reset.
    r += ply > 0 && frame(ply + 1).cutoff_count > 3 ? LmrManyCutoffs() : 0;
    return r;
}

// Step 14. Principal variation search of the move just made: late moves with reduced depth, all but
// the first with a zero window, and again with full depth and window if they fail high.
template <Worker::Node node>
Score Worker::search_child(
    int ply, const NodeState& s, int move_count, Score best, int depth, int reduction) {
    const bool pv = node != Node::Other;
    Score score = 0;
    const Score alpha = s.alpha;
    frame(ply).move_count = move_count;
    if (is_late(ply, s, move_count)) {
        // In a PV node a negative reduction extends the search.
        const int reduced_depth =
            std::clamp(depth - reduction / 1'024, std::min(depth, 1), depth + pv);
        frame(ply).reduction = depth - reduced_depth;
        score = -search<Node::Other>(ply + 1, -alpha - 1, -alpha, reduced_depth, true);
        frame(ply).reduction = 0;
        if (score > alpha && reduced_depth < depth && !stopped()) {
            // One ply more if the score is far above the best, one less if it is hardly above.
            depth += (score > best + DeeperBase() + 2 * depth) - (score < best + ShallowerMargin());
            if (depth > reduced_depth)
                score = -search<Node::Other>(ply + 1, -alpha - 1, -alpha, depth, !s.cut_node);
            const Frame& f = frame(ply);
            if (!f.noisy)
                update_continuation_histories(ply,
                                              f.piece,
                                              f.move.to(),
                                              score > alpha ? history_bonus(s.depth)
                                                            : -history_malus(s.depth));
        }
    } else if (!pv || move_count > 1) {
        score = -search<Node::Other>(ply + 1, -alpha - 1, -alpha, depth, !s.cut_node);
    }
    if (pv && (move_count == 1 || score > alpha))
        score = -search<Node::Pv>(ply + 1, -s.beta, -alpha, depth, false);
    return score;
}

// Steps 17 and 18. Returns the node's score, within the bounds that endgame tables know.
Score Worker::finish_node(
    int ply, const NodeState& s, const SearchedMoves& searched, Best best, Score old_alpha) {
    best.score = std::clamp(best.score, s.low, s.high);
    // Step 17. History updates.
    const Frame& f = frame(ply);
    update_histories_at_end(ply, s, searched, best);

    // Step 18. Transposition table store. The correction history learns from scores that the search
    // proved to differ from the static evaluation, unless a capture explains the difference.
    if (f.excluded_move || (ply == 0 && (restricted_ || line_ > 0)))
        return best.score;
    const Bound bound = best.score >= s.beta     ? Bound::Lower
                        : best.score > old_alpha ? Bound::Exact
                                                 : Bound::Upper;
    tt_.store(pos_.key(),
              ply,
              {.pv = f.tt_pv,
               .bound = bound,
               .depth = s.depth,
               .score = best.score,
               .eval = s.raw_eval,
               .move = best.move});
    if (!pos_.in_check() && !(best.move && is_noisy(pos_, best.move)) &&
        !(bound == Bound::Lower && best.score <= f.static_eval) &&
        !(bound == Bound::Upper && best.score >= f.static_eval) && std::abs(best.score) < KnownWin)
        correction_history_->update(pos_, last_two_moves(ply), best.score, f.static_eval, s.depth);
    return best.score;
}

template Score Worker::search<Worker::Node::Root>(int, Score, Score, int, bool);

}  // namespace engine

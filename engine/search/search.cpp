// One node of the main search: fail-soft principal variation search with the usual pruning,
// reductions and extensions.
#include "engine/board/see.h"
#include "engine/search/params.h"
#include "engine/search/reductions.h"
#include "engine/search/worker.h"

namespace engine {

using namespace params;

namespace {

bool is_losing_mate(Score s) {
    return s <= -(Mate - MaxPly);
}

}  // namespace

// Fail-soft negamax. Returns a bound on the position's score: <= alpha an upper, >= beta a lower.
// `cut_node`: a zero-window node that is expected to fail high.
template <Worker::Node node>
Score Worker::search(int ply, Score alpha, Score beta, int depth, bool cut_node) {
    constexpr bool root = node == Node::Root;
    constexpr bool pv = node != Node::Other;
    assert(-Infinite <= alpha && alpha < beta && beta <= Infinite);
    assert(pv || alpha == beta - 1);
    if (depth <= 0)
        return quiesce<pv>(ply, alpha, beta);

    line_length_[static_cast<std::size_t>(ply)] = 0;
    if (stopped())
        return 0;
    seldepth_ = std::max(seldepth_, ply + 1);

    // Step 1. Draws, the deepest ply, and mate distance: a shorter mate is already found elsewhere.
    if constexpr (!root) {
        if (is_draw(ply))
            return draw_score();
        if (ply >= MaxPly - 1)
            return pos_.in_check() ? Draw : corrected(ply, evaluator_.evaluate(pos_));
        alpha = std::max(alpha, mated_in(ply));
        beta = std::min(beta, mate_in(ply + 1));
        if (alpha >= beta)
            return alpha;
    }

    // Step 2. The transposition table. A node that tests its first move has no entry of its own.
    Frame& f = frame(ply);
    const bool testing = static_cast<bool>(f.excluded);
    frame(ply + 1).doubles = f.doubles;
    frame(ply + 2).killer = NoMove;
    frame(ply + 2).cutoffs = 0;
    Situation s{alpha, beta, NoScore, NoScore, depth, false, cut_node, {}};
    if (!testing) {
        s.tt = tt_.probe(pos_.key(), ply);
        f.tt_pv = pv || (s.tt.found && s.tt.pv);
    }
    if constexpr (root)
        s.tt.move = root_moves_[0].move;
    if (!pv && table_decides(ply, s))
        return s.tt.score;

    // Step 3. The static evaluation, and whether it got better since our last move.
    evaluate_node(ply, s);
    if constexpr (!root)
        reconsider_depth(ply, s);

    // Step 4. Pruning of the whole node.
    if (!pv && !testing && !pos_.in_check() && std::abs(beta) < KnownWin)
        if (const auto score = prune_node(ply, s))
            return *score;
    if (stopped())
        return 0;

    // Step 5. Internal iterative reduction: without a first move the effort is better spent later.
    if (s.depth >= IirDepth() && !s.tt.move && !testing && (pv || cut_node))
        --s.depth;

    // Step 6. The moves.
    return search_moves<node>(ply, s);
}

// True if the table's entry ends the node; a move that refuted it before is remembered again.
bool Worker::table_decides(int ply, const Situation& s) {
    if (!s.tt.decides(s.beta) || s.tt.depth < s.depth + (s.tt.score > s.beta) ||
        pos_.halfmove_clock() >= 90)
        return false;
    if (s.tt.score >= s.beta && s.tt.move && pos_.is_legal(s.tt.move) &&
        !is_tactical(pos_, s.tt.move))
        reward(ply, s, s.tt.move, {});
    return true;
}

void Worker::evaluate_node(int ply, Situation& s) {
    Frame& f = frame(ply);
    if (pos_.in_check()) {
        f.eval = NoScore;
        return;
    }
    if (!f.excluded) {
        const bool known = s.tt.found && s.tt.eval != NoScore;
        s.raw = known ? s.tt.eval : evaluator_.evaluate(pos_);
        f.eval = corrected(ply, s.raw);
        if (!s.tt.found)
            tt_.store(pos_.key(), ply, {.pv = f.tt_pv, .eval = s.raw});
    }
    s.eval = s.tt.sharpen(f.eval);

    const Score before = frame(ply - 2).eval != NoScore ? frame(ply - 2).eval : frame(ply - 4).eval;
    s.improving = before == NoScore || f.eval > before;
}

// Hindsight: the move that led here was reduced. More depth if it did its side no harm, less if it
// did.
void Worker::reconsider_depth(int ply, Situation& s) {
    Frame& before = frame(ply - 1);
    const Frame& f = frame(ply);
    if (pos_.in_check() || f.excluded || before.eval == NoScore)
        return;
    const int reduced = std::exchange(before.reduced, 0);
    if (reduced >= 3 && f.eval <= -before.eval)
        ++s.depth;
    else if (reduced >= 2 && s.depth >= 2 && f.eval + before.eval > HindsightMargin())
        --s.depth;
}

// The score to return if the node need not be searched: it is far above beta or far below alpha.
std::optional<Score> Worker::prune_node(int ply, const Situation& s) {
    // Reverse futility: so far above beta that no quiet answer brings it down.
    if (s.depth <= RfpDepth() && s.eval < KnownWin &&
        s.eval - RfpMargin() * (s.depth - s.improving) >= s.beta)
        return (s.eval + s.beta) / 2;

    // Razoring: so far below alpha that only captures can help.
    if (s.depth <= RazorDepth() && s.eval + RazorMargin() * s.depth * s.depth < s.alpha) {
        const Score score = quiesce<false>(ply, s.alpha, s.beta);
        if (score <= s.alpha)
            return score;
    }
    if (const auto score = try_null_move(ply, s))
        return score;
    return stopped() ? std::optional<Score>(0) : try_probcut(ply, s);
}

// Null move: if the opponent moving twice does not reach beta, our best move will not either.
std::optional<Score> Worker::try_null_move(int ply, const Situation& s) {
    const Frame& f = frame(ply);
    if (s.depth < 2 || !frame(ply - 1).move || ply < null_from_ply_ || s.eval < s.beta ||
        f.eval < s.beta + NullStaticMargin() - NullStaticSlope() * s.depth ||
        !pos_.has_nonpawn(pos_.side_to_move()))
        return {};

    const int reduced = s.depth - NullBase() - s.depth / NullDepthDivisor() -
                        std::min((s.eval - s.beta) / NullEvalDivisor(), NullEvalMost());
    Undo undo;
    make_null(ply, undo);
    Score score = -search<Node::Other>(ply + 1, -s.beta, -s.beta + 1, reduced, !s.cut_node);
    unmake_null(undo);
    if (stopped() || score < s.beta)
        return {};
    if (is_mate(score))
        score = s.beta;  // a mate after a null move proves nothing
    if (s.depth < NullVerifyDepth() || null_from_ply_ > 0)
        return score;

    // Zugzwang: at high depth the cut must hold without null moves too.
    null_from_ply_ = ply + 3 * std::max(reduced, 1) / 4 + 1;
    const Score verified =
        search<Node::Other>(ply, s.beta - 1, s.beta, std::max(reduced, 1), false);
    null_from_ply_ = 0;
    if (verified >= s.beta && !stopped())
        return score;
    return {};
}

// ProbCut: a good capture that already beats a raised beta at low depth will beat beta.
std::optional<Score> Worker::try_probcut(int ply, const Situation& s) {
    const Score raised = s.beta + ProbCutMargin();
    if (s.depth < ProbCutDepth() ||
        (s.tt.bound != Bound::None && s.tt.depth >= s.depth - 3 && s.tt.score < raised))
        return {};

    MovePicker picker(pos_, *histories_, s.tt.move, std::max(raised - frame(ply).eval, 0));
    while (const Move m = picker.next()) {
        Undo undo;
        make(ply, m, undo);
        Score score = -quiesce<false>(ply + 1, -raised, -raised + 1);
        if (score >= raised && s.depth > 4)
            score = -search<Node::Other>(ply + 1, -raised, -raised + 1, s.depth - 4, !s.cut_node);
        unmake(m, undo);
        if (stopped())
            return {};
        if (score >= raised) {
            tt_.store(pos_.key(),
                      ply,
                      {.pv = frame(ply).tt_pv,
                       .bound = Bound::Lower,
                       .depth = s.depth - 3,
                       .score = score,
                       .eval = s.raw,
                       .move = m});
            return score;
        }
    }
    return {};
}

template <Worker::Node node>
Score Worker::search_moves(int ply, Situation& s) {
    constexpr bool root = node == Node::Root;
    constexpr bool pv = node != Node::Other;
    Frame& f = frame(ply);
    const bool testing = static_cast<bool>(f.excluded);
    const Score old_alpha = s.alpha;
    const QuietContext quiets = context(ply);
    MovePicker picker(pos_, *histories_, quiets, s.tt.move, f.killer);
    Tried tried;
    Found found;
    int count = 0;

    while (const Move m = picker.next()) {
        if (m == f.excluded || (root && restricted_ && !is_root_move(m)))
            continue;
        ++count;
        if constexpr (root)
            if (first_)
                announce(m, count);
        const bool quiet = !is_tactical(pos_, m);
        f.history = quiet ? quiet_history(quiets, m) : histories_->capture_of(pos_, m);

        // Step 7. Leave out moves that will hardly matter.
        if (!root && !is_losing_mate(found.best) && prune_move(ply, s, m, count, quiet, picker))
            continue;

        // Step 8. Extend the first move if all others are much worse.
        int extension = 0;
        if (!root && m == s.tt.move && !testing)
            if (const auto cut = test_singular(ply, s, pv, extension))
                return *cut;
        if (stopped())
            return 0;
        frame(ply + 1).doubles = f.doubles + (extension >= 2);

        // Step 9. Search it.
        const std::uint64_t nodes_before = nodes_;
        const int late = reduction(ply, s, m, count, quiet, pv);
        Undo undo;
        make(ply, m, undo);
        const Score score = search_child<node>(
            ply, s, count, std::max(found.best, s.alpha), s.depth - 1 + extension, late);
        unmake(m, undo);
        if (stopped())
            return 0;

        // Step 10. Is it better than what we have?
        if constexpr (root)
            note_root_move(m, score, count == 1 || score > s.alpha, nodes_ - nodes_before);
        if (take<pv>(ply, m, score, s.alpha, s.beta, found))
            break;
        if (m != found.move)
            (quiet ? tried.quiets : tried.captures).add(m);
    }

    // Step 11. No move: mate or stalemate; in a singular test, all others are worse than anything.
    if (count == 0)
        return testing ? old_alpha : pos_.in_check() ? mated_in(ply) : Draw;

    finish_node(ply, s, tried, found, old_alpha);
    return found.best;
}

// True if the move is to be considered at the root.
bool Worker::is_root_move(Move m) const {
    return std::any_of(
        root_moves_.begin(), root_moves_.end(), [m](const RootMove& r) { return r.move == m; });
}

// Step 12. What the node taught goes to the histories, the corrections and the table.
void Worker::finish_node(
    int ply, const Situation& s, const Tried& tried, const Found& found, Score old_alpha) {
    Frame& f = frame(ply);
    const auto [best, best_move] = found;
    if (best >= s.beta) {
        ++f.cutoffs;
        reward(ply, s, best_move, tried);
    } else if (!best_move && !f.excluded && frame(ply - 1).move && !frame(ply - 1).tactical &&
               frame(ply - 1).history < 0) {
        // All moves failed: the one that led here was better than thought.
        reward_continuation(
            ply - 1, frame(ply - 1).piece, frame(ply - 1).move.to(), bonus_for(s.depth) / 2);
    }
    if (f.excluded || (ply == 0 && restricted_))
        return;
    const Bound bound = best >= s.beta     ? Bound::Lower
                        : best > old_alpha ? Bound::Exact
                                           : Bound::Upper;
    tt_.store(pos_.key(),
              ply,
              {.pv = f.tt_pv,
               .bound = bound,
               .depth = s.depth,
               .score = best,
               .eval = s.raw,
               .move = best_move});
    if (!pos_.in_check() && !(best_move && is_tactical(pos_, best_move)) &&
        !(bound == Bound::Lower && best <= f.eval) && !(bound == Bound::Upper && best >= f.eval) &&
        std::abs(best) < KnownWin)
        corrections_->learn(pos_, last_moves(ply), best, f.eval, s.depth);
}

// True if the move may be skipped: too late, too quiet or too expensive for the depth that is left.
bool Worker::prune_move(
    int ply, const Situation& s, Move m, int count, bool quiet, MovePicker& picker) const {
    if (!pos_.has_nonpawn(pos_.side_to_move()))
        return false;
    const Frame& f = frame(ply);
    // Late quiet moves of a low node are rarely the good ones, but any may be the way out of check.
    if (quiet && !pos_.in_check() && count >= (LmpBase() + s.depth * s.depth) / (2 - s.improving))
        picker.skip_quiets();
    // A check may be a sacrifice, as a capture may.
    if (!quiet || pos_.gives_check(m)) {
        const int most = SeeCapture() * s.depth;
        return !see_ge(pos_, m, -most - (quiet ? 0 : std::clamp(f.history / 32, -most, most)));
    }

    const int base =
        late_move_reduction(true, s.depth, count) + (s.improving ? 0 : LmrNotImproving());
    const int depth = std::max(s.depth - 1 - base / 1'024 + f.history / LmrHistoryDivisor(), 0);
    if (s.depth <= HistoryPruningDepth() && f.history < -HistoryPruning() * s.depth)
        return true;
    // Far below alpha a quiet move does not help.
    if (!pos_.in_check() && depth <= FutilityDepth() &&
        f.eval + FutilityBase() + FutilitySlope() * depth <= s.alpha)
        return true;
    return !see_ge(pos_, m, -SeeQuiet() * depth * depth);
}

// Searches the node without the table's move. If all others stay well below it, the move is
// extended; if others reach beta as well, the score that cuts the node is returned.
std::optional<Score> Worker::test_singular(int ply, const Situation& s, bool pv, int& extension) {
    if (s.depth < SingularDepth() || ply >= 2 * root_depth_ || s.tt.depth < s.depth - 3 ||
        (s.tt.bound != Bound::Lower && s.tt.bound != Bound::Exact) ||
        std::abs(s.tt.score) >= KnownWin)
        return {};

    Frame& f = frame(ply);
    const Score target = s.tt.score - s.depth * SingularMargin() / 32;
    const bool quiet = !is_tactical(pos_, s.tt.move);
    const int history = f.history;
    f.excluded = s.tt.move;
    const Score score = search<Node::Other>(ply, target - 1, target, (s.depth - 1) / 2, s.cut_node);
    f.excluded = NoMove;
    f.history = history;
    if (stopped())
        return {};
    if (score < target) {
        extension = 1;
        if (!pv && score < target - DoubleMargin() && f.doubles < DoubleMost())
            extension = quiet && score < target - TripleMargin() ? 3 : 2;
    } else if (score >= s.beta && !is_mate(score)) {
        return score;
    } else if (s.tt.score >= s.beta) {
        extension = pv ? -1 : -2;
    } else if (s.cut_node) {
        extension = -2;
    }
    return {};
}

// By how much a move is searched less deeply than the first, in 1/1024 ply; may be negative.
int Worker::reduction(int ply, const Situation& s, Move m, int count, bool quiet, bool pv) const {
    const Frame& f = frame(ply);
    int r = late_move_reduction(quiet, s.depth, count);
    r -= f.history * 1'024 / (quiet ? LmrHistoryDivisor() : LmrCaptureHistoryDivisor());
    r += s.improving ? 0 : LmrNotImproving();
    r += s.cut_node ? LmrCutNode() : 0;
    r -= pv ? LmrPv() : 0;
    r -= f.tt_pv ? LmrTtPv() : 0;
    r += s.tt.move && pos_.is_capture(s.tt.move) ? LmrTtCapture() : 0;
    r -= m == f.killer ? LmrKiller() : 0;
    r -= s.depth >= 3 && count >= 2 && pos_.gives_check(m) ? LmrCheck() : 0;
    // Nothing above the root sets the counter below it back.
    r += ply > 0 && frame(ply + 1).cutoffs > 3 ? LmrManyCutoffs() : 0;
    return r;
}

// Principal variation search of the move just made: late moves first with less depth, all but the
// first with a zero window, again in full only if they turn out better than expected.
template <Worker::Node node>
Score Worker::search_child(
    int ply, const Situation& s, int count, Score best, int depth, int late) {
    constexpr bool pv = node != Node::Other;
    Score score = 0;
    const Score alpha = s.alpha;
    if (s.depth >= 2 && count > 1 + (node == Node::Root)) {
        const int reduced = std::clamp(depth - late / 1'024, std::min(depth, 1), depth);
        frame(ply).reduced = depth - reduced;
        score = -search<Node::Other>(ply + 1, -alpha - 1, -alpha, reduced, true);
        frame(ply).reduced = 0;
        if (score > alpha && reduced < depth && !stopped()) {
            depth += (score > best + DeeperBase() + 2 * depth) - (score < best + ShallowerMargin());
            if (depth > reduced)
                score = -search<Node::Other>(ply + 1, -alpha - 1, -alpha, depth, !s.cut_node);
            const Frame& f = frame(ply);
            if (!f.tactical)
                reward_continuation(ply,
                                    f.piece,
                                    f.move.to(),
                                    score > alpha ? bonus_for(s.depth) : -malus_for(s.depth));
        }
    } else if (!pv || count > 1) {
        score = -search<Node::Other>(ply + 1, -alpha - 1, -alpha, depth, !s.cut_node);
    }
    if (pv && (count == 1 || score > alpha))
        score = -search<Node::Pv>(ply + 1, -s.beta, -alpha, depth, false);
    return score;
}

template Score Worker::search<Worker::Node::Root>(int, Score, Score, int, bool);

}  // namespace engine

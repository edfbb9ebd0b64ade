// The root: iterative deepening with aspiration windows, and what is told about it.
#include "engine/search/params.h"
#include "engine/search/worker.h"

namespace engine {

void Worker::run(const Report& report, const NodeSum& all_nodes) {
    report_ = report;
    all_nodes_ = all_nodes;
    for (int depth = 1; depth < MaxPly && !root_moves_.empty(); ++depth) {
        const Move best_before = root_moves_[0].move;
        if (!deepen(depth))
            break;
        finished_depth_ = depth;
        stable_iterations_ = root_moves_[0].move == best_before ? stable_iterations_ + 1 : 0;
        post(Bound::Exact);
        const Score score = root_moves_[0].score;
        if (first_ && control_.enough({depth, all_nodes_(), score, confidence()}))
            break;
        last_iteration_score_ = score;
    }
    if (finished_depth_ > 0)
        previous_white_ = seen_by_white(root_moves_[0].known_score());
}

// One iteration; false if it was cut short.
bool Worker::deepen(int depth) {
    using namespace params;
    root_depth_ = depth;
    seldepth_ = 0;
    telltale_.depth.store(depth, std::memory_order_relaxed);
    for (RootMove& rm : root_moves_) {
        rm.previous = rm.score;
        if (&rm != root_moves_.data())
            rm.score = -Infinite;
    }
    const Score middle = root_moves_[0].previous;
    int delta = 2 * Infinite;
    if (depth >= AspirationDepth() && !is_mate(middle))
        delta = AspirationDelta() + middle * middle / AspirationSpread();
    Score alpha = std::max(middle - delta, -Infinite);
    Score beta = std::min(middle + delta, +Infinite);
    int fails_high = 0;
    for (;;) {
        const Score score =
            search<Node::Root>(0, alpha, beta, std::max(depth - fails_high, 1), false);
        sort_root_moves();
        if (stopped())
            return false;
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = std::max(score - delta, -Infinite);
            fails_high = 0;
            post(Bound::Upper);
        } else if (score >= beta) {
            beta = std::min(score + delta, +Infinite);
            fails_high = std::min(fails_high + 1, 3);
            post(Bound::Lower);
        } else {
            return true;
        }
        delta += delta * AspirationGrowth() / 100;
        if (delta > 1'000)
            delta = 2 * Infinite;
    }
}

// The best first; moves not yet better than another keep their order of the last iteration.
void Worker::sort_root_moves() {
    std::stable_sort(
        root_moves_.begin(), root_moves_.end(), [](const RootMove& a, const RootMove& b) {
            return a.score != b.score ? a.score > b.score : a.previous > b.previous;
        });
}

void Worker::announce(Move m, int count) {
    telltale_.current.store(m.raw(), std::memory_order_relaxed);
    telltale_.moves_left.store(static_cast<int>(root_moves_.size()) - count + 1,
                               std::memory_order_relaxed);
}

void Worker::note_root_move(Move m, Score score, bool best, std::uint64_t nodes) {
    const auto rm = std::find_if(
        root_moves_.begin(), root_moves_.end(), [m](const RootMove& r) { return r.move == m; });
    rm->nodes += nodes;
    rm->score = best ? score : -Infinite;
    if (!best)
        return;
    rm->seldepth = seldepth_;
    rm->line.assign(1, m);
    const auto length = static_cast<std::ptrdiff_t>(line_length_[1]);
    rm->line.insert(rm->line.end(), lines_[1].begin(), lines_[1].begin() + length);
}

Confidence Worker::confidence() const {
    const Score score = root_moves_[0].score;
    return {.best_nodes = root_moves_[0].nodes,
            .all_nodes = nodes_,
            .stable_iterations = stable_iterations_,
            .score_drop = last_iteration_score_ - score,
            .score_drop_game =
                previous_white_ == NoScore ? 0 : seen_by_white(previous_white_) - score};
}

SearchInfo Worker::thought() const {
    const RootMove& best = root_moves_[0];
    return {.depth = std::max(finished_depth_, 1),
            .seldepth = best.seldepth,
            .score = best.known_score(),
            .bound = Bound::Exact,
            .spent = control_.spent(),
            .nodes = all_nodes_(),
            .line = best.line};
}

void Worker::post(Bound bound) {
    constexpr int QuietDepth = 8;  // bounds of shallower iterations only fill the screen
    if (!first_ || !report_ || (bound != Bound::Exact && root_depth_ < QuietDepth))
        return;
    SearchInfo t = thought();
    t.depth = root_depth_;
    t.bound = bound;
    report_(t);
}

}  // namespace engine

// The root of the search: iterative deepening with an aspiration window, and the reports about it.
#include "engine/search/params.h"
#include "engine/search/worker.h"

namespace engine {

void Worker::run(const OnInfo& on_info, const NodeSum& all_nodes) {
    on_info_ = on_info;
    all_nodes_ = all_nodes;
    // Iterative deepening.
    for (int depth = 1; depth < MaxPly && !root_moves_.empty(); ++depth) {
        const Move best_before = root_moves_[0].move;
        if (!search_lines(depth))
            break;
        finished_depth_ = depth;
        stable_iterations_ = root_moves_[0].move == best_before ? stable_iterations_ + 1 : 0;
        for (std::size_t line = 0; line < lines_; ++line)
            report_pv(Bound::Exact, line);
        const Score score = root_moves_[0].score;
        if (is_main_ && control_.should_stop({depth, all_nodes_(), score, confidence()}))
            break;
        last_iteration_score_ = score;
    }
    if (finished_depth_ > 0)
        last_score_ = {keys_.front(), root_at_, score_for_white(root_moves_[0].known_score())};
}

// One iteration: the lines one after another, each without the root moves of those before it. False
// if the search was stopped.
bool Worker::search_lines(int depth) {
    root_depth_ = depth;
    stats_.depth.store(depth, std::memory_order_relaxed);
    for (RootMove& rm : root_moves_) {
        rm.previous_score = rm.score;
        if (&rm != root_moves_.data())
            rm.score = -Infinite;
    }
    for (line_ = 0; line_ < lines_; ++line_) {
        if (!aspiration_search(depth)) {
            line_ = 0;
            return false;
        }
        // A later line may prove better than one before it.
        std::stable_sort(root_moves_.begin(),
                         root_moves_.begin() + static_cast<std::ptrdiff_t>(line_) + 1,
                         [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    }
    line_ = 0;
    return true;
}

// One line. Aspiration window: search first with a narrow window around the last iteration's score,
// and widen it on the side where the search fails. False if the search was stopped.
bool Worker::aspiration_search(int depth) {
    using namespace params;
    seldepth_ = 0;
    const Score middle = root_moves_[line_].previous_score;
    int delta = 2 * Infinite;
    if (depth >= AspirationDepth() && !is_mate(middle) && middle != -Infinite)
        delta = AspirationDelta() + middle * middle / AspirationSpread();
    Score alpha = std::max(middle - delta, -Infinite);
    Score beta = std::min(middle + delta, +Infinite);
    int fail_high_count = 0;
    for (;;) {
        root_window_ = beta - alpha;
        // After a fail high a reduced depth suffices to confirm the score.
        const Score score =
            search<Node::Root>(0, alpha, beta, std::max(depth - fail_high_count, 1), false);
        sort_root_moves();
        if (stopped())
            return false;
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = std::max(score - delta, -Infinite);
            fail_high_count = 0;
            report_pv(Bound::Upper);
        } else if (score >= beta) {
            beta = std::min(score + delta, +Infinite);
            fail_high_count = std::min(fail_high_count + 1, 3);
            report_pv(Bound::Lower);
        } else {
            return true;
        }
        delta += delta * AspirationGrowth() / 100;
        if (delta > 1'000)
            delta = 2 * Infinite;
    }
}

// The best move of the line first; moves without a score in this iteration keep the order of the
// last one.
void Worker::sort_root_moves() {
    std::stable_sort(root_moves_.begin() + static_cast<std::ptrdiff_t>(line_),
                     root_moves_.end(),
                     [](const RootMove& a, const RootMove& b) {
                         return a.score != b.score ? a.score > b.score
                                                   : a.previous_score > b.previous_score;
                     });
}

void Worker::set_current_move(Move m, int move_count) {
    stats_.current_move.store(m.raw(), std::memory_order_relaxed);
    stats_.moves_left.store(static_cast<int>(root_moves_.size()) - move_count + 1,
                            std::memory_order_relaxed);
}

bool Worker::is_root_move(Move m) const {
    return std::any_of(root_moves_.begin() + static_cast<std::ptrdiff_t>(line_),
                       root_moves_.end(),
                       [m](const RootMove& r) { return r.move == m; });
}

void Worker::update_root_move(Move m, Score score, bool best, std::uint64_t nodes) {
    const auto rm = std::find_if(
        root_moves_.begin(), root_moves_.end(), [m](const RootMove& r) { return r.move == m; });
    rm->nodes += nodes;
    rm->score = best ? score : -Infinite;
    if (!best)
        return;
    rm->seldepth = seldepth_;
    rm->pv.assign(1, m);
    const auto length = static_cast<std::ptrdiff_t>(pv_length_[1]);
    rm->pv.insert(rm->pv.end(), pvs_[1].begin(), pvs_[1].begin() + length);
}

Confidence Worker::confidence() const {
    const Score score = root_moves_[0].score;
    return {.best_nodes = root_moves_[0].nodes,
            .all_nodes = nodes_,
            .stable_iterations = stable_iterations_,
            .score_drop = last_iteration_score_ - score,
            .score_drop_game = previous_score_.white == NoScore
                                   ? 0
                                   : score_for_white(previous_score_.white) - score};
}

SearchInfo Worker::info_of(const RootMove& rm) const {
    return {.depth = std::max(finished_depth_, 1),
            .seldepth = rm.seldepth,
            .score = rm.known_score(),
            .bound = Bound::Exact,
            .spent = control_.spent(),
            .nodes = all_nodes_(),
            .pv = rm.pv,
            .hash_full = tt_.permille_used()};
}

// Of several lines only the exact scores are reported: the lines of one depth belong together.
void Worker::report_pv(Bound bound, std::size_t line) {
    constexpr int MinBoundDepth = 8;  // bounds of shallower iterations only fill the screen
    if (!is_main_ || !on_info_ ||
        (bound != Bound::Exact && (root_depth_ < MinBoundDepth || lines_ > 1)))
        return;
    SearchInfo report = info_of(root_moves_[line]);
    report.depth = root_depth_;
    report.bound = bound;
    report.line = static_cast<int>(line) + 1;
    on_info_(report);
}

}  // namespace engine

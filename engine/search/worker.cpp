// What all parts of the search share: set-up, moves on the board, endgame tables, histories.
#include "engine/search/worker.h"

#include "engine/board/cuckoo.h"
#include "engine/eval/endings.h"
#include "engine/search/params.h"

namespace engine {

using namespace params;

Worker::Worker(TranspositionTable& tt,
               Control& control,
               bool is_main,
               std::shared_ptr<const Network> net)
    : tt_(tt), control_(control), is_main_(is_main), evaluator_(std::move(net)),
      histories_(platform::make_in_pages<Histories>()),
      correction_history_(platform::make_in_pages<CorrectionHistory>()), pvs_(MaxPly + 4) {}

void Worker::clear() {
    std::construct_at(histories_.get());
    std::construct_at(correction_history_.get());
    last_score_ = previous_score_ = {};
}

void Worker::prepare(const Root& root) {
    pos_ = root.position;
    histories_->fade();
    histories_->low_ply = {};
    tables_ = root.tables;
    level_ = root.level;
    table_men_ = tables_ != nullptr ? tables_->max_men() : 0;
    evaluator_.reset();
    root_at_ = root.keys.size() - 1;
    keys_ = root.keys;
    keys_.resize(root.keys.size() + MaxPly + 4);
    // After pondering on another move, use the score of the search before it.
    const auto is_earlier = [&](const GameScore& s) {
        return s.start == keys_.front() && s.ply < root_at_;
    };
    if (is_earlier(last_score_))
        previous_score_ = last_score_;
    else if (!is_earlier(previous_score_))
        previous_score_ = {};
    reversible_.assign(keys_.size(), 0);
    reversible_[root_at_] = std::min(pos_.halfmove_clock(), static_cast<int>(root_at_));
    root_moves_.clear();
    for (const Move m : root.moves)
        root_moves_.push_back({.move = m, .pv = {m}});
    lines_ = std::min(static_cast<std::size_t>(std::max(root.lines, 1)), root_moves_.size());
    line_ = 0;
    restricted_ = root.moves.size() < legal_moves(pos_).size();
    frames_.fill({});
    for (Frame& f : frames_)
        f.continuation = &histories_->no_continuation();
    nodes_ = 0;
    until_poll_ = 1;
    root_depth_ = finished_depth_ = seldepth_ = 0;
    null_from_ply_ = 0;
    stable_iterations_ = 0;
    last_iteration_score_ = 0;
    stats_.nodes.store(0, std::memory_order_relaxed);
    stats_.tbhits.store(0, std::memory_order_relaxed);
    stats_.depth.store(0, std::memory_order_relaxed);
    stats_.moves_left.store(0, std::memory_order_relaxed);
    stats_.moves.store(static_cast<int>(root_moves_.size()), std::memory_order_relaxed);
    stats_.current_move.store(0, std::memory_order_relaxed);
}

// History bonus for `best`, which caused a beta cutoff, and malus for the moves `searched` before.
void Worker::update_histories(int ply,
                              const NodeState& s,
                              Move best,
                              const SearchedMoves& searched) {
    const Color us = pos_.side_to_move();
    const int bonus = history_bonus(s.depth);
    const int malus = history_malus(s.depth);
    Histories& h = *histories_;
    PieceTo& pawn = h.pawn_of(pos_);
    const auto update_quiet = [&](Move m, int change) {
        const Piece p = pos_.piece_on(m.from());
        h.add_quiet(us, m, frame(ply).attacked, change);
        if (ply < Histories::LowPlies)
            h.low_ply[static_cast<std::size_t>(ply)][m.from()][m.to()].add(change);
        pawn[p][m.to()].add(change);
        update_continuation_histories(ply, p, m.to(), change);
    };
    if (is_noisy(pos_, best)) {
        h.capture_of(pos_, best).add(bonus);
    } else {
        frame(ply).killer = best;
        // A first move that fails high at low depth says little about the others.
        if (s.depth > 3 || !searched.quiets.empty())
            update_quiet(best, bonus);
        for (const Move m : searched.quiets)
            update_quiet(m, -malus);
    }
    for (const Move m : searched.captures)
        h.capture_of(pos_, m).add(-malus);
}

// The quiet move that led here gets a history bonus for what it gained by the static
// evaluation, or a malus for what it lost.
void Worker::reward_evaluation_gain(int ply) {
    const Frame& before = frame(ply - 1);
    if (ply == 0 || !before.move || before.noisy || before.static_eval == NoScore)
        return;
    const int gain = -(frame(ply).static_eval + before.static_eval);
    histories_->add_quiet(~pos_.side_to_move(),
                          before.move,
                          before.attacked,
                          std::clamp(gain * EvalGainSlope(), -EvalGainMin(), EvalGainMax()));
}

void Worker::update_histories_at_end(int ply,
                                     const NodeState& s,
                                     const SearchedMoves& searched,
                                     const Best& best) {
    // Step 17 of search.cpp. At a beta cutoff, a bonus for the move that caused it, and a malus for
    // those searched before it and for the opponent's last move if that was the first one searched.
    // If all moves failed low, a bonus for the opponent's last move.
    Frame& f = frame(ply);
    const Frame& before = frame(ply - 1);
    if (best.score >= s.beta) {
        ++f.cutoff_count;
        update_histories(ply, s, best.move, searched);
        if (before.move && !before.noisy && before.move_count == 1)
            update_continuation_histories(ply - 1,
                                          before.piece,
                                          before.move.to(),
                                          -std::min(RefutedSlope() * s.depth, RefutedMax()));
    } else if (!best.move && !f.excluded_move && before.move && !before.noisy) {
        const int bonus = history_bonus(s.depth);
        update_continuation_histories(ply - 1, before.piece, before.move.to(), bonus);
        histories_->add_quiet(~pos_.side_to_move(), before.move, before.attacked, bonus);
    }
}

// For piece p moving to `to` at `ply`, after the moves one, two and four plies before.
void Worker::update_continuation_histories(int ply, Piece p, Square to, int bonus) {
    for (const int back : {1, 2, 4})
        if (frame(ply - back).move)
            (*frame(ply - back).continuation)[p][to].add(bonus);
}

Score Worker::with_correction(Score raw_eval, int correction) const {
    // An advantage fades as the 50-move rule draws near. Not against a bare king: there mate is the
    // only progress, and the older, higher scores of the table would draw the search back.
    const int clock = std::abs(raw_eval) < BareKing ? std::min(pos_.halfmove_clock(), 100) : 0;
    return std::clamp(raw_eval * (200 - clock) / 200 + correction, -KnownWin + 1, KnownWin - 1);
}

// The index of the last two moves in the correction history; nothing after a null move.
std::optional<std::size_t> Worker::last_two_moves(int ply) const {
    const Frame &one = frame(ply - 1), &two = frame(ply - 2);
    if (!one.move || !two.move)
        return std::nullopt;
    const auto index = [](const Frame& f) { return f.piece * 64 + f.move.to(); };
    return static_cast<std::size_t>(index(one) * 1'024 + index(two));
}

bool Worker::is_draw(int ply) const {
    if (pos_.halfmove_clock() >= 100 && (!pos_.in_check() || has_legal_move(pos_)))
        return true;
    // Inside the tree the first repetition counts as a draw; of positions before the root, the
    // second one does.
    const std::size_t at = root_at_ + static_cast<std::size_t>(ply);
    int earlier = 0;
    for (int back = 4; back <= reversible_[at]; back += 2)
        if (keys_[at - static_cast<std::size_t>(back)] == keys_[at] &&
            (back < ply || ++earlier == 2))
            return true;
    return pos_.is_dead();
}

Score Worker::raised_by_repetition(int ply, Score alpha) const {
    const std::size_t at = root_at_ + static_cast<std::size_t>(ply);
    for (int back = 3; alpha < Draw && back < ply && back <= reversible_[at]; back += 2)
        if (is_one_move_away(pos_, keys_[at - static_cast<std::size_t>(back)]))
            return draw_score();
    return alpha;
}

// Step 2 of search.cpp. Endgame tables: after a capture or pawn move they know the result, which
// becomes the table's score. Later the 50-move rule might change it, so there the search goes on,
// as it does where the window leaves room for a mate: a win is a lower bound, a loss an upper one.
bool Worker::probe_tables(int ply, NodeState& s) {
    if (pos_.halfmove_clock() != 0 || frame(ply).excluded_move)
        return false;
    const std::optional<Wdl> wdl = tables_->wdl(pos_);
    if (!wdl)
        return false;
    stats_.tbhits.fetch_add(1, std::memory_order_relaxed);
    TtEntry known{.pv = frame(ply).tt_pv, .depth = std::min(s.depth + 6, MaxPly - 1)};
    if (*wdl == Wdl::Win) {
        known.bound = Bound::Lower;
        known.score = s.low = TableWin - ply;
    } else if (*wdl == Wdl::Loss) {
        known.bound = Bound::Upper;
        known.score = s.high = ply - TableWin;
    } else {  // a win that the 50-move rule takes away is a little better than other draws
        known.bound = Bound::Exact;
        known.score = Draw + 2 * static_cast<int>(*wdl);
    }
    if (s.low < s.beta && s.alpha < s.high && known.bound != Bound::Exact) {
        s.alpha = std::max(s.alpha, s.low);
        s.beta = std::min(s.beta, s.high);
        return false;
    }
    s.tt = known;
    tt_.store(pos_.key(), ply, s.tt);
    return true;
}

Score Worker::evaluate() {
    const Score score = evaluator_.evaluate(pos_);
    return level_ == nullptr
               ? score
               : std::clamp(score + level_->misjudgment(pos_), 1 - KnownWin, KnownWin - 1);
}

void Worker::make(int ply, Move m, Undo& undo) {
    Frame& f = frame(ply);
    f.move = m;
    f.piece = pos_.piece_on(m.from());
    f.noisy = is_noisy(pos_, m);
    f.continuation = &histories_->continuation_of(f.piece, m.to());
    evaluator_.push(pos_, m);
    pos_.make(m, undo);
    correction_history_->prefetch(pos_, last_two_moves(ply + 1));
    const std::size_t at = root_at_ + static_cast<std::size_t>(ply) + 1;
    keys_[at] = pos_.key();
    reversible_[at] = pos_.halfmove_clock() == 0 ? 0 : reversible_[at - 1] + 1;
    count_node();
}

void Worker::make_null(int ply, Undo& undo) {
    Frame& f = frame(ply);
    f.move = NoMove;
    f.noisy = false;
    f.continuation = &histories_->no_continuation();
    pos_.make_null(undo);
    tt_.prefetch(pos_.key());
    const std::size_t at = root_at_ + static_cast<std::size_t>(ply) + 1;
    keys_[at] = pos_.key();
    reversible_[at] = 0;  // no repetition across a null move
    count_node();
}

void Worker::count_node() {
    ++nodes_;
    stats_.nodes.store(nodes_, std::memory_order_relaxed);
    if (!is_main_ || --until_poll_ > 0)
        return;
    const std::uint64_t all = all_nodes_();
    control_.poll(all);
    until_poll_ = control_.poll_interval(all);
}

// The principal variation from `ply` on: m and what follows it.
void Worker::update_pv(int ply, Move m) {
    const auto at = static_cast<std::size_t>(ply);
    const auto length = static_cast<std::size_t>(pv_length_[at + 1]);
    pvs_[at][0] = m;
    std::copy_n(pvs_[at + 1].begin(), length, pvs_[at].begin() + 1);
    pv_length_[at] = pv_length_[at + 1] + 1;
}

}  // namespace engine

// What all parts of the search share: set-up, moves on the board, histories.
#include "engine/search/worker.h"

#include "engine/eval/endings.h"
#include "engine/search/params.h"

namespace engine {

using namespace params;

Worker::Worker(TranspositionTable& tt,
               Control& control,
               bool first,
               std::shared_ptr<const Network> net)
    : tt_(tt), control_(control), first_(first), evaluator_(std::move(net)),
      histories_(std::make_unique<Histories>()), corrections_(std::make_unique<Corrections>()),
      lines_(MaxPly + 4) {}

void Worker::clear() {
    histories_ = std::make_unique<Histories>();
    corrections_ = std::make_unique<Corrections>();
    previous_white_ = NoScore;
}

void Worker::prepare(const Root& root) {
    pos_ = root.position;
    evaluator_.reset();
    root_at_ = root.keys.size() - 1;
    keys_ = root.keys;
    keys_.resize(root.keys.size() + MaxPly + 4);
    reversible_.assign(keys_.size(), 0);
    reversible_[root_at_] = std::min(pos_.halfmove_clock(), static_cast<int>(root_at_));
    root_moves_.clear();
    for (const Move m : root.moves)
        root_moves_.push_back({.move = m, .line = {m}});
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
    telltale_.nodes.store(0, std::memory_order_relaxed);
    telltale_.depth.store(0, std::memory_order_relaxed);
    telltale_.moves_left.store(0, std::memory_order_relaxed);
    telltale_.moves.store(static_cast<int>(root_moves_.size()), std::memory_order_relaxed);
    telltale_.current.store(0, std::memory_order_relaxed);
}

// `best` refuted the opponent's move, the `tried` ones before it did not.
void Worker::reward(int ply, const Situation& s, Move best, const Tried& tried) {
    const Color us = pos_.side_to_move();
    const int bonus = bonus_for(s.depth);
    const int malus = malus_for(s.depth);
    Histories& h = *histories_;
    PieceTo& pawn = h.pawn_of(pos_);
    const auto change = [&](Move m, int by) {
        const Piece p = pos_.piece_on(m.from());
        h.butterfly_of(us, m).add(by);
        pawn[p][static_cast<std::size_t>(m.to())].add(by);
        reward_continuation(ply, p, m.to(), by);
    };
    if (is_tactical(pos_, best)) {
        h.capture_of(pos_, best).add(bonus);
    } else {
        frame(ply).killer = best;
        // A first move that cuts at once at low depth says little about the others.
        if (s.depth > 3 || !tried.quiets.empty())
            change(best, bonus);
        for (const Move m : tried.quiets)
            change(m, -malus);
    }
    for (const Move m : tried.captures)
        h.capture_of(pos_, m).add(-malus);
}

// For piece p moving to `to` at `ply`, as an answer to the moves one, two and four plies before.
void Worker::reward_continuation(int ply, Piece p, Square to, int bonus) {
    for (const int back : {1, 2, 4})
        if (frame(ply - back).move)
            (*frame(ply - back).continuation)[p][static_cast<std::size_t>(to)].add(bonus);
}

int Worker::quiet_history(const QuietContext& quiets, Move m) const {
    const Piece p = pos_.piece_on(m.from());
    return histories_->butterfly_of(pos_.side_to_move(), m) + quiets.continuation(p, m.to());
}

QuietContext Worker::context(int ply) {
    return {frame(ply - 1).continuation,
            frame(ply - 2).continuation,
            frame(ply - 4).continuation,
            &histories_->pawn_of(pos_)};
}

Score Worker::corrected(int ply, Score raw) const {
    // Towards the 50-move rule an advantage that makes no progress fades; not against a bare king,
    // where mate is the only progress and older, higher scores would draw the search back.
    const int clock = std::abs(raw) < BareKing ? std::min(pos_.halfmove_clock(), 100) : 0;
    return std::clamp(raw * (200 - clock) / 200 + corrections_->of(pos_, last_moves(ply)),
                      -KnownWin + 1,
                      KnownWin - 1);
}

// What the correction of the last two moves is kept under; none if one of them was a null move.
std::optional<std::size_t> Worker::last_moves(int ply) const {
    const Frame &one = frame(ply - 1), &two = frame(ply - 2);
    if (!one.move || !two.move)
        return std::nullopt;
    const auto index = [](const Frame& f) {
        return static_cast<std::size_t>(f.piece) * 64 + static_cast<std::size_t>(f.move.to());
    };
    return index(one) * 1'024 + index(two);
}

bool Worker::is_draw(int ply) const {
    if (pos_.halfmove_clock() >= 100 && (!pos_.in_check() || has_legal_move(pos_)))
        return true;
    const std::size_t at = root_at_ + static_cast<std::size_t>(ply);
    int earlier = 0;
    for (int back = 4; back <= reversible_[at]; back += 2)
        // Once in the tree is enough; what stood before the root must have stood twice.
        if (keys_[at - static_cast<std::size_t>(back)] == keys_[at] &&
            (back < ply || ++earlier == 2))
            return true;
    return pos_.is_dead();
}

void Worker::make(int ply, Move m, Undo& undo) {
    tt_.prefetch(pos_.key_after(m));
    Frame& f = frame(ply);
    f.move = m;
    f.piece = pos_.piece_on(m.from());
    f.tactical = is_tactical(pos_, m);
    f.continuation = &histories_->continuation_of(f.piece, m.to());
    evaluator_.push(pos_, m);
    pos_.make(m, undo);
    const std::size_t at = root_at_ + static_cast<std::size_t>(ply) + 1;
    keys_[at] = pos_.key();
    reversible_[at] = pos_.halfmove_clock() == 0 ? 0 : reversible_[at - 1] + 1;
    count_node();
}

void Worker::unmake(Move m, const Undo& undo) {
    pos_.unmake(m, undo);
    evaluator_.pop();
}

void Worker::make_null(int ply, Undo& undo) {
    Frame& f = frame(ply);
    f.move = NoMove;
    f.tactical = false;
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
    telltale_.nodes.store(nodes_, std::memory_order_relaxed);
    if (!first_ || --until_poll_ > 0)
        return;
    const std::uint64_t all = all_nodes_();
    control_.poll(all);
    until_poll_ = control_.poll_interval(all);
}

void Worker::extend_line(int ply, Move m) {
    const auto at = static_cast<std::size_t>(ply);
    const auto length = static_cast<std::size_t>(line_length_[at + 1]);
    lines_[at][0] = m;
    std::copy_n(lines_[at + 1].begin(), length, lines_[at].begin() + 1);
    line_length_[at] = line_length_[at + 1] + 1;
}

}  // namespace engine

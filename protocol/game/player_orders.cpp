// Searches that the client orders one by one, as UCI's `go` does: the client sends the whole game
// before each of them, plays the moves of both sides itself and does not say how a game ended.
#include "engine/board/movegen.h"
#include "protocol/game/player.h"

#include <algorithm>

namespace protocol {

using engine::Game;
using engine::Move;
using engine::NoMove;
using engine::Position;

namespace {

// True if the side to move mates with one of its moves.
bool can_mate(const Position& pos) {
    for (const Move move : engine::legal_moves(pos)) {
        Position after = pos;
        after.make(move);
        if (engine::is_checkmate(after))
            return true;
    }
    return false;
}

}  // namespace

// Takes back the move on which we pondered, which was never played.
void Player::take_back_pondered() {
    if (!ponders_ahead_)
        return;
    ponders_ahead_ = false;
    if (game_.ply() == 0)
        return;
    game_.undo();
    position_changed();
}

// For a game that the client ended or one side resigned.
std::optional<std::string> Player::guessed_result() const {
    const std::optional<double> ours = end_guess_.score();
    if (!ours || *ours == 0.5)
        return ours ? std::optional("1/2-1/2 {equal for many moves}") : std::nullopt;
    const bool white_won = (our_side_ == engine::White) == (*ours == 1);
    return white_won ? "1-0 {decided by score}" : "0-1 {decided by score}";
}

void Player::conclude() {
    take_back_pondered();
    // No position followed our last move, so the client did not send it back.
    const bool moved = answered_ && game_.position().is_legal(*answered_);
    if (moved)
        play(*answered_);
    answered_.reset();
    std::optional<std::string> result = result_by_rules(game_);
    // The opponent's last move is not sent either. If they can mate, we assume that they did:
    // otherwise only won games would be learned.
    const engine::Color side = game_.position().side_to_move();
    if (!result && side != our_side_ && can_mate(game_.position()))
        result = side == engine::White ? "1-0 {White mates}" : "0-1 {Black mates}";
    if (!result)
        result = guessed_result();
    if (result)
        ended_ = finished_game(*result);
    end_game();
    if (moved) {  // the client's position is the one before
        game_.undo();
        position_changed();
    }
}

void Player::set_line(const Position& start, const std::vector<Move>& moves) {
    take_back_pondered();
    const std::vector<Move>& known = game_.moves();
    const bool continues = game_.start().fen() == start.fen() && known.size() <= moves.size() &&
                           std::equal(known.begin(), known.end(), moves.begin());
    if (!continues) {
        // A line of several moves without a new game before it: moves taken back, or a game shown.
        const bool fresh = known.empty() || moves.size() <= 1;
        if (!fresh && game_.start().fen() == start.fen() && known.front() == moves.front()) {
            withdraw_end();  // moves were taken back
            spoil_record();
        } else {
            conclude();
        }
        set_position(start);
        if (!fresh)
            record_.mark_unlearnable();
    }
    const auto first = game_.moves().size();
    if (answered_ && first < moves.size() && moves[first] != *answered_)
        spoil_record();  // somebody else chose the move
    if (first < moves.size())
        answered_.reset();
    for (std::size_t i = first; i < moves.size(); ++i)
        play(moves[i]);
}

void Player::order(Order order, Time at) {
    assert(!order_ && search_.task() == Task::None);
    const engine::Limits& limits = order.limits;
    mode_ = Mode::Force;
    in_ordered_game_ = in_ordered_game_ || order.of_game;
    ponders_ahead_ = limits.ponder;
    answered_.reset();
    our_side_ = game_.position().side_to_move();
    used_before_pause_ = {};
    pondered_ = limits.ponder;
    excluded_ = limits.excluded;
    tried_ = {};
    if (!order.of_game)
        spoil_record();
    else if (limits.clock)
        clocks_.tell(*limits.clock);
    else if (limits.move_time)
        clocks_.tell(*limits.move_time);
    order_ = std::move(order);
    if (order_->limits.ponder) {
        thinking_since_ = at;
        thinking_.begin(game_.position());
        return search_.start(Task::Ponder, game_, this->limits(at));
    }
    begin_ordered(at, false);
}

// `ponder_hit`: the search already ponders on this position.
void Player::begin_ordered(Time at, bool ponder_hit) {
    const bool has_moves = engine::has_legal_move(game_.position());
    if (order_->of_game && order_->limits.clock)
        clocks_.start(Whose::Ours, at);
    // The book gives only one line.
    if (order_->of_game && order_->limits.lines <= 1 && has_moves && play_from_book(at))
        return;
    if (ponder_hit && !tried_.moves.empty()) {  // pondering did not exclude these
        halt();
        ponder_hit = false;
    }
    if (!ponder_hit)
        return think(at);
    thinking_since_ = at;
    search_.ponder_hit(limits(at));
}

bool Player::ponder_hit(Time at) {
    if (!order_ || !search_.runs(Task::Ponder))
        return false;
    ponders_ahead_ = false;
    order_->limits.ponder = false;
    begin_ordered(at, true);
    return true;
}

void Player::answer_now() {
    if (!order_)
        return;
    if (search_.runs(Task::Ponder))
        order_->of_game = false;  // the move is for a position that did not arise
    search_.answer_now();
}

void Player::finish_order(engine::SearchResult result) {
    search_.finish();
    measure_speed(result.nodes);
    const bool mated = !result.best;
    if (!mated && result.score == engine::NoScore)
        result.score = engine::Draw;
    const bool returned = !mated && returns_to_book(result);
    if (!mated) {
        thinking_.finish(result, engine::Clock::now());
        last_result_ = result;
    }
    if (order_->of_game && !mated) {
        record_our_move();
        if (!returned) {
            note_book_exit(result);
            end_guess_.update(assess(result, engine::Clock::now()));
        }
    }
    answer(result.best, result.ponder);
}

// Sends the one answer to the order.
void Player::answer(Move move, Move expected) {
    const Order order = std::move(*order_);
    order_.reset();
    if (order.of_game && order.limits.clock)
        clocks_.moved(Whose::Ours, game_.ply() + 1, engine::Clock::now());
    if (order.of_game && move)
        answered_ = move;
    if (move && expected) {
        Position after = game_.position();
        after.make(move);
        if (!after.is_legal(expected))
            expected = NoMove;
    }
    excluded_.clear();
    order.answer(move, expected);
}

}  // namespace protocol

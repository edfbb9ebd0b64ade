// The player's part around the moves: new games, positions, results, pauses, the opponent.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "protocol/game/player.h"
#include "protocol/io/text.h"

#include <algorithm>

namespace protocol {

using engine::Game;
using engine::Move;
using engine::NoMove;
using engine::Position;

bool Player::idle() const {
    const bool no_game = over_ || mode_ == Mode::Force || game_.ply() == 0;
    return no_game && task_ == Task::None && !paused_ && mode_ != Mode::Analysing;
}

void Player::improve_when_idle() {
    if (!settings_.book_improve || !idle())
        return;
    if (const std::optional<Improver::Search> search = improver_.next())
        launch(Task::Improve, search->root, search->limits);
    else
        improver_.request_work();
}

void Player::stop_improving() {
    if (task_ == Task::Improve)
        halt();
    improver_.stop();
}

void Player::offered(const BookWorkAnswer& answer) {
    improver_.receive(answer);
    if (!settings_.book_improve || !idle())
        improver_.stop();
}

void Player::new_game() {
    if (!opponent_fresh_) {
        opponent_ = {.name = {}, .server = opponent_.server};
        our_rating_ = 0;
    }
    opponent_kept_ = opponent_fresh_;
    if (searched_)
        searcher_.clear();
    searched_ = false;
    if (mode_ != Mode::Analysing)
        mode_ = Mode::Playing;
    our_side_ = engine::Black;
    chess960_ = false;
    clocks_.new_game();
    set_position(Position());
}

void Player::set_position(const Position& pos) {
    game_ = Game(pos);
    position_known_ = true;
    over_ = false;
    draw_offered_ = false;
    last_choice_.reset();
    why_.clear();
    clocks_.stop(engine::Clock::now());
    clocks_.new_position();
    record_.new_game();
    if (mode_ == Mode::Analysing || chess960_)
        record_.spoil();
    temper_.new_game();
    position_changed();
}

void Player::lose_position() {
    position_known_ = false;
    clocks_.stop(engine::Clock::now());
    record_.spoil();
    position_changed();
}

void Player::set_chess960(bool on) {
    chess960_ = on;
    if (on)
        record_.spoil();
}

void Player::take_back(int plies) {
    if (game_.ply() < plies)
        return;
    for (int i = 0; i < plies; ++i)
        game_.undo();
    record_.spoil();
    over_ = false;
    draw_offered_ = false;
    last_choice_.reset();
    clocks_.stop(engine::Clock::now());
    temper_.new_game();
    position_changed();
}

void Player::force() {
    clocks_.stop(engine::Clock::now());
    if (mode_ != Mode::Analysing)
        mode_ = Mode::Force;
}

void Player::analyse() {
    mode_ = Mode::Analysing;
    clocks_.stop(engine::Clock::now());
    settle();
}

void Player::leave_analysis() {
    if (mode_ != Mode::Analysing)
        return;
    halt();
    mode_ = Mode::Force;
}

void Player::move_now() {
    if (task_ == Task::Think && !paused_)
        searcher_.stop();
}

void Player::ponder(bool on) {
    pondering_on_ = on;
    if (!on && task_ == Task::Ponder)
        halt();
}

// Frozen: the search is given up and begun again with what is left of the time.
void Player::pause(Time at) {
    if (paused_ || task_ == Task::None)
        return;
    const Task task = task_;
    const auto spent = std::chrono::duration_cast<engine::milliseconds>(at - thinking_since_);
    halt();
    clocks_.stop(at);
    paused_ = true;
    task_ = task;
    if (task == Task::Think)
        used_ += std::max(engine::milliseconds(0), spent);
}

void Player::resume(Time at) {
    if (!paused_)
        return;
    paused_ = false;
    const Task task = task_;
    task_ = Task::None;
    if (task == Task::Ponder)
        start_pondering();
    if (task == Task::Think) {
        thinking_since_ = at;
        clocks_.start(Whose::Ours, at);
        thinking_.begin(game_.position(), NoMove, false);
        launch(Task::Think, game_, own_limits(at));
    }
    settle();
}

bool Player::exclude(std::string_view text, bool excluded) {
    const Position& pos = game_.position();
    if (text == "all") {
        excluded_.clear();
        if (excluded)
            for (const Move move : engine::legal_moves(pos))
                excluded_.push_back(move);
    } else {
        const auto move = engine::parse_move(pos, text);
        if (!move)
            return false;
        std::erase(excluded_, *move);
        if (excluded)
            excluded_.push_back(*move);
    }
    if (mode_ == Mode::Analysing) {
        halt();
        settle();
    }
    return true;
}

void Player::meet(std::string_view name) {
    // One kept over `new` whose game never began gives way to another.
    if (!opponent_fresh_ || (opponent_kept_ && name != opponent_.name)) {
        opponent_ = {.name = {}, .server = opponent_.server};
        our_rating_ = 0;
    }
    opponent_.name = std::string(name);
    opponent_fresh_ = true;
    opponent_kept_ = false;
}

void Player::set_rating(int ours, int theirs) {
    our_rating_ = std::max(0, ours);
    opponent_.rating = std::max(0, theirs);
    opponent_fresh_ = true;
}

void Player::complete(book::GameRecord& game) const {
    game.opponent = opponent_;
    game.our_rating = our_rating_;
    game.time = clocks_.time_class();
}

void Player::note_exit(const engine::SearchResult& choice) {
    if (!record_.searched(game_.ply(), choice.score, choice.depth) || !settings_.book_learn)
        return;
    if (std::optional<book::GameRecord> game = record_.in_progress(game_)) {
        complete(*game);
        books_.worker().note(std::move(*game));
    }
}

void Player::result(std::string_view token, std::string_view comment) {
    over_ = mode_ != Mode::Analysing;
    clocks_.stop(engine::Clock::now());
    const std::optional<Ending> ending = parse_result(token, comment);
    if (!ending)
        return;
    std::optional<book::GameRecord> game = record_.finish(game_, *ending);
    if (!game || !settings_.book_learn)
        return;
    complete(*game);
    game->reason = printable(comment);
    books_.worker().learn(std::move(*game));
    improver_.book_changed();
}

}  // namespace protocol

// What the player does around the moves: modes, positions, pauses, results and idle searches.
#include "protocol/game/player.h"

#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "protocol/io/text.h"

#include <algorithm>
#include <utility>

namespace protocol {

using engine::Game;
using engine::Move;
using engine::NoMove;
using engine::Position;

Player::Player(engine::Searcher& searcher, Books& books, Queue<Event>& mail, Output& out)
    : searcher_(searcher), books_(books), out_(out), thinking_(out), search_(searcher, mail),
      improver_(books.worker(), out) {}

State Player::state() const {
    if (mode_ == Mode::Analysing)
        return State::Analysing;
    if (search_.task() == Task::Think)
        return State::Thinking;
    if (search_.task() == Task::Ponder)
        return State::Pondering;
    if (mode_ == Mode::Force)
        return State::Force;
    return mode_ == Mode::Over ? State::Over : State::Observing;
}

void Player::use(const Settings& settings) {
    settings_ = settings;
    improver_.book_changed();
}

void Player::receive(const SearchReport& report) {
    if (!search_.is_current(report))
        return;
    const Task task = search_.task();
    const auto* const result = std::get_if<engine::SearchResult>(&report.what);
    if (task == Task::Improve && result) {
        search_.finish();
        improver_.searched(*result);
    } else if (task == Task::Think && result) {
        const auto on_the_way = engine::Clock::now() - report.sent;
        if (!clocks_.nodes_per_second())
            clocks_.lag().stalled(result->stall +
                                  std::chrono::duration_cast<engine::milliseconds>(on_the_way));
        order_ ? finish_order(*result) : finish_thinking(*result);
    } else if (task != Task::Improve && !result) {
        thinking_.add(std::get<engine::SearchInfo>(report.what), engine::Clock::now());
    }
}

void Player::halt() {
    paused_ = move_now_after_pause_ = false;
    search_.halt();
    thinking_.halt();
}

void Player::while_idle(const std::function<void()>& work) {
    const bool pondering = search_.runs(Task::Ponder);
    if (pondering || search_.runs(Task::Analyse))
        halt();
    work();
    if (pondering)
        start_pondering();
    restart_analysis();
}

// Analysis

void Player::analyse() {
    mode_ = Mode::Analysing;
    told_end_ = false;
    clocks_.stop(engine::Clock::now());
    restart_analysis();
}

void Player::restart_analysis() {
    if (mode_ != Mode::Analysing || search_.task() != Task::None || !position_legal_)
        return;
    if (!engine::has_legal_move(game_.position())) {
        if (thinking_.posting() && !std::exchange(told_end_, true))
            thinking_.no_move(game_.position());
        return;
    }
    if (static_cast<int>(excluded_.size()) >= engine::count_legal_moves(game_.position()))
        return;  // no move to search
    engine::Limits limits;
    limits.excluded = excluded_;
    limits.lines = settings_.multi_pv;
    thinking_.begin_analysis(game_.position());
    search_.start(Task::Analyse, game_, limits);
    show_tables(limits.excluded);
}

// Prints what endgame tables know about the position, and about the moves that are searched.
void Player::show_tables(const std::vector<Move>& excluded) {
    if (!thinking_.posting())
        return;
    std::optional<engine::TableResult> known = searcher_.table_result(game_);
    if (!known || known->moves.empty())
        return;
    const Move best = known->moves.front();
    std::erase_if(known->moves, [&excluded](Move move) {
        return std::find(excluded.begin(), excluded.end(), move) != excluded.end();
    });
    if (known->moves.empty())
        return;
    if (known->moves.front() != best)
        known->plies = 0;  // it was that of the best move, which is excluded
    thinking_.table_result(*known);
}

void Player::leave_analysis() {
    if (mode_ != Mode::Analysing)
        return;
    halt();
    mode_ = Mode::Force;
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
        restart_analysis();
    }
    return true;
}

engine::Progress Player::progress() const {
    const Task task = search_.task();
    return task == Task::None || task == Task::Improve ? engine::Progress{} : searcher_.progress();
}

// Searches for the book

bool Player::is_idle() const {
    const bool begun = in_ordered_game_ || record_.has_begun() || opponent_.introduced();
    const bool no_game = mode_ == Mode::Over ||
                         (mode_ == Mode::Force && (!begun || result_told_)) ||
                         (game_.ply() == 0 && !opponent_.introduced());
    return no_game && !paused_ && search_.task() == Task::None && mode_ != Mode::Analysing;
}

void Player::improve_when_idle() {
    if (!settings_.book_improve || !is_idle())
        return;
    if (const std::optional<Improver::Search> search = improver_.next())
        search_.start(Task::Improve, search->root, search->limits);
    else
        improver_.request_work();
}

void Player::stop_improving() {
    if (search_.task() == Task::Improve)
        halt();
    improver_.stop();
}

void Player::receive(const BookWorkAnswer& answer) {
    improver_.receive(answer);
    if (!settings_.book_improve || !is_idle())
        improver_.stop();
}

// Games and positions

void Player::new_game() {
    end_game();
    ++games_begun_;
    opponent_.new_game();
    search_.forget();
    if (mode_ != Mode::Analysing)
        mode_ = Mode::Playing;
    our_side_ = engine::Black;
    answered_.reset();
    ponders_ahead_ = in_ordered_game_ = false;
    chess960_ = false;
    clocks_.new_game();
    set_position(Position());
}

void Player::set_position(const Position& pos) {
    game_ = Game(pos);
    position_legal_ = true;
    why_.clear();
    clocks_.new_position();
    begin_record();
    result_told_ = false;
    reset_position();
}

void Player::begin_record() {
    record_.new_game();
    left_book_ = false;
    if (mode_ == Mode::Analysing)
        record_.mark_unlearnable();
}

void Player::take_back(int plies) {
    assert(plies <= game_.ply());
    // A client that sends no `new` takes back the moves of the last game, except a first move that
    // both games share.
    const bool next_game = result_told_ && game_.ply() - plies <= 1;
    if (!next_game)
        spoil_record();
    for (int i = 0; i < plies; ++i)
        game_.undo();
    if (next_game) {
        begin_record();
        clocks_.next_game();
    }
    reset_position();
}

// Forgets what belonged to the position that is no longer on the board.
void Player::reset_position() {
    if (mode_ == Mode::Over)
        mode_ = Mode::Playing;
    draw_offer_ply_.reset();
    drawn_before_move_ = false;
    last_result_.reset();
    clocks_.stop(engine::Clock::now());
    end_policy_.new_game();
    end_guess_.new_game();
    position_changed();
}

void Player::set_illegal_position() {
    position_legal_ = false;
    clocks_.stop(engine::Clock::now());
    spoil_record();
    position_changed();
}

void Player::position_changed() {
    excluded_.clear();
    tried_ = {};
    expected_ = NoMove;
    told_end_ = false;
    withdraw_end();
}

void Player::force() {
    clocks_.stop(engine::Clock::now());
    if (mode_ != Mode::Analysing)
        mode_ = Mode::Force;
}

void Player::ponder(bool on) {
    pondering_on_ = on;
    if (!on && search_.task() == Task::Ponder)
        halt();
    // Not before the game's first move: clients send `hard` after `new`.
    if (on && !paused_ && search_.task() == Task::None && game_.ply() > 0 && position_legal_ &&
        game_.position().side_to_move() != our_side_)
        start_pondering();
}

// In a pause, the move is made on `resume`.
void Player::move_now() {
    move_now_after_pause_ = paused_ && search_.task() == Task::Think;
    search_.move_now();
}

// The search is halted, and started again on `resume` with the rest of the move's time.
void Player::pause(Time at) {
    paused_ = true;
    clocks_.pause(at);
    const Task task = search_.pause();
    if (task == Task::None)
        return;
    thinking_.halt();
    if (task == Task::Think)
        used_before_pause_ +=
            clocks_.nodes_per_second()
                ? clocks_.searched(searcher_.progress().nodes)
                : std::max(engine::milliseconds(0),
                           std::chrono::duration_cast<engine::milliseconds>(at - thinking_since_));
}

void Player::resume(Time at) {
    paused_ = false;
    clocks_.resume(at);
    const Task task = search_.unpause();
    if (task == Task::Ponder)
        start_pondering();
    if (task == Task::Think) {
        think(at);
        if (std::exchange(move_now_after_pause_, false))
            search_.move_now();
    }
    restart_analysis();
}

// A result from the client replaces our own.
void Player::result(std::string_view text) {
    const bool was_playing = mode_ == Mode::Playing;
    if (was_playing)
        mode_ = Mode::Over;
    clocks_.stop(engine::Clock::now());
    // The draw was agreed or claimed before our last move, or the move came too late, so it was not
    // played.
    const bool drawn_before = std::exchange(drawn_before_move_, false) && text.starts_with("1/2");
    if (was_playing && (drawn_before || came_too_late(text))) {
        game_.undo();
        position_changed();
    }
    ended_ = finished_game(text);
    if (!ended_) {
        if (record_.in_book() && is_adjourned(text, opponent_.opponent().name))
            note(game_);
        record_.keep_note();
    }
    end_game();
    result_told_ = true;
}

// True if we have lost on time after our move.
bool Player::came_too_late(std::string_view result) const {
    const std::optional<Ending> ending = parse_result(result, opponent_.opponent().name);
    return ending && ending->termination == book::Termination::Flag &&
           ending->white_score == (our_side_ == engine::White ? 0 : 1) && game_.ply() > 0 &&
           game_.position().side_to_move() != our_side_;
}

void Player::end_game() {
    if (!ended_)
        return;
    if (settings_.book_learn) {
        record_.mark_unlearnable();  // it must count only once
        books_.worker().learn(std::move(*ended_));
        improver_.book_changed();
    } else {
        spoil_record();
    }
    ended_.reset();
}

std::optional<book::GameRecord> Player::finished_game(std::string_view result) const {
    const std::optional<Ending> ending = parse_result(result, opponent_.opponent().name);
    std::optional<book::GameRecord> game = ending ? record_.finished(game_, *ending) : std::nullopt;
    if (game)
        complete(*game);
    return game;
}

// The game teaches nothing: removes its note, which would wait for a result forever.
void Player::spoil_record() {
    if (std::optional<book::GameRecord> noted = record_.spoil(game_))
        books_.worker().learn(std::move(*noted));
}

void Player::complete(book::GameRecord& game) const {
    game.opponent = opponent_.opponent();
    game.our_rating = opponent_.our_rating();
    game.time = clocks_.time_class();
    game.time_control = clocks_.time_control();
    game.event = opponent_.event();
}

// What we know about the position

Move Player::hint() {
    if (!position_legal_)
        return NoMove;
    const Position& pos = game_.position();
    const bool our_game = mode_ == Mode::Playing || mode_ == Mode::Over;
    if (our_game && expected_ && pos.is_legal(expected_))
        return expected_;
    const Move best = thinking_.best_move();
    if (mode_ == Mode::Analysing && best && pos.is_legal(best))
        return best;
    if (game_.starts_normally()) {
        const std::vector<book::Row> rows = books_.table(pos, book_options());
        if (!rows.empty() && pos.is_legal(rows.front().move))
            return rows.front().move;
    }
    return NoMove;
}

std::string Player::coordinates(Move move) const {
    if (chess960_ && move.kind() == engine::MoveKind::Castling)
        return engine::file_of(move.to()) > engine::file_of(move.from()) ? "O-O" : "O-O-O";
    return engine::to_coordinates(move);
}

}  // namespace protocol

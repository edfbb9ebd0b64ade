#include "protocol/game/player.h"

#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "protocol/io/text.h"

#include <algorithm>

namespace protocol {

using engine::Color;
using engine::Game;
using engine::Move;
using engine::NoMove;
using engine::Position;

Player::Player(engine::Searcher& searcher, Books& books, Queue<Event>& mail, Output& out)
    : searcher_(searcher), books_(books), mail_(mail), out_(out), thinking_(out),
      improver_(books.worker(), out) {}

State Player::state() const {
    if (mode_ == Mode::Analysing)
        return State::Analysing;
    if (task_ == Task::Think)
        return State::Thinking;
    if (task_ == Task::Ponder)
        return State::Pondering;
    if (mode_ == Mode::Force)
        return State::Force;
    return over_ ? State::Over : State::Observing;
}

// The search

void Player::halt() {
    if (task_ != Task::None && !paused_) {
        ++search_;
        searcher_.stop();
        searcher_.wait();
    }
    task_ = Task::None;
    paused_ = false;
}

void Player::launch(Task task, const Game& game, const engine::Limits& limits) {
    const int number = ++search_;
    task_ = task;
    searched_ = true;
    searcher_.start(
        game,
        limits,
        [&mail = mail_, number](const engine::SearchInfo& thought) {
            mail.put(SearchReport{number, thought});
        },
        [&mail = mail_, number](const engine::SearchResult& choice) {
            mail.put(SearchReport{number, choice});
        });
}

void Player::found(const SearchReport& report) {
    if (report.search_number != search_ || task_ == Task::None || paused_)
        return;
    if (task_ == Task::Improve) {
        if (const auto* choice = std::get_if<engine::SearchResult>(&report.what)) {
            task_ = Task::None;
            improver_.searched(*choice);
        }
        return;
    }
    if (const auto* thought = std::get_if<engine::SearchInfo>(&report.what))
        return thinking_.add(*thought, engine::Clock::now());
    if (task_ == Task::Think)
        chosen(std::get<engine::SearchResult>(report.what));
}

void Player::while_idle(const std::function<void()>& work) {
    const bool pondering = task_ == Task::Ponder && !paused_;
    if (task_ != Task::None && !paused_)
        halt();
    work();
    if (pondering)
        start_pondering();
    settle();
}

void Player::settle() {
    if (mode_ != Mode::Analysing || task_ != Task::None || !position_known_)
        return;
    if (!engine::has_legal_move(game_.position()))
        return;
    engine::Limits limits;
    limits.excluded = excluded_;
    if (static_cast<int>(excluded_.size()) >= engine::count_legal_moves(game_.position()))
        return;  // all of them
    thinking_.begin(game_.position(), NoMove, false);
    launch(Task::Analyse, game_, limits);
}

// Our own moves

void Player::go(Time at) {
    if (task_ == Task::Think || !position_known_)
        return;
    halt();
    mode_ = Mode::Playing;
    over_ = false;
    answer(at, false);
}

void Player::play_other(Time at) {
    mode_ = Mode::Playing;
    over_ = false;
    draw_offered_ = false;
    const Color side = ~game_.position().side_to_move();
    if (side != our_side_)
        clocks_.change_sides();
    our_side_ = side;
    clocks_.start(Whose::Theirs, at);
    if (position_known_ && !verdict(game_))
        start_pondering();
}

// It is our turn. `hit`: the search already ponders on this position.
void Player::answer(Time at, bool hit) {
    const Color side = game_.position().side_to_move();
    if (side != our_side_)
        clocks_.change_sides();
    our_side_ = side;
    if (declare_end())
        return;
    clocks_.start(Whose::Ours, at);
    if (play_from_book())
        return;
    if (!hit)
        return think(at);
    task_ = Task::Think;
    thinking_since_ = at;
    used_ = {};
    thinking_.hit(at);
    searcher_.ponder_hit(own_limits(at));
}

// Claims what can be claimed; true if there is nothing left to play.
bool Player::declare_end() {
    const std::optional<std::string> end = verdict(game_);
    if (!end)
        return false;
    out_.declare(*end);
    if (claimable(game_))
        return false;
    halt();
    over_ = true;
    return true;
}

bool Player::play_from_book() {
    if (!settings_.own_book || chess960_ || !game_.starts_normally() || !excluded_.empty())
        return false;
    book::ChooseOptions options;
    options.time = clocks_.time_class();
    options.opponent = &opponent_;
    options.match = settings_.book_match;
    const std::optional<book::Chosen> chosen = books_.choose(game_, options);
    if (!chosen)
        return false;
    halt();
    record_.our_move(game_);
    record_.from_book(chosen->draw);
    why_ = chosen->why;
    out_.comment("book: " + chosen->why);
    Game after = game_;
    after.play(chosen->move);
    std::string text = engine::to_san(game_.position(), chosen->move);
    if (const std::string name = books_.opening(after); !name.empty())
        text += ", " + name;
    thinking_.book_move(text, chosen->row.value);
    if (brings_claim(game_, chosen->move))
        out_.declare("offer draw");
    make_own_move(chosen->move, NoMove);
    return true;
}

engine::Limits Player::own_limits(Time at) const {
    engine::Limits limits = clocks_.limits(game_.ply(), at);
    if (limits.move_time)
        limits.move_time = std::max(engine::milliseconds(1), *limits.move_time - used_);
    if (static_cast<int>(excluded_.size()) < engine::count_legal_moves(game_.position()))
        limits.excluded = excluded_;
    return limits;
}

void Player::think(Time at) {
    thinking_since_ = at;
    used_ = {};
    thinking_.begin(game_.position(), NoMove, false);
    launch(Task::Think, game_, own_limits(at));
}

void Player::chosen(engine::SearchResult choice) {
    task_ = Task::None;
    assert(game_.position().is_legal(choice.best));
    if (!game_.position().is_legal(choice.best))
        choice.best = fallback();
    if (choice.score == engine::NoScore)
        choice.score = engine::Draw;
    thinking_.finish(choice, engine::Clock::now());
    last_choice_ = choice;
    why_ = "search: " + engine::to_san(game_.position(), choice.best) + ", depth " +
           std::to_string(choice.depth) + ", score " + std::to_string(xboard_score(choice.score)) +
           ", " + std::to_string(choice.nodes) + " nodes";
    record_.our_move(game_);
    note_exit(choice);
    if (speak_before(choice.best, choice))
        make_own_move(choice.best, choice.ponder);
}

// Any move at all rather than a lost game; only a broken search needs it.
Move Player::fallback() const {
    return *engine::legal_moves(game_.position()).begin();
}

// Offers and resigns; false if we resigned.
bool Player::speak_before(Move move, const engine::SearchResult& choice) {
    const Standing now = standing(choice.score, choice.depth);
    temper_.chosen(now, settings_.resign_score_cp);
    if (settings_.resign && temper_.resigns()) {
        over_ = true;
        clocks_.stop(engine::Clock::now());
        out_.declare("resign");
        return false;
    }
    const bool accepted = draw_offered_ && accepts_draw(now);
    if (accepted || claimable(game_) || brings_claim(game_, move) || temper_.offers_draw(now))
        out_.declare("offer draw");
    return true;
}

void Player::make_own_move(Move move, Move expected) {
    const std::string text = coordinates(move);
    game_.play(move);
    clocks_.moved(Whose::Ours, game_.ply(), engine::Clock::now());
    opponent_fresh_ = false;
    out_.say("move " + text);
    position_changed();
    draw_offered_ = false;
    // A draw that our move lets someone claim is claimed by the offer before it.
    if (!claimable(game_) && declare_end())
        return;
    clocks_.start(Whose::Theirs, engine::Clock::now());
    expected_ = expected && game_.position().is_legal(expected) ? expected : NoMove;
    start_pondering();
}

void Player::start_pondering() {
    if (!pondering_on_ || mode_ != Mode::Playing || over_)
        return;
    Game after = game_;
    if (expected_) {
        after.play(expected_);
        if (after.status() != engine::Status::Ongoing)
            after = game_;
    }
    const bool prefixed = after.ply() > game_.ply();
    if (!prefixed)
        expected_ = NoMove;
    if (!engine::has_legal_move(after.position()))
        return;
    engine::Limits limits;
    limits.ponder = true;
    thinking_.begin(game_.position(), expected_, !prefixed);
    launch(Task::Ponder, after, limits);
}

// The opponent's moves

std::optional<Refusal> Player::user_move(std::string_view text, Time at) {
    const auto move = engine::parse_move(game_.position(), text);
    if (!position_known_ && (move || move.error() != engine::NoMoveBecause::NotAMove))
        return Refusal::NoPosition;
    if (!move) {
        switch (move.error()) {
        case engine::NoMoveBecause::NotAMove:
            return Refusal::NotAMove;
        case engine::NoMoveBecause::Ambiguous:
            return Refusal::Ambiguous;
        case engine::NoMoveBecause::Illegal:
            return task_ == Task::Think ? Refusal::NotYourTurn : Refusal::Illegal;
        }
    }
    if (task_ == Task::Think)
        return Refusal::NotYourTurn;
    const bool playing = mode_ == Mode::Playing && !over_;
    const bool hit = task_ == Task::Ponder && !paused_ && *move == expected_;
    if (playing)
        clocks_.moved(Whose::Theirs, game_.ply() + 1, at);
    if (!hit)
        halt();
    if (mode_ == Mode::Analysing)
        record_.spoil();
    game_.play(*move);
    position_changed();
    opponent_fresh_ = false;
    if (playing)
        answer(at, hit);
    settle();
    return std::nullopt;
}

void Player::position_changed() {
    excluded_.clear();
    expected_ = NoMove;
}

void Player::draw_offered() {
    if (over_ || mode_ != Mode::Playing)
        return;
    draw_offered_ = true;
    if (task_ == Task::Think || !last_choice_)
        return;
    if (accepts_draw(standing(last_choice_->score, last_choice_->depth))) {
        draw_offered_ = false;
        out_.declare("offer draw");
    }
}

Standing Player::standing(engine::Score score, int depth) const {
    const bool rated = our_rating_ > 0 && opponent_.rating > 0;
    return {.score = score,
            .depth = depth,
            .ply = game_.ply(),
            .men = engine::popcount(game_.position().pieces()),
            .halfmove_clock = game_.position().halfmove_clock(),
            .rating_lead = rated ? our_rating_ - opponent_.rating : 0,
            .ours = clocks_.left(Whose::Ours),
            .theirs = clocks_.exact() ? engine::milliseconds(0) : clocks_.left(Whose::Theirs),
            .increment = clocks_.increment()};
}

Move Player::hint() {
    const Position& pos = game_.position();
    if (mode_ == Mode::Playing && expected_ && pos.is_legal(expected_))
        return expected_;
    if (game_.starts_normally() && !chess960_ && position_known_) {
        const std::vector<book::Row> rows = books_.table(pos, clocks_.time_class());
        if (!rows.empty() && pos.is_legal(rows.front().move))
            return rows.front().move;
    }
    return NoMove;
}

engine::Progress Player::progress() const {
    return task_ == Task::Analyse ? searcher_.progress() : engine::Progress{};
}

std::string Player::coordinates(Move move) const {
    if (chess960_ && move.kind() == engine::MoveKind::Castling)
        return engine::file_of(move.to()) > engine::file_of(move.from()) ? "O-O" : "O-O-O";
    return engine::to_coordinates(move);
}

}  // namespace protocol

// The player's moves, and what it does with those of the opponent.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "protocol/game/player.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace protocol {

using engine::Color;
using engine::Game;
using engine::Move;
using engine::NoMove;

// A move of either side.
void Player::play(Move move) {
    game_.play(move);
    opponent_.move_played();
    position_changed();
    const std::optional<std::string> result = result_without_claim(game_);
    if (result && !record_.was_moved_by_others())
        ended_ = finished_game(*result);
}

// Our moves

// To be called before the move is played. Games at limited strength are not learned: their results
// say more about our mistakes than about the opening.
void Player::record_our_move() {
    if (settings_.limit_strength || record_.plays_both(game_))
        spoil_record();
    if (!record_.has_begun())
        result_told_ = false;  // it was that of the last game
    record_.our_move(game_);
}

void Player::go(Time at) {
    if (search_.task() == Task::Think || !position_legal_)
        return;
    halt();
    mode_ = Mode::Playing;
    begin_our_turn(at, false);
}

void Player::play_other(Time at) {
    mode_ = Mode::Playing;
    const Color side = ~game_.position().side_to_move();
    if (side != our_side_) {
        clocks_.change_sides();
        last_result_.reset();
    }
    our_side_ = side;
    clocks_.start(Whose::Theirs, at);
    if (position_legal_ && !result_by_rules(game_))
        start_pondering();
}

// `ponder_hit`: the search already ponders on this position.
void Player::begin_our_turn(Time at, bool ponder_hit) {
    const Color side = game_.position().side_to_move();
    if (side != our_side_)
        clocks_.change_sides();
    our_side_ = side;
    // If a draw can be claimed, the search decides whether we claim it.
    if (!needs_claim(game_) && claim_end())
        return;
    clocks_.start(Whose::Ours, at);
    if (play_from_book(at))
        return;
    used_before_pause_ = {};
    pondered_ = ponder_hit;
    // Search anew if pondering included the tried moves, or if its nodes would run on our clock.
    if (ponder_hit && (!tried_.moves.empty() || clocks_.nodes_per_second())) {
        halt();
        ponder_hit = false;
    }
    if (!ponder_hit)
        return think(at);
    thinking_since_ = at;
    thinking_.ponder_hit(at);
    search_.ponder_hit(limits(at));
}

// Claims a result by the rules. Returns true if the game is over. After a draw claim the game goes
// on until the client agrees. So does a dead position on a server: FICS lets some of them go on, as
// after a check or with a bishop on each side.
bool Player::claim_end() {
    const std::optional<std::string> result = result_by_rules(game_);
    if (!result)
        return false;
    if (!record_.was_moved_by_others())
        ended_ = finished_game(*result);
    const bool goes_on = opponent_.on_server() && game_.status() == engine::Status::DeadPosition;
    if (!goes_on || end_policy_.take_dead_position_claim())
        out_.declare(*result);
    if (goes_on || can_claim_draw(game_))
        return false;
    halt();
    mode_ = Mode::Over;
    return true;
}

book::ChooseOptions Player::book_options() const {
    book::ChooseOptions options;
    options.time = clocks_.time_class();
    options.opponent = &opponent_.opponent();
    options.match = settings_.book_match;
    options.variety = settings_.book_variety;
    options.min_games = settings_.book_min_games;
    options.max_ply =
        settings_.book_depth > 0 ? 2 * settings_.book_depth : std::numeric_limits<int>::max();
    if (settings_.limit_strength) {  // a weaker player knows fewer moves, and varies more
        options.match = false;
        options.variety = std::max(options.variety, 100 - (settings_.elo - engine::MinElo) / 40.0);
        options.max_ply =
            std::min(options.max_ply, 2 * (2 + (settings_.elo - engine::MinElo) / 80));
    }
    return options;
}

// The strength limit of our searches for moves, if any. Every game has its own mistakes.
std::optional<engine::Strength> Player::strength() const {
    if (!settings_.limit_strength || (order_ && !order_->of_game))
        return std::nullopt;
    return engine::Strength{settings_.elo, settings_.seed + games_begun_, settings_.human_time};
}

// How many nodes a search would take if the book had no move. 0 without a limit, and at limited
// strength, where the book knows more than any search.
double Player::expected_nodes(Time at) const {
    if (strength())
        return 0;
    const engine::Limits limits = this->limits(at);
    const double speed = limits.nodes_per_second
                             ? static_cast<double>(*limits.nodes_per_second) / 1'000
                             : nodes_per_ms_;
    constexpr double Unlimited = std::numeric_limits<double>::infinity();
    double nodes = Unlimited;
    if (limits.clock || limits.move_time)
        nodes = static_cast<double>(engine::expected_time(limits).count()) * speed;
    if (limits.nodes)
        nodes = std::min(nodes, static_cast<double>(*limits.nodes));
    if (limits.depth)  // fits bench searches of 6 to 20 plies within a factor of two
        nodes = std::min(nodes, 36 * std::pow(1.79, *limits.depth));
    return nodes < Unlimited ? nodes : 0;
}

// Ignores short searches, whose time is mostly the start of threads, and searches at limited
// strength, which take a person's time.
void Player::measure_speed(std::uint64_t nodes) {
    const auto spent =
        std::chrono::duration_cast<engine::milliseconds>(engine::Clock::now() - thinking_since_);
    // With so few nodes the search was over at once, and the time is the machine's delay.
    constexpr std::uint64_t MinNodes = 1'000;
    if (pondered_ || settings_.limit_strength || spent < engine::milliseconds(50) ||
        nodes < MinNodes)
        return;
    nodes_per_ms_ = static_cast<double>(nodes) / static_cast<double>(spent.count());
}

// Prints once, when the book ends, why it has no move.
void Player::tell_left_book() {
    const std::string because = books_.left_because();
    if (!because.empty() && !left_book_)
        out_.comment("book: left: " + because);
    left_book_ = true;
}

bool Player::play_from_book(Time at) {
    tried_ = {};
    if (!settings_.own_book || !game_.starts_normally() || !excluded_.empty())
        return false;
    book::ChooseOptions options = book_options();
    options.expected_nodes = std::llround(expected_nodes(at));
    const std::optional<book::Chosen> chosen = books_.choose(game_, options);
    if (!chosen) {
        tried_ = books_.tried();
        tell_left_book();
        return false;
    }
    left_book_ = false;
    last_result_.reset();  // no draw is accepted by an earlier score
    halt();
    record_our_move();
    record_.from_book(chosen->draw);
    why_ = chosen->why;
    out_.comment("book: " + chosen->why);
    Game after = game_;
    after.play(chosen->move);
    std::string text = engine::to_san(game_.position(), chosen->move);
    if (const std::string name = books_.opening(after); !name.empty())
        text += ", " + name;
    thinking_.book_move(chosen->move, text, chosen->row.value);
    if (order_) {
        answer(chosen->move, NoMove);
        return true;
    }
    drawn_before_move_ = needs_claim(game_);
    if (drawn_before_move_)
        claim_end();
    if (can_claim_draw_after(game_, chosen->move))
        out_.declare("offer draw");
    make_our_move(chosen->move, NoMove);
    return true;
}

engine::Limits Player::limits(Time at) const {
    engine::Limits limits = clocks_.limits(game_.ply(), at);
    if (order_) {
        const milliseconds reserve = limits.reserve;
        limits = order_->limits;
        limits.started = at;
        limits.reserve = reserve;
        limits.excluded.clear();
    }
    if (limits.move_time)
        limits.move_time =
            std::max(engine::milliseconds(1), *limits.move_time - used_before_pause_);
    if (settings_.move_overhead_ms >= 0)
        limits.reserve = {};
    limits.strength = strength();
    const std::vector<Move>& excluded = excluded_.empty() ? tried_.moves : excluded_;
    if (static_cast<int>(excluded.size()) < engine::count_legal_moves(game_.position()))
        limits.excluded = excluded;
    return limits;
}

void Player::think(Time at) {
    thinking_since_ = at;
    thinking_.count_nodes(clocks_.nodes_per_second());
    thinking_.begin(game_.position());
    const engine::Limits limits = this->limits(at);
    search_.start(Task::Think, game_, limits);
    if (!limits.strength)  // limited strength plays without the tables
        show_tables(limits.excluded);
}

// Where the book's moves did badly, the search considered only other moves. If its move does not
// promise more than the best of the book's, that one replaces it.
bool Player::returns_to_book(engine::SearchResult& result) {
    const bool looked =
        tried_.best && excluded_.empty() &&
        std::find(tried_.moves.begin(), tried_.moves.end(), result.best) == tried_.moves.end();
    if (!looked || book::promises_more(tried_, result.score))
        return false;
    out_.comment(fmt::format("book: the search's {0} promises no more than {1}, so {1} is played",
                             engine::to_san(game_.position(), result.best),
                             engine::to_san(game_.position(), *tried_.best)));
    result.best = *tried_.best;
    result.ponder = NoMove;
    result.score = engine::Draw;  // the score of another move is no reason to resign
    return true;
}

void Player::finish_thinking(engine::SearchResult result) {
    search_.finish();
    measure_speed(result.nodes);
    clocks_.searched(result.nodes);
    assert(game_.position().is_legal(result.best));
    if (!game_.position().is_legal(result.best))  // any move rather than a lost game
        result.best = engine::legal_moves(game_.position())[0];
    if (result.score == engine::NoScore)
        result.score = engine::Draw;
    const bool returned = returns_to_book(result);
    thinking_.finish(result, engine::Clock::now());
    last_result_ = result;
    why_ = fmt::format("search: {}, depth {}, score {}, {} nodes",
                       engine::to_san(game_.position(), result.best),
                       result.depth,
                       xboard_score(result.score),
                       result.nodes);
    record_our_move();
    if (!returned)
        note_book_exit(result);
    if (offer_or_resign(result.best, result))
        make_our_move(result.best, result.ponder);
}

// Stores the score of the first search out of the book at once, because the game may never end.
// Includes our move, so that a resumed game is recognised.
void Player::note_book_exit(const engine::SearchResult& result) {
    if (!record_.searched(game_.ply(), result.score, result.depth))
        return;
    engine::Game after = game_;
    after.play(result.best);
    note(after);
}

void Player::note(const Game& so_far) {
    std::optional<book::GameRecord> game = record_.in_progress(so_far);
    if (!game || !settings_.book_learn)
        return;
    complete(*game);
    books_.worker().note(std::move(*game));
    record_.mark_noted();
}

// Returns false if we resigned.
bool Player::offer_or_resign(Move move, const engine::SearchResult& result) {
    const Assessment now = assess(result, engine::Clock::now());
    // Whatever the score, a move that mates is better than a draw.
    const bool drawn = can_claim_draw(game_) && claims_draw(now.score) &&
                       game_.status_after(move) != engine::Status::Checkmate;
    // An offer lapses once both sides have moved after it.
    const bool offered = draw_offer_ply_ && game_.ply() - *draw_offer_ply_ <= 1;
    const bool accepts = offered && accepts_draw(now);
    end_policy_.update(now, settings_.resign_score_cp);
    if (settings_.resign && !drawn && !accepts && end_policy_.resigns()) {
        mode_ = Mode::Over;
        end_policy_.new_game();  // if the client plays on, count lost moves anew
        clocks_.stop(engine::Clock::now());
        out_.declare("resign");
        ended_ = finished_game(our_side_ == engine::White ? "0-1 {White resigns}"
                                                          : "1-0 {Black resigns}");
        return false;
    }
    drawn_before_move_ = accepts || (drawn && needs_claim(game_));
    if (drawn && needs_claim(game_))
        claim_end();
    if (accepts || drawn || can_claim_draw_after(game_, move) || end_policy_.offers_draw(now))
        out_.declare("offer draw");
    return true;
}

void Player::make_our_move(Move move, Move expected) {
    const std::string text = coordinates(move);
    // A claim before our move counts until the opponent moves: not every client sends a result.
    std::optional<book::GameRecord> claimed = std::exchange(ended_, std::nullopt);
    play(move);
    if (!ended_)
        ended_ = std::move(claimed);
    clocks_.moved(Whose::Ours, game_.ply(), engine::Clock::now());
    out_.say("move " + text);
    thinking_.move_printed(engine::Clock::now());
    draw_offer_ply_.reset();
    // If the move makes a draw claimable, the offer printed before it was the claim.
    if (!can_claim_draw(game_) && claim_end())
        return;
    clocks_.start(Whose::Theirs, engine::Clock::now());
    expected_ = expected && game_.position().is_legal(expected) ? expected : NoMove;
    start_pondering();
}

// Ponders after the expected move, or on the opponent's position if none is known.
void Player::start_pondering() {
    if (!pondering_on_ || mode_ != Mode::Playing || settings_.limit_strength)
        return;
    Game after = game_;
    if (expected_) {
        after.play(expected_);
        if (after.status() != engine::Status::Ongoing) {
            after = game_;
            expected_ = NoMove;
        }
    }
    if (!engine::has_legal_move(after.position()))
        return;
    engine::Limits limits;
    limits.ponder = true;
    thinking_.begin_pondering(game_.position(), expected_);
    search_.start(Task::Ponder, after, limits);
}

// The opponent's moves and offers

std::optional<Refusal> Player::user_move(std::string_view text, Time at) {
    const auto move = engine::parse_move(game_.position(), text);
    const bool thinking = search_.task() == Task::Think;
    if (!move && move.error() == engine::NoMoveBecause::NotAMove)
        return Refusal::NotAMove;
    if (!position_legal_)
        return Refusal::NoPosition;
    if (!move && move.error() == engine::NoMoveBecause::Ambiguous)
        return Refusal::Ambiguous;
    if (thinking)
        return Refusal::NotYourTurn;
    if (!move)
        return Refusal::Illegal;
    drawn_before_move_ = false;
    const bool playing = mode_ == Mode::Playing;
    const bool ponder_hit = search_.runs(Task::Ponder) && *move == expected_;
    if (playing)
        clocks_.moved(Whose::Theirs, game_.ply() + 1, at);
    if (!ponder_hit)
        halt();
    if (mode_ == Mode::Analysing)
        spoil_record();
    const bool for_us = mode_ == Mode::Force && game_.position().side_to_move() == our_side_;
    if (for_us) {
        if (record_.in_book())  // the book did not choose this move
            spoil_record();
        record_.moved_by_others();
    }
    play(*move);
    if (playing)
        begin_our_turn(at, ponder_hit);
    restart_analysis();
    return std::nullopt;
}

void Player::draw_offered(Time at) {
    if (mode_ != Mode::Playing && mode_ != Mode::Force)
        return;
    draw_offer_ply_ = game_.ply();
    if (mode_ == Mode::Force || search_.task() == Task::Think || !last_result_)
        return;  // our next search decides
    if (accepts_draw(assess(*last_result_, at))) {
        draw_offer_ply_.reset();
        out_.declare("offer draw");
    }
}

// At limited strength searches are shallow, but decide all the same: their scores count like those
// of the greatest depth.
Assessment Player::assess(const engine::SearchResult& result, Time at) const {
    return {.score = result.score,
            .depth = strength() ? engine::MaxPly : result.depth,
            .ply = game_.ply(),
            .men = engine::popcount(game_.position().pieces()),
            .equal_without_pawns = is_equal_without_pawns(game_.position()),
            .halfmove_clock = game_.position().halfmove_clock(),
            .drawish_searches = end_policy_.drawish_searches(),
            .rating_lead = opponent_.rating_lead(),
            .ours = clocks_.left(Whose::Ours, at),
            .theirs =
                clocks_.exact() ? std::nullopt : std::optional(clocks_.left(Whose::Theirs, at)),
            .increment = clocks_.increment()};
}

}  // namespace protocol

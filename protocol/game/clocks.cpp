#include "protocol/game/clocks.h"

#include "protocol/io/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace protocol {
namespace {

constexpr double MaxSeconds = 1e7;      // 115 days; keeps sums of clocks far from overflow
constexpr double MaxMoveSeconds = 1e9;  // with `nps 1`, the nodes of a move

milliseconds from_seconds(double seconds, double most = MaxSeconds) {
    return milliseconds(std::llround(std::clamp(seconds, 0.0, most) * 1000));
}

// Minutes and seconds: "5", "0:30", "1:5", "0:00.5", "25+5"; what follows them is ignored.
std::optional<milliseconds> parse_base(std::string_view text) {
    const std::optional<double> minutes = take_real(text);
    if (!minutes)
        return std::nullopt;
    double seconds = 60 * *minutes;
    if (text.starts_with(':')) {
        text.remove_prefix(1);
        seconds += take_real(text).value_or(0);
    }
    return from_seconds(seconds);
}

// In seconds, as PGN writes time controls; but with decimals, where PGN has only whole seconds.
std::string in_seconds(milliseconds time) {
    return fmt::format("{:.10g}", std::chrono::duration<double>(time).count());
}

std::string pgn_time_control(int moves, milliseconds base, milliseconds increment) {
    if (base.count() == 0 && increment.count() == 0)
        return "-";
    return (moves > 0 ? fmt::format("{}/", moves) : "") + in_seconds(base) +
           (increment.count() > 0 ? "+" + in_seconds(increment) : "");
}

}  // namespace

Result<void> Clocks::set_level(std::string_view args, int ply) {
    const std::optional<int> moves = to_int(next_word(args));
    const std::optional<milliseconds> base = parse_base(next_word(args));
    const std::optional<double> increment = take_real(args);
    if (!moves || !base || !increment)
        return fail("expected MOVES BASE INCREMENT");
    moves_per_session_ = std::clamp(*moves, 0, 10'000);
    base_ = *base;
    increment_ = from_seconds(*increment);
    // Some clients send `level` before every move, with the time that is left.
    if (!std::exchange(told_control_, true) || ply == 0) {
        time_control_ = pgn_time_control(moves_per_session_, base_, increment_);
        of_game_ = {base_, increment_};
    }
    move_time_.reset();
    level_ply_ = ply;
    next_turn_ = 0;
    left_ = {full(), full()};
    lag_.forget_move();
    return {};
}

Result<void> Clocks::set_move_time(std::string_view args) {
    const std::optional<double> seconds = take_real(args);
    if (!seconds)
        return fail("not a number of seconds");
    move_time_ = from_seconds(*seconds, MaxMoveSeconds);
    time_control_ = pgn_time_control(1, *move_time_, milliseconds(0));
    return {};
}

Result<void> Clocks::set_depth(std::string_view args) {
    const std::optional<int> depth = to_int(args);
    if (!depth)
        return fail("not a number of plies");
    depth_ = std::clamp(*depth, 1, engine::MaxPly - 1);
    return {};
}

Result<void> Clocks::set_nodes_per_second(std::string_view args) {
    const std::optional<int> nodes = to_int(args);
    if (!nodes || *nodes < 0)
        return fail("not a number of nodes");
    nodes_per_second_.reset();
    if (*nodes > 0)
        nodes_per_second_ = static_cast<std::uint64_t>(*nodes);
    return {};
}

Result<void> Clocks::set(Whose whose, std::string_view centiseconds, Time at) {
    const std::optional<int> value = to_int(centiseconds);
    if (!value)
        return fail("not a number of centiseconds");
    const milliseconds left(10 * static_cast<std::int64_t>(*value));
    if (running_ == whose)
        running_since_ = at;
    // XBoard counts from White's first move, so its next control may begin before ours ends.
    if (whose == Whose::Ours && moves_per_session_ > 0 && next_turn_ > 0 && base_.count() > 0 &&
        left > left_[index(whose)] + base_ / 2)
        level_ply_ = next_turn_;
    left_[index(whose)] = left;
    if (whose == Whose::Ours) {
        lag_.clock_set(left);
        told_ = left;
    }
    set_by_client_[index(whose)] = true;
    return {};
}

void Clocks::tell(const engine::GameClock& clock) {
    const bool first = !std::exchange(told_control_, true);
    if (first) {
        base_ = of_game_.base = clock.left;
        moves_per_session_ = clock.moves_to_go;
    }
    if (first || move_time_)
        time_control_ = pgn_time_control(moves_per_session_, base_, clock.increment);
    move_time_.reset();
    increment_ = of_game_.increment = clock.increment;
    left_ = {clock.left, clock.theirs};
    lag_.clock_set(clock.left);
    told_ = clock.left;
    set_by_client_ = {true, true};
    running_.reset();
    paused_.reset();
}

void Clocks::tell(milliseconds move_time) {
    move_time_ = move_time;
    time_control_ = pgn_time_control(1, move_time, milliseconds(0));
}

// Servers start games without a base time with ten seconds on the clock.
milliseconds Clocks::full() const {
    return base_.count() > 0 ? base_ : milliseconds(10'000);
}

void Clocks::new_game() {
    depth_.reset();
    nodes_per_second_.reset();
    left_ = {full(), full()};
    set_by_client_ = {};
    told_control_ = false;
    running_.reset();
    paused_.reset();
    level_ply_ = next_turn_ = 0;
    lag_.forget_move();
}

void Clocks::new_position() {
    level_ply_ = next_turn_ = 0;
    lag_.forget_move();
}

void Clocks::change_sides() {
    if (!set_by_client_[index(Whose::Ours)])
        std::swap(left_[0], left_[1]);
}

void Clocks::start(Whose whose, Time at) {
    stop(at);
    running_ = whose;
    running_since_ = at;
}

void Clocks::stop(Time at) {
    if (running_)
        left_[index(*running_)] -= run_until(at);
    running_.reset();
    paused_.reset();
}

void Clocks::pause(Time at) {
    if (!running_)
        return;
    const Whose whose = *running_;
    stop(at);
    paused_ = whose;
}

void Clocks::resume(Time at) {
    if (paused_)
        start(*paused_, at);
}

milliseconds Clocks::run_until(Time at) const {
    return nodes_per_second_ || at <= running_since_
               ? milliseconds(0)
               : std::chrono::duration_cast<milliseconds>(at - running_since_);
}

milliseconds Clocks::searched(std::uint64_t nodes) {
    if (!nodes_per_second_)
        return milliseconds(0);
    const milliseconds time(nodes * 1'000 / *nodes_per_second_);
    left_[index(Whose::Ours)] -= time;
    return time;
}

// The number of moves that the player to move after `ply` plies made since the clocks were set.
int Clocks::moves_made(int ply) const {
    return std::max(0, ply - level_ply_) / 2;
}

void Clocks::moved(Whose whose, int ply, Time at) {
    // A clock that the client has set after the opponent's move already includes the increment.
    const bool known = whose == Whose::Theirs && set_by_client_[index(whose)];
    const bool session_ended =
        moves_per_session_ > 0 && (moves_made(ply - 1) + 1) % moves_per_session_ == 0;
    if (!known) {
        if (running_ == whose)
            stop(at);
        left_[index(whose)] += increment_;
        if (session_ended)
            left_[index(whose)] += base_;
    }
    running_.reset();
    paused_.reset();
    next_turn_ = whose == Whose::Ours ? ply + 1 : ply;
    if (whose == Whose::Theirs)
        return;
    // Clients differ in the move at which they add the time of the next control.
    if (set_by_client_[index(whose)] && !move_time_ && !session_ended && !nodes_per_second_)
        lag_.moved(told_, left_[index(whose)]);
    else
        lag_.forget_move();
    set_by_client_ = {};
}

engine::Limits Clocks::limits(int ply, Time started) const {
    engine::Limits limits;
    limits.depth = depth_;
    limits.nodes_per_second = nodes_per_second_;
    limits.started = started;
    // At most a tenth of the game's time, so that a delay in a slow game does not spoil a fast one.
    const milliseconds of_game = of_game_.base.count() > 0 ? of_game_.base : full();
    limits.reserve = std::min(lag_.worst(), of_game / 10);
    if (move_time_) {
        limits.move_time = *move_time_;
        return limits;
    }
    const int to_go =
        moves_per_session_ > 0 ? moves_per_session_ - moves_made(ply) % moves_per_session_ : 0;
    limits.clock = engine::GameClock{
        left_[index(Whose::Ours)], increment_, to_go, left_[index(Whose::Theirs)]};
    return limits;
}

book::TimeClass Clocks::time_class() const {
    return move_time_ ? book::time_class(milliseconds(0), *move_time_)
                      : book::time_class(of_game_.base, of_game_.increment);
}

}  // namespace protocol

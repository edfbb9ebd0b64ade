// Both clocks and the time control, set by the commands level, st, sd, nps, time and otim. Between
// two of these commands the clocks run on by themselves.
#pragma once

#include "book/book.h"
#include "protocol/game/lag.h"
#include "protocol/io/event.h"

#include <optional>
#include <string>
#include <string_view>

namespace protocol {

enum class Whose : std::uint8_t { Ours, Theirs };

class Clocks {
  public:
    // "MPS BASE INC": moves per session (0: the whole game), minutes or minutes:seconds, seconds.
    // Sets both clocks to BASE and replaces an `st`. `ply`: moves played in the game so far.
    Result<void> set_level(std::string_view args, int ply);
    Result<void> set_move_time(std::string_view args);  // in seconds; replaces the level
    Result<void> set_depth(std::string_view args);      // in plies, until new_game()
    // Until new_game(), both clocks and `st` count nodes, N as a second. 0: they count time again.
    Result<void> set_nodes_per_second(std::string_view args);
    // The time may be negative. If the clock is running, it runs from `at` on.
    Result<void> set(Whose whose, std::string_view centiseconds, Time at);

    // Sets both clocks before a search of ours, for clients that send them with each search. The
    // first clocks of a game are taken for its time control.
    void tell(const engine::GameClock& clock);
    void tell(milliseconds move_time);

    void new_game();  // sets both clocks to the level's time and removes the depth limit
    // The game on the board has ended, and the next one begins without new_game().
    void next_game() { told_control_ = false; }
    void new_position();  // the moves of the session count from here
    // We play the other side from now on. Swaps the clocks, unless the client has set ours since
    // our last move.
    void change_sides();

    void start(Whose whose, Time at);  // and stops the other clock
    void stop(Time at);
    void pause(Time at);   // stops the clock that runs
    void resume(Time at);  // starts it again, unless something has happened on the board since
    // Our search took `nodes`. With nodes_per_second() they are taken off our clock, and the time
    // that they stand for is returned.
    milliseconds searched(std::uint64_t nodes);
    // `whose` side made the move number `ply` of the game, counted from 1.
    void moved(Whose whose, int ply, Time at);

    [[nodiscard]] Lag& lag() { return lag_; }

    // The limits for our search after `ply` moves; our clock has run since `started`.
    [[nodiscard]] engine::Limits limits(int ply, Time started) const;
    [[nodiscard]] milliseconds left(Whose whose, Time at) const {
        return left_[index(whose)] - (running_ == whose ? run_until(at) : milliseconds(0));
    }
    [[nodiscard]] milliseconds increment() const { return increment_; }
    [[nodiscard]] std::optional<std::uint64_t> nodes_per_second() const {
        return nodes_per_second_;
    }
    [[nodiscard]] bool exact() const { return move_time_.has_value(); }  // after `st`
    [[nodiscard]] book::TimeClass time_class() const;
    // For GameRecord::time_control: "300", "300+2", "40/300", "40/300+2", "1/5" after `st 5`, "-"
    // for a level without any time; "" before the client has sent one.
    [[nodiscard]] const std::string& time_control() const { return time_control_; }

  private:
    static std::size_t index(Whose whose) { return static_cast<std::size_t>(whose); }
    [[nodiscard]] milliseconds full() const;
    // How long the running clock has run; 0 if nodes count instead of time.
    [[nodiscard]] milliseconds run_until(Time at) const;
    [[nodiscard]] int moves_made(int ply) const;

    // Before the first `level`: sudden death, the safest assumption.
    int moves_per_session_ = 0;
    milliseconds base_ = std::chrono::minutes(5);
    milliseconds increment_{};
    struct {
        milliseconds base = std::chrono::minutes(5), increment{};
    } of_game_;  // the time control at the beginning of the game
    std::optional<milliseconds> move_time_;
    std::optional<int> depth_;
    std::optional<std::uint64_t> nodes_per_second_;
    std::string time_control_;
    bool told_control_ = false;  // the client has sent this game's control
    int level_ply_ = 0;          // when the present time control began
    int next_turn_ = 0;          // the ply of our next move; 0: not known yet

    std::array<milliseconds, 2> left_ = {base_, base_};
    std::array<bool, 2> set_by_client_{};  // since our last move
    milliseconds told_{};                  // our clock, as the client last set it
    Lag lag_;
    std::optional<Whose> running_, paused_;
    Time running_since_;
};

}  // namespace protocol

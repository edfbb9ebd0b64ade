// Both clocks and the time control, as the client's level, st, sd, time and otim set them. Without
// time and otim the clocks are kept from level alone.
#pragma once

#include "book/book.h"
#include "engine/search/limits.h"
#include "protocol/io/event.h"

#include <optional>
#include <string_view>

namespace protocol {

using engine::milliseconds;

enum class Whose : std::uint8_t { Ours, Theirs };

class Clocks {
  public:
    // "MPS BASE INC": moves per session (0: the whole game), minutes or minutes:seconds, seconds.
    // Both clocks show BASE then. `ply`: moves played in the game so far. Ends an `st`.
    Result<void> set_level(std::string_view args, int ply);
    Result<void> set_move_time(std::string_view args);  // seconds; stands in for the level
    Result<void> set_depth(std::string_view args);      // until new_game()
    // Centiseconds, below zero too. The other side's running time counts from `at`.
    Result<void> set(Whose whose, std::string_view centiseconds, Time at);

    void new_game();      // both clocks to the level's time, no depth limit
    void new_position();  // moves count from here
    // We play the other side from now on. Clocks told since the last move are ours already.
    void change_sides();

    void start(Whose whose, Time at);  // stops the other one
    void stop(Time at);
    // The player whose clock was running made the move number `ply` of the game, counted from 1.
    void moved(Whose whose, int ply, Time at);

    // For a search of ours after `ply` moves, whose clock runs since `started`.
    [[nodiscard]] engine::Limits limits(int ply, Time started) const;
    [[nodiscard]] milliseconds left(Whose whose) const { return left_[index(whose)]; }
    [[nodiscard]] milliseconds increment() const { return increment_; }
    [[nodiscard]] bool exact() const { return move_time_.has_value(); }  // by `st`
    [[nodiscard]] book::TimeClass time_class() const;

  private:
    static std::size_t index(Whose whose) { return static_cast<std::size_t>(whose); }
    [[nodiscard]] milliseconds full() const;
    [[nodiscard]] int moves_made(int ply) const;

    // Until told: the rest of the game, in which a clock told without a level is safe.
    int moves_per_session_ = 0;
    milliseconds base_ = std::chrono::minutes(5);
    milliseconds increment_{};
    std::optional<milliseconds> move_time_;
    std::optional<int> depth_;
    int level_ply_ = 0;  // where the session began

    std::array<milliseconds, 2> left_ = {base_, base_};
    std::array<bool, 2> told_{};  // by the client, since the last move of that player's opponent
    std::optional<Whose> running_;
    Time since_;
};

}  // namespace protocol

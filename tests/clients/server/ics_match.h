// One rated game on the server for tests: its moves, its clocks, and what the server prints about
// it.
#pragma once

#include "engine/board/game.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ics {

using Milliseconds = std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct Account {
    std::string name{};
    int rating = 1500;
};

struct Ending {
    std::string comment{};  // "Rover checkmated"
    std::string result{};   // "1-0", "0-1", "1/2-1/2" or "*"
};

class Match {
  public:
    // `minutes` and `increment` in seconds, as in the match command; a game without minutes starts
    // with ten seconds, as on FICS.
    Match(int number, Account white, Account black, int minutes, int increment);

    [[nodiscard]] const Account& account(engine::Color c) const { return accounts_[c]; }
    [[nodiscard]] std::optional<engine::Color> colour_of(std::string_view name) const;
    [[nodiscard]] engine::Color side_to_move() const { return game_.position().side_to_move(); }
    [[nodiscard]] int number() const { return number_; }
    void
    resume(int number);  // after an adjournment: a new number, and the clocks stand until a move
    // Plays a legal move and presses the clock; false if it is not legal.
    bool play(std::string_view text);
    // The end by the rules of chess or by time, if the game has ended.
    [[nodiscard]] std::optional<Ending> ending() const;
    [[nodiscard]] std::optional<Ending>
    drawn_by_claim() const;  // a third repetition or fifty moves
    [[nodiscard]] Clock::time_point flag_falls() const;

    // "Rover (1500) Nut (2000) rated blitz 1 0".
    [[nodiscard]] std::string title() const;
    [[nodiscard]] std::string headline(std::string_view text, std::string_view result = "") const;
    [[nodiscard]] std::string started() const { return headline("Creating rated blitz match."); }
    [[nodiscard]] std::string continued() const {
        return headline("Continuing rated blitz match.");
    }
    // The board as style 12; the clocks in milliseconds if the client asked for them.
    [[nodiscard]] std::string board(engine::Color viewer, bool milliseconds) const;
    [[nodiscard]] std::string move_list() const;

  private:
    [[nodiscard]] Milliseconds left(engine::Color c) const;
    [[nodiscard]] bool clocks_run() const { return game_.ply() >= 2 && !standing_; }

    int number_;
    std::array<Account, 2> accounts_;
    int minutes_, increment_;
    std::array<Milliseconds, 2> clocks_;
    Clock::time_point pressed_{};
    bool standing_ = false;  // resumed, and not yet moved
    engine::Game game_{};
    std::vector<std::string> sans_{};
    std::string last_verbose_ = "none";
    int double_push_ = -1;  // the file of a pawn that has just moved two ranks
};

}  // namespace ics

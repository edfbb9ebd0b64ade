// Time controls, and the clock of one side.
#pragma once

#include "tools/common/strings.h"

#include <cstdint>

namespace tools::match {

// The limits of one engine: a clock (base > 0), or an exact time for every move, or neither; depth
// and nodes are further limits.
struct TimeControl {
    int moves = 0;  // per `base`, repeatedly; 0: the whole game
    milliseconds base{}, increment{};
    std::optional<milliseconds> move_time{};
    std::optional<int> depth{};
    std::optional<std::uint64_t> nodes{};
    std::optional<milliseconds> margin{};  // as chosen by the user

    [[nodiscard]] bool has_clock() const { return base.count() > 0; }
    // How much the time may be exceeded: no engine meets an exact time exactly.
    [[nodiscard]] milliseconds tolerance() const {
        return margin.value_or(milliseconds(move_time ? 100 : 0));
    }
    [[nodiscard]] std::string text() const;  // as in PGN's tag TimeControl; "-" for none
};

// "10+0.1", "40/1:00", "40/60+0.5", "5:00", "inf": sets moves, base and increment.
Result<TimeControl> parse_time_control(std::string_view text);

// The clock of one side. It does not run by itself: move_made() counts the time.
class SideClock {
  public:
    explicit SideClock(const TimeControl& control);

    // Time for this move; nothing if only depth or nodes limit it.
    [[nodiscard]] std::optional<milliseconds> left() const;
    [[nodiscard]] milliseconds increment() const { return control_.increment; }
    // Moves until more time comes, the next one included; 0: none will come.
    [[nodiscard]] int moves_to_go() const { return moves_to_go_; }
    // A move took `spent`: false if the time and the margin were exceeded.
    bool move_made(milliseconds spent);

  private:
    TimeControl control_;
    milliseconds left_;
    int moves_to_go_;
};

}  // namespace tools::match

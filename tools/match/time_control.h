// Time controls and the clock of one side, as the runner keeps it.
#pragma once

#include "tools/common/strings.h"

#include <cstdint>

namespace tools {

// What bounds the moves of one engine. A clock (base > 0), or an exact time for every move, or
// neither; depth and nodes come on top.
struct TimeControl {
    int moves = 0;  // in which `base` must be enough, again and again; 0: the whole game
    milliseconds base{}, increment{};
    std::optional<milliseconds> move_time;
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    milliseconds margin{};  // overstepping that is forgiven

    [[nodiscard]] bool has_clock() const { return base.count() > 0; }
    [[nodiscard]] std::string text() const;  // as PGN's tag TimeControl writes it; "-" for none
};

// "10+0.1", "40/1:00", "40/60+0.5", "5:00", "inf": sets moves, base and increment.
Result<TimeControl> parse_time_control(std::string_view text);

// The clock of one side. Counts only what it is told.
class SideClock {
  public:
    explicit SideClock(const TimeControl& control);

    // What may still be used for this move; nothing where only depth or nodes bound it.
    [[nodiscard]] std::optional<milliseconds> left() const;
    // Moves until more time comes, counting the next one; 0: none will.
    [[nodiscard]] int moves_to_go() const { return moves_to_go_; }
    // A move took `spent`: false if that was too long by more than the margin.
    bool move_made(milliseconds spent);

  private:
    TimeControl control_;
    milliseconds left_;
    int moves_to_go_;
};

}  // namespace tools

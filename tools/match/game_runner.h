// Plays one game between two engines and is its arbiter.
#pragma once

#include "tools/common/openings.h"
#include "tools/match/driver.h"

#include <functional>

namespace tools {

// When the arbiter ends a game. A count of 0 switches the rule off.
struct Rules {
    int draw_from_move = 40, draw_moves = 0, draw_score = 10;  // both sides within +-score
    int resign_moves = 0, resign_score = 600;                  // both sides agree who is lost
    int max_moves = 0;                                         // then it is a draw
    milliseconds stall{60'000};                                // for a move that no clock bounds
};

// The game as it stands after a move, for someone who watches.
struct View {
    const engine::Game& game;
    const GameRecord& record;
    std::array<std::optional<milliseconds>, 2> clocks;  // by colour
};

// The engines by colour, greeted and idle. Their moves are checked here and nowhere else. The
// record is complete but for round, date and event; Outcome::Unfinished only if `cancel` became
// readable.
GameRecord play_game(std::array<Driver*, 2> engines,
                     const Opening& opening,
                     const Rules& rules,
                     int cancel,
                     const std::function<void(const View&)>& watch);

}  // namespace tools

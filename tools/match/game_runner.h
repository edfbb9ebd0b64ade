// Plays one game between two engines: checks their moves and claims, keeps the clocks.
#pragma once

#include "tools/common/openings.h"
#include "tools/match/driver.h"

#include <functional>

namespace tools::match {

// When a game is ended early. A count of 0 switches the rule off; scores are in centipawns.
struct Rules {
    int draw_from_move = 40, draw_moves = 0, draw_score = 10;  // both within +-score
    int resign_moves = 0, resign_score = 600;                  // both agree who loses
    int max_moves = 0;                                         // a draw after N moves; 0: never
    milliseconds stall{60'000};                                // for a move without a clock
};

// The game after a move, for a spectator.
struct View {
    const engine::Game& game;
    const PlayedGame& record;
    std::array<std::optional<milliseconds>, 2> clocks;  // by colour
};

// The engines by colour, idle after their handshake. Their moves are checked here and nowhere else.
// The record is complete except round, date and event; Outcome::Unfinished only after `cancel`.
PlayedGame play_game(std::array<Driver*, 2> engines,
                     const Opening& opening,
                     const Rules& rules,
                     Cancel cancel,
                     const std::function<void(const View&)>& watch);

}  // namespace tools::match

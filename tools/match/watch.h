// Shows a game to a person while it is played: a board after every move, or one line.
#pragma once

#include "tools/match/game_runner.h"

#include <iosfwd>

namespace tools {

struct WatchStyle {
    bool board = false;    // draw the position, else one line for each move
    bool redraw = false;   // over the last picture, for a terminal
    bool unicode = false;  // figurines and blocks, else letters and signs
};

// The eight ranks from White's side with their names, the last move's squares marked.
std::string board_text(const engine::Position& pos, engine::Move last, bool unicode);

// White's winning chances as a bar of `width` signs; `score` in centipawns from White's side.
std::string bar_text(int score, int width, bool unicode);

// What is shown after a move; requires a move in the record.
std::string picture(const View& view, const WatchStyle& style);

}  // namespace tools

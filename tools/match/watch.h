// Shows a game while it is played: the board after every move, or one line for each move.
#pragma once

#include "tools/match/game_runner.h"

#include <iosfwd>

namespace tools::match {

struct WatchStyle {
    bool board = false;    // draw the position, else one line for each move
    bool redraw = false;   // draw over the last picture, in a terminal
    bool unicode = false;  // figurines and blocks, else letters and signs
};

// The eight ranks from White's side with their names, the last move's squares marked.
std::string board_text(const engine::Position& pos, engine::Move last, bool unicode);

// White's winning chance as a bar of `width` characters; `score` is White's, in centipawns.
std::string bar_text(int score, int width, bool unicode);

// What is shown after a move; requires a move in the record.
std::string picture(const View& view, const WatchStyle& style);

}  // namespace tools::match

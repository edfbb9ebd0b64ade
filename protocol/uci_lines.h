// The words of UCI for what the player reports: scores, lines of the search, moves.
#pragma once

#include "protocol/game/thinking.h"

#include <string>

namespace protocol {

// Permille; the three sum to 1000.
struct WinDrawLoss {
    int win, draw, loss;
};
// The chances of the side that has this score, as measured in self-play games.
WinDrawLoss win_draw_loss(engine::Score score);

struct UciStyle {
    bool wdl = false;       // scores with the chances of a win, a draw and a loss
    bool chess960 = false;  // castling as king takes rook
};
// "info depth 12 seldepth 20 multipv 1 score cp 31 nodes ... pv e2e4 e7e5"
std::string uci_line(const ShownLine& line, const UciStyle& style);
// "bestmove e2e4 ponder e7e5"; "bestmove (none)" for NoMove.
std::string bestmove_line(engine::Move best, engine::Move ponder, const UciStyle& style);

}  // namespace protocol

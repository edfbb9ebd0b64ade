// Test positions with best moves, moves to avoid, mates and points, as EPD files hold them.
// Source: S. J. Edwards, "Portable Game Notation Specification", section 16.2 (1994).
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace tools::epd {

struct EpdCase {
    engine::Position position;
    std::string id;                         // or "line N"
    int line = 0;                           // in the file, from 1
    std::vector<engine::Move> best, avoid;  // bm, am
    std::optional<int> mate;                // dm: moves, negative when suffered; 0: a draw
    std::vector<std::pair<engine::Move, int>> points;  // c8 with c9 or c7: points of moves
};

// Reads lines of four FEN fields and operations "name operands;". Fails, with the number of the
// line, on a line without a task (bm, am, dm or c8) and on an illegal move.
Result<std::vector<EpdCase>> read_epd_suite(std::istream& in);

// Whether the answer solves the task; `score` is the side to move's. A mate is solved by one that
// is not longer (if suffered, not shorter), a draw by a score within +-20 centipawns, a task with
// only points by the move that earns the most.
bool is_solved(const EpdCase& task, engine::Move answer, engine::Score score);

int points_for(const EpdCase& task, engine::Move answer);  // 0 if it earns none
int max_points(const EpdCase& task);                       // for the best move

}  // namespace tools::epd

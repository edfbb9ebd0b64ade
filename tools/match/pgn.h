// Games as PGN. Source: S. J. Edwards, "Portable Game Notation Specification" (1994).
#pragma once

#include "tools/match/game_record.h"

namespace tools {

// The game with tags, moves commented with score, depth and seconds, and how it ended; ends with an
// empty line.
std::string to_pgn(const GameRecord& record);

}  // namespace tools

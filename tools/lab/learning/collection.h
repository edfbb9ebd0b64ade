// A collection of games to fill a book with, made without anything from outside: the named
// openings, each played on by the engine.
#pragma once

#include "book/probe/opening_names.h"
#include "tools/lab/learning/judge.h"

#include <string>

namespace tools::learning {

// One game as PGN, with an empty line at its end. It follows a line drawn from `openings` (not
// empty) and goes on with 300 to 600 nodes a move. Equal seeds give equal games.
std::string make_game(Thinker& thinker,
                      const std::vector<book::Opening>& openings,
                      std::uint64_t seed,
                      int number);

}  // namespace tools::learning

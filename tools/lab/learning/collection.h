// Games to fill a book with: the engine continues the named openings by self-play.
#pragma once

#include "book/probe/opening_names.h"
#include "tools/lab/learning/judge.h"

#include <string>

namespace tools::learning {

// One game as PGN, followed by an empty line. It begins with one of the `openings` (not empty),
// drawn at random, and continues with 300 to 600 nodes a move. Equal seeds give equal games. Clears
// the searcher, which must have one thread.
std::string make_game(engine::Searcher& searcher,
                      const std::vector<book::Opening>& openings,
                      std::uint64_t seed,
                      int number);

}  // namespace tools::learning

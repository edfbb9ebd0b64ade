// The learning match: our engine with a book that learns, or does not, against the same engine with
// a fixed book from which it draws moves by how often they were played.
#pragma once

#include "tools/lab/learning/poison.h"
#include "tools/lab/learning/series.h"

#include <filesystem>

namespace tools::learning {

// What plays: all of one thread.
struct Cast {
    Thinker ours, theirs;
    Judge judge;         // of exits
    book::Store clean;   // the opponent's book
    PoisonSet poisoned;  // empty if our book is clean
};

// Plays the run with our book in `file`, which changes if it learns. `told` gets every game and
// says whether to go on. Equal rules, books and casts give equal games.
Result<void> play_run(const Rules& rules,
                      const std::filesystem::path& file,
                      Cast& cast,
                      const std::function<bool(const GameRow&)>& told);

}  // namespace tools::learning

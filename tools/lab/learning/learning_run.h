// One run of the learning match: our engine with a book, which learns or does not, against the same
// engine with a fixed book, from which it draws moves in proportion to their games.
#pragma once

#include "tools/lab/learning/poison.h"
#include "tools/lab/learning/series.h"

#include <filesystem>

namespace tools::learning {

// The participants. The engines have one thread each.
struct Participants {
    std::unique_ptr<engine::Searcher> ours, theirs;
    Judge judge;         // scores the positions where we leave the book
    book::Store clean;   // the opponent's book
    PoisonSet poisoned;  // empty if our book is clean
};

// Plays the run with our book in `file`, which changes if it learns. `finished` gets every game;
// the run ends when it returns false. Equal rules, books and engines give equal games. Throws
// Failure if a book cannot be read or written.
void play_run(const Rules& rules,
              const std::filesystem::path& file,
              Participants& participants,
              const std::function<bool(const GameRow&)>& finished);

}  // namespace tools::learning

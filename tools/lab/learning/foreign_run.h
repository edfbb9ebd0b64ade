// One run of the learning match against foreign engines, which are met in turn with their own
// books.
#pragma once

#include "tools/lab/learning/foreign_series.h"
#include "tools/match/driver.h"

#include <filesystem>

namespace tools::learning {

struct ForeignSetup {
    // In the order of ForeignRules::against, with names.
    std::vector<match::EngineSpec> opponents{};
    std::filesystem::path start_book{};  // our own book as it begins; empty: an empty book
    std::filesystem::path base{};        // our installed book; empty: none
    milliseconds patience{60'000};       // for a move of theirs, and any other answer
    match::Cancel cancel = nullptr;
};

// Plays the run and writes its results to `out`, unless they are there. They grow in OUT.part, and
// our book beside it; a run that was stopped goes on after the last game in that file. The engines
// run in a folder beside it. Returns false if setup.cancel is set before the end: then
// only the game in progress is lost. Throws Failure if OUT was played with other rules, is being
// played by another program, or its book would take the place of one in `setup`; if a file cannot
// be read or written, or an engine cannot be started.
bool play_or_resume(const ForeignRules& rules,
                    ForeignSetup setup,
                    const std::filesystem::path& out);

}  // namespace tools::learning

// The report of a learning match: the measures with their errors, tables and curves.
#pragma once

#include "tools/common/statistics.h"
#include "tools/lab/learning/series.h"

namespace tools::learning {

enum class Quantity : std::uint8_t {
    Score,          // points a game, 0..1
    ExitScore,      // centipawns where we left the book
    PoisonedMoves,  // share of our book moves
    PoisonedGames   // share of the games with such a move
};
// The mean over the runs of the quantity in games first..last (from 1). Runs without a game that
// has the quantity are left out.
Measured measure(const std::vector<const Series*>& runs, Quantity quantity, int first, int last);

struct Check {
    std::string what, found, required;
    bool passed = false;
};
// The requirements that can be checked with these runs.
std::vector<Check> checks(const std::vector<Series>& all);

// The report in Markdown, without runs only its title; `picture` is the file name of its picture,
// `note` how it was made.
std::string
report_text(const std::vector<Series>& all, const std::string& note, const std::string& picture);
// The curves of the picture, for tools/lab/plot.
std::string report_curves(const std::vector<Series>& all);

}  // namespace tools::learning

// What the runs of a learning match show: the measures with their errors, tables and a picture.
#pragma once

#include "tools/common/mean.h"
#include "tools/lab/learning/series.h"

namespace tools::learning {

Measured operator-(const Measured& a, const Measured& b);  // of independent ones
// A score from 0 to 1 as a difference in Elo. Scores are kept 0.001 away from the ends.
Measured elo_of(const Measured& score);

enum class Quantity : std::uint8_t {
    Score,          // points a game, 0..1
    ExitScore,      // centipawns where we left the book
    PoisonedMoves,  // share of the book moves we played
    PoisonedGames   // share of the games with such a move
};
// Over games first..last (from 1) of every run; each run counts once. Runs without anything to
// measure there are left out.
Measured measure(const std::vector<const Series*>& runs, Quantity quantity, int first, int last);

struct Verdict {
    std::string what, found, demanded;
    bool passed = false;
};
// One row a demand that can be judged with the runs there are.
std::vector<Verdict> verdicts(const std::vector<Series>& all);

// The report in Markdown; `picture` is the name of its picture, `note` how it was made.
std::string
report_text(const std::vector<Series>& all, const std::string& note, const std::string& picture);
std::string report_picture(const std::vector<Series>& all);

}  // namespace tools::learning

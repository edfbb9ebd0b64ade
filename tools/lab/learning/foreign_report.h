// The report of the matches against foreign engines.
#pragma once

#include "tools/lab/learning/foreign_series.h"
#include "tools/lab/learning/series_report.h"

namespace tools::learning {

// What is counted of the complete runs of one kind.
struct ForeignFilter {
    int first = 1, last = 1'000'000;        // numbers of the games
    std::optional<std::size_t> opponent{};  // nothing: all
    bool without_repeats = false;           // a game counts the first time only
};

using ForeignRuns = std::vector<const ForeignSeries*>;

// Complete runs of a kind as kind_of() gives it, with games that may repeat or not.
ForeignRuns runs_of(const std::vector<ForeignSeries>& all, const std::string& kind, bool repeat);

// Points a game (0..1), with the standard error over the games. Games with a fault do not count.
Measured score_of(const ForeignRuns& runs, const ForeignFilter& filter);

// Share of the games that were played before, move by move, against the same opponent in the same
// run.
double share_repeated(const ForeignRuns& runs, const ForeignFilter& filter);

// Number of our different openings (colour and first moves) in the last hundred games, the mean of
// the runs.
double openings_in_last_hundred(const ForeignRuns& runs);

// The requirements that can be checked with these runs.
std::vector<Check> foreign_checks(const std::vector<ForeignSeries>& all);

// A section of the report in Markdown; empty without a complete run.
std::string foreign_report(const std::vector<ForeignSeries>& all, const std::string& note);

}  // namespace tools::learning

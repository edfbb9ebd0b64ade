// Calibration: how much one result scatters, and how many games a search score is worth, measured
// from the log of own games alone, so that a book rebuilt from its log has the same constants.
#pragma once

#include "book/store/store.h"

#include <map>

namespace book {

struct Calibration {
    double sigma = 0.40;  // standard deviation of one result
    // Games that a search score is worth: at exits, of analysed moves, and of those with DeepNodes.
    double exit = 10, analysis = 10, deep_analysis = 25;
    std::int64_t exits = 0, analyses = 0, deep_analyses = 0;  // number of games measured for each
    // By opponent, from games in which a rating is unknown: our score above the usual one at those
    // exits.
    std::map<std::int64_t, double> advantages{};
};
// Pure; the order of the games does not matter.
Calibration measure(const Model& standard, std::span<const CalibrationSample> games);

// Sets the book's constants and the opponents' advantages from the first N games that count, in
// order of the time played; N is 12, 25, 50 or the largest multiple of 100. The k-th equal game
// counts 1/k. Needs a Transaction.
// Returns true if a constant changed: then all values must be backed up again.
bool calibrate(Store& store);
// True if the games that the constants were measured from end in the future: the computer's clock
// was set back.
bool measured_in_future(Store& store);
// The same after learning one game, played at `played` (seconds since 1970): does nothing if the
// games that count are the same as before. So the constants do not depend on the order of learning.
// While measured_in_future(), it waits for the next N of calibrate(): every game would seem
// measured.
bool calibrate_after(Store& store, std::int64_t played);

}  // namespace book

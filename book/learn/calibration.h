// Calibration: how much one result scatters, and how many games a search score is worth, measured
// from the log of own games alone, so that a book rebuilt from its log has the same constants.
#pragma once

#include "book/store/store.h"

namespace book {

struct Calibration {
    double sigma = 0.40;  // standard deviation of one result
    double exit = 10,
           analysis = 8;  // games that a search score is worth: at exits, and of analysed moves
    std::int64_t exits = 0, analyses = 0;  // number of games measured for each
};
// Pure; the order of the games does not matter.
Calibration measure(const Model& standard, std::span<const CalibrationSample> games);

// Sets the book's constants by the games that count, in order of the time played, up to the last
// whole hundred; equal games count once. Needs a Transaction. Returns true if a constant changed:
// then all values must be backed up again.
bool calibrate(Store& store);
// The same after learning one game, played at `played` (seconds since 1970): does nothing if the
// hundreds are made of the same games as before. So the constants do not depend on the order of
// learning. While the hundreds end in the future, because the computer's clock was set back, it
// waits for the next hundred: else every game would be among them.
bool measured_in_future(Store& store);
bool calibrate_after(Store& store, std::int64_t played);

}  // namespace book

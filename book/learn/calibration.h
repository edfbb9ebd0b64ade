// How much one result scatters, and how many games a search score is worth: measured from the log
// of own games, and from nothing else, so that a book made anew from its log has the same
// constants.
#pragma once

#include "book/store/store.h"

namespace book {

// What a log says of the constants.
struct Measured {
    double sigma = 0.40;                   // standard deviation of one result
    double exit = 10, analysis = 8;        // games that a search score is worth
    std::int64_t exits = 0, analyses = 0;  // games behind the two
};
// Pure: of these games, in any order.
Measured measure(const Model& standard, std::span<const CalibrationSample> games);

// Sets the book's constants to what the first whole hundreds of games that count say, by the time
// they were played. Within a transaction; true if one of them changed, so that all values must be
// made anew.
Result<bool> calibrate(Store& store);
// The same after one more game, which was played then: does nothing while the hundreds are the
// same games. So the constants do not depend on the order in which games are learned.
Result<bool> calibrate_with(Store& store, std::int64_t played);

}  // namespace book

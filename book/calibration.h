// How much one result scatters, and how many games a search score is worth: measured from the log
// of own games, and from nothing else, so that a book made anew from its log has the same
// constants.
#pragma once

#include "book/store.h"

namespace book {

inline constexpr std::int64_t CalibrationInterval = 100;  // own games

// What a log says of the constants.
struct Measured {
    double sigma = 0.40;                   // standard deviation of one result
    double exit = 10, analysis = 8;        // games that a search score is worth
    std::int64_t exits = 0, analyses = 0;  // games behind the two
};
// Pure: of these games, in any order.
Measured measure(const Model& standard, std::span<const Testimony> games);

// Sets the book's constants to what the first whole hundreds of games that count say. Within a
// transaction; true if one of them changed, so that all values must be made anew.
Result<bool> calibrate(Store& store);

}  // namespace book

// How a game enters the book: its way through the positions, its evidence where it left, and the
// values of all positions above. Works on keys; knows chess only in track_of().
#pragma once

#include "book/store/store.h"

namespace book {

// Adds the visits of a game, `exits` the evidence of its result; both or one of them.
struct Share {
    bool visits = false;
    std::optional<double> score{};  // ours, with `evidence`
    Evidence evidence{};
};
Result<void>
add(Store& store, const Track& track, const Share& share, std::int64_t clock, const Aging& aging);

struct LearnOutcome {
    bool counted = false;  // false: known already, or of no weight
};
// Enters a game into the log and the tables, or completes its pending row. Within a transaction.
Result<LearnOutcome>
learn_game(Store& store, const GameRecord& game, bool finished, std::int64_t epoch);
// Throws away all that is derived and makes it anew from the log. Within a transaction.
Result<void> rebuild_derived(Store& store);

}  // namespace book

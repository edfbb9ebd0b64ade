// Learning one game: its path through the positions, its evidence at the exit, and the values of
// all positions above. Works on keys; only track_of() knows chess. Every function writes inside the
// caller's Transaction and may throw Failure or an exception of SQLite.
#pragma once

#include "book/store/store.h"

namespace book {

// What one game adds to the tables of positions.
struct Contribution {
    bool visits = false;            // count it on its path
    double visit_weight = 0;        // add this to the weight of the visits there, see Visit
    std::optional<double> score{};  // ours, 0..1: count its result with `evidence`
    Evidence evidence{};
    std::int64_t repetition = 1;  // see Games::repetitions: the k-th equal game counts 1/k,
    std::int64_t opponent = 0;    // and the rest for this opponent only
};
void add_contribution(Store& store,
                      const Model& model,
                      const Track& track,
                      const Contribution& contribution,
                      std::int64_t clock,
                      const Aging& aging);

// Fills in a resumed game from its note; false if there is none, so that it cannot be learned. Also
// false if the game was completed before, under the uid of its note: otherwise, when it comes
// again, it would complete the note of another game that began in the same way. Other games stay as
// they are.
bool complete_from_note(Store& store, GameRecord& game);

enum class LearnOutcome {
    Counted,
    Ignored,  // known already, or without evidence about the opening
    Busy      // not tried: another process holds the book. learn_game never returns it
};
// Enters a game into the log and the tables, or completes its pending row. `finished`: its result
// is known; an aborted one leaves no row. Also removes notes of games that cannot be finished any
// more. `epoch`: number of this process in the log.
LearnOutcome learn_game(Store& store, const GameRecord& record, bool finished, std::int64_t epoch);
// Deletes everything derived from own games and computes it anew from the log.
void rebuild_derived(Store& store);

}  // namespace book

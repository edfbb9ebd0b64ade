// How a game enters the book: its way through the positions, its evidence where it left, and the
// values of all positions above. Works on keys; knows chess only in track_of().
#pragma once

#include "book/store.h"

namespace book {

struct Step {  // one move inside the book
    Key key = 0;
    std::uint32_t bits = 0;
    int rank = 0;
    StoredMove move = 0;
};

// A game as the book sees it.
struct Track {
    Color side = engine::White;  // ours
    TimeClass time = TimeClass::Blitz;
    std::vector<Step> steps{};
    Step exit{};              // where the book was left; move 0 if the game ended there
    Key after_exit = 0;       // where that move led
    std::optional<int> cp{};  // what the search saw at the exit, ours
    int cp_depth = 0;
    std::int64_t cp_at = 0;
    friend bool same_way(const Track& a, const Track& b);  // all but the move at the exit
};

// Nothing, if the game never reached an exit or we had no move in it. `finished`: it is over.
std::optional<Track> track_of(const GameRecord& game, bool finished);

// Adds the visits of a game, `exits` the evidence of its result; both or one of them.
struct Share {
    bool visits = false;
    std::optional<double> score{};  // ours, with `evidence`
    Evidence evidence{};
};
Result<void>
add(Store& store, const Track& track, const Share& share, std::int64_t clock, const Aging& aging);

// Values of these positions and of all from which own games came to them.
Result<void>
refresh(Store& store, const Model& model, const Aging& aging, const std::vector<NodeName>& names);
// The names of the positions on a track.
std::vector<NodeName> names_of(const Track& track);
// All values, from the leaves up.
Result<void> refresh_all(Store& store, const Model& model, const Aging& aging);

// A node's own evidence as it counts at the book's clock `now`, in one time class.
Own own_of(const Node& node, const Aging& aging, std::int64_t now);
Results results_for(const Edge& edge, Color side);
// An analysis as an expected score of `side`.
double analysed_score(const Analysis& analysis, Color side);

struct TakenIn {
    bool counted = false;
    bool replaced = false;  // an earlier note was wrong: everything has been made anew
    std::int64_t id = 0;
};
// Enters a game into the log and the tables, or completes its pending row. Within a transaction.
Result<TakenIn> take_in(Store& store, const GameRecord& game, bool finished, std::int64_t epoch);
// Throws away all that is derived and makes it anew from the log. Within a transaction.
Result<void> make_anew(Store& store);

}  // namespace book

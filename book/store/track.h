// The way of one game through the book, and where it left.
#pragma once

#include "book/store/positions.h"

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
};

// Nothing, if the game never reached an exit or we had no move in it. `finished`: it is over.
std::optional<Track> track_of(const GameRecord& game, bool finished);

// True if they differ at most in the move at the exit.
bool same_way(const Track& a, const Track& b);
// The names of the positions on a track.
std::vector<NodeKey> names_of(const Track& track);

}  // namespace book

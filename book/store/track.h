// The path of one game through the book, and the position where it left (the exit).
#pragma once

#include "book/store/positions.h"

namespace book {

struct Step {  // one move inside the book
    Key key = 0;
    std::uint32_t bits = 0;  // check_bits of the position
    int rank = 0;            // increases along every line
    StoredMove move = 0;
};

struct Track {
    Color side = engine::White;  // ours
    TimeClass time = TimeClass::Blitz;
    std::vector<Step> steps{};
    Step exit{};              // move 0 if the game ended there
    Key after_exit = 0;       // the position after the exit's move
    std::optional<int> cp{};  // search score at the exit, ours
    int cp_depth = 0;
    std::int64_t cp_at = 0;  // seconds since 1970
};

// Nothing if the game has not left the book or has no move of ours. `finished`: the game is over.
std::optional<Track> track_of(const GameRecord& record, bool finished);

// True if they differ at most in the move at the exit.
bool same_path(const Track& a, const Track& b);
// The positions of a track, the exit last.
std::vector<NodeKey> node_keys(const Track& track);

}  // namespace book

// The limits of a search.
#pragma once

#include "engine/board/move.h"
#include "engine/level/level.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct GameClock {
    milliseconds left{};       // on our clock; may be 0 or less
    milliseconds increment{};  // added after each move of ours
    int moves_to_go = 0;       // to the next time control; 0: sudden death
    milliseconds theirs{};     // on the opponent's clock; 0 if unknown
};

inline constexpr int MaxHashMib = 65'536, MaxThreads = 256;

// A strength to choose, see engine/level/.
struct Strength {
    int elo = MaxElo;        // MinElo..MaxElo
    std::uint64_t seed = 0;  // the same seed, the same moves
    bool takes_time = true;  // answers after a part of the time for the move, like a person
};

// Without clock, move_time, depth, nodes, soft_nodes and mate the search runs until stop(). The
// first limit reached ends it.
struct Limits {
    std::optional<GameClock> clock;
    std::optional<milliseconds> move_time;    // for this move
    std::optional<int> depth;                 // plies, 1..MaxPly - 1
    std::optional<std::uint64_t> nodes;       // over all threads
    std::optional<std::uint64_t> soft_nodes;  // no new iteration after these
    std::optional<int> mate;                  // moves: ends once such a mate is found
    // Nodes as time: clock and move_time count this many nodes as a second. Above 0.
    std::optional<std::uint64_t> nodes_per_second;
    bool ponder = false;         // until ponder_hit() no limit applies
    std::vector<Move> excluded;  // root moves not to consider
    int lines = 1;               // MultiPV; each excludes the first moves of the better ones
    std::optional<Clock::time_point> started;  // when the clock began to run; now if absent
    // Limits nodes too, also while pondering; one thread searches, without endgame tables.
    std::optional<Strength> strength;
    int pace = 0;               // percent of the move's time to wait before the result
    milliseconds reserve{};     // kept back on the clock for delays, besides the move overhead
    bool solve_endings = true;  // of few men, before the search, where no endgame tables are open
};

}  // namespace engine

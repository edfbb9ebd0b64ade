// One engine as its users see it: start a search, get its lines and its move.
#pragma once

#include "engine/board/game.h"
#include "engine/score.h"
#include "engine/search/limits.h"
#ifdef NUTCRACKER_TUNE
#include "engine/search/params.h"
#endif

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

// A principal variation found during a search.
struct SearchInfo {
    int depth;     // plies
    int seldepth;  // plies to the deepest node
    Score score;   // for the side to move
    Bound bound;   // Exact, or Upper/Lower for a score outside the aspiration window
    milliseconds spent;
    std::uint64_t nodes;
    std::vector<Move> pv;      // never empty, legal from the root
    int line = 1;              // 1: the best one; up to Limits::lines
    int hash_full = 0;         // of the hash table, permille
    std::uint64_t tbhits = 0;  // positions found in endgame tables
};

struct SearchResult {
    Move best = NoMove;    // NoMove only if the root has no move to consider
    Move ponder = NoMove;  // the expected answer, legal, or NoMove
    Score score = NoScore;
    int depth = 0;  // plies of the last finished iteration
    std::uint64_t nodes = 0;
    // The longest time between two looks at the clock, in a search with one: how long the system
    // did not run the search thread.
    milliseconds stall{};
};

// The state of a running search, for xboard's "stat01:".
struct Progress {
    int depth = 0;
    std::uint64_t nodes = 0;
    milliseconds spent{};
    int moves_left = 0, moves = 0;  // root moves not yet searched in this iteration, and all
    Move current = NoMove;
};

// What set_syzygy() found.
struct TableFiles {
    std::size_t count = 0;             // files in use
    int max_men = 0;                   // of the largest table
    std::vector<std::string> refused;  // why other files are not used, a sentence each
};

// What the open endgame tables know of a position, with the game's repetitions and 50-move counter.
struct TableResult {
    int result = 0;           // for the side to move: 1 won, 0 a draw, -1 lost
    bool by_rule = false;     // a draw only by the 50-move rule
    std::vector<Move> moves;  // that keep the result; of a win the fastest first
    // Upper bound until the winner captures, moves a pawn or mates; 0: unknown or a draw.
    int plies = 0;
};

// The name of the classical evaluation where set_network() expects a file.
inline constexpr std::string_view HandWritten = "-";

struct BenchResult {
    std::uint64_t nodes = 0;  // the signature: equal in every slice, build and run
    milliseconds spent{};
};

// Asked every few hundred nodes during long work; true ends it.
using Stopped = std::function<bool()>;
using OnInfo = std::function<void(const SearchInfo&)>;
using OnResult = std::function<void(const SearchResult&)>;

// One engine: its own hash table, histories and threads. All calls come from one thread, except
// where said otherwise. Engines in one process do not disturb each other.
class Searcher {
  public:
    virtual ~Searcher() = default;  // stops and joins the threads

    // Starts a search of the game's current position and returns at once. A search thread calls
    // `on_info` (one call at a time) and at last `on_result` (exactly once). A search that ends by
    // itself while pondering or without limits sleeps until ponder_hit() or stop() before it calls
    // `on_result`. If a search is running, start() stops it and waits for its `on_result` first.
    // The callbacks must not call the Searcher.
    virtual void
    start(const Game& game, const Limits& limits, OnInfo on_info, OnResult on_result) = 0;
    // The same in the calling thread: returns when the search has ended. Only stop() may be called
    // meanwhile, by another thread.
    virtual SearchResult search(const Game& game, const Limits& limits) = 0;
    // Any thread. `on_result` still comes, with the best move so far: the first iteration is
    // finished, or breaks off after 10,000 nodes.
    virtual void stop() = 0;
    // The pondered move was played: `limits` apply from now on. Any thread.
    virtual void ponder_hit(const Limits& limits) = 0;
    virtual void wait() = 0;  // until `on_result` has returned; at once when idle
    [[nodiscard]] virtual Progress progress() const = 0;  // any thread

    // When idle only. set_hash keeps the old table and returns an error if there is no memory.
    virtual Result<void> set_hash(int mebibytes) = 0;  // 1..MaxHashMib
    // 1..MaxThreads. Returns how many there are now: fewer if the system has no more threads or
    // memory.
    virtual int set_threads(int count) = 0;
    virtual void set_move_overhead(milliseconds overhead) = 0;  // reserved for transmission
    // Evaluates by a network file from now on; by the built-in network if `path` is empty; by the
    // classical evaluation if it is HandWritten. Clears table and histories. If the file cannot be
    // used, nothing changes and the error says why.
    virtual Result<void> set_network(const std::string& path) = 0;
    // Opens the Syzygy tables in the folders, separated by platform::ListSeparator, in place of
    // those open now; none if `folders` is empty. Clears the hash table. If a folder cannot be read
    // or there is nothing to use, nothing changes and the error says why.
    virtual Result<TableFiles> set_syzygy(const std::string& folders) = 0;
    // Nothing if the position is not in the tables, or has no move. Also during a search.
    [[nodiscard]] virtual std::optional<TableResult> table_result(const Game& game) const = 0;
    virtual void clear() = 0;  // hash table and histories

    [[nodiscard]] virtual Score evaluate(const Position& pos) const = 0;  // static, side to move's
    [[nodiscard]] virtual std::string explain(const Position& pos) const = 0;  // as a table
    // Searches the bench positions, in the calling thread; depth 0: the depth of the signature. If
    // `stopped` ends it, the result counts the nodes so far.
    virtual Result<BenchResult> bench(int depth, const Stopped& stopped) = 0;
    Result<BenchResult> bench(int depth) { return bench(depth, {}); }
    // The number of leaves `depth` plies below `pos`; after `stopped`, those counted so far.
    [[nodiscard]] virtual std::uint64_t
    perft(const Position& pos, int depth, const Stopped& stopped) const = 0;
    [[nodiscard]] std::uint64_t perft(const Position& pos, int depth) const {
        return perft(pos, depth, {});
    }
    [[nodiscard]] virtual std::string_view slice() const = 0;  // the name of the instruction set

#ifdef NUTCRACKER_TUNE
    // The parameters of all searches from now on, except bench(). When idle only.
    virtual void set_parameters(const params::Values& values) = 0;
#endif
};

}  // namespace engine

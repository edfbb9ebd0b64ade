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
#include <string>
#include <string_view>

namespace engine {

struct SearchInfo {  // the state of the search when a line was found
    int depth;       // plies
    int seldepth;    // plies, the deepest node seen
    Score score;     // side to move's
    Bound bound;     // Exact, or Upper/Lower for a score outside the aspiration window
    milliseconds spent;
    std::uint64_t nodes;
    std::vector<Move> line;  // never empty, legal from the root
};

struct SearchResult {
    Move best = NoMove;    // NoMove only if the root has no move to consider
    Move ponder = NoMove;  // the expected answer, legal, or NoMove
    Score score = NoScore;
    int depth = 0;  // plies of the last finished iteration
    std::uint64_t nodes = 0;
};

// Where a running search stands, for xboard's "stat01:".
struct Progress {
    int depth = 0;
    std::uint64_t nodes = 0;
    milliseconds spent{};
    int moves_left = 0, moves = 0;  // root moves not yet searched in this iteration, and all
    Move current = NoMove;
};

// Instead of a network: the evaluation that taught the first one.
inline constexpr std::string_view HandWritten = "-";

struct BenchResult {
    std::uint64_t nodes = 0;  // the signature: equal in every slice, build and run
    milliseconds spent{};
};

// One engine: its own hash table, histories and threads. All calls come from one thread, except
// where said otherwise; two engines in one process do not disturb each other.
class Searcher {
  public:
    virtual ~Searcher() = default;  // stops and joins the threads

    // Starts searching the game's current position and returns at once. `thought` (at most one at a
    // time) and at last `done` (exactly once) are called from a search thread. A search that ends
    // by itself while pondering or without limits waits, without using the processor, for
    // ponder_hit() or stop() before it calls `done`. Starting anew ends the search that runs,
    // and waits for its `done`. The callbacks must not call the Searcher.
    virtual void start(const Game& game,
                       const Limits& limits,
                       std::function<void(const SearchInfo&)> thought,
                       std::function<void(const SearchResult&)> done) = 0;
    virtual void stop() = 0;  // any thread; `done` still comes, with the best move so far
    // The pondered move was played: the limits count from now, with this clock. Any thread.
    virtual void ponder_hit(const Limits& limits) = 0;
    virtual void wait() = 0;  // until `done` has returned; at once when idle
    [[nodiscard]] virtual Progress progress() const = 0;  // any thread

    // When idle only. set_hash keeps the old table and returns an error if there is no memory.
    virtual Result<void> set_hash(int mebibytes) = 0;           // 1..65536
    virtual void set_threads(int count) = 0;                    // 1..256
    virtual void set_move_overhead(milliseconds overhead) = 0;  // kept back for transmission
    // The evaluation: of a network file, of the built-in network if `path` is empty, or
    // HandWritten. Forgets all; keeps the old one and says why if the file cannot be used.
    virtual Result<void> set_network(const std::string& path) = 0;
    virtual void clear() = 0;  // forgets all: table and histories

    [[nodiscard]] virtual Score evaluate(const Position& pos) const = 0;  // static, side to move's
    [[nodiscard]] virtual std::string explain(const Position& pos) const = 0;  // as a table
    virtual BenchResult bench(int depth) = 0;  // depth 0: the signature's depth; one thread
    [[nodiscard]] virtual std::uint64_t perft(const Position& pos, int depth) const = 0;
    [[nodiscard]] virtual std::string_view slice() const = 0;

#ifdef NUTCRACKER_TUNE
    // The parameters of all searches from now on; the defaults until then. When idle only.
    virtual void set_parameters(const params::Values& values) = 0;
#endif
};

}  // namespace engine

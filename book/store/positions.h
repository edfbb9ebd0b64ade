// The positions and moves of one book file, as they stand on disk. One thread only; no transactions
// of its own: writes belong between Database::begin and commit.
#pragma once

#include "book/model/key.h"
#include "book/store/database.h"
#include "book/types.h"

#include <functional>
#include <span>

namespace book {

struct Edge {  // one move in imported games
    StoredMove move = 0;
    std::int64_t white = 0, draws = 0, black = 0, unknown = 0;  // games, by their result
    std::int64_t rated = 0,
                 ratings = 0;  // games with a rating of the mover, and the sum of the ratings
    int last = 0;              // latest year, 0: unknown
    [[nodiscard]] std::int64_t games() const { return white + draws + black + unknown; }
};
struct KeyedEdge {
    Key key = 0;
    Edge edge;
};

struct Analysis {  // what a search said of a move
    StoredMove move = 0;
    int cp = 0, depth = 0;  // the mover's view; plies
    std::int64_t nodes = 0, at = 0;
    std::string engine{};
};

// Where own games went. `side` is our colour in them.
struct NodeKey {
    Key key = 0;
    Color side = engine::White;
    TimeClass time = TimeClass::Blitz;
    friend bool operator==(const NodeKey&, const NodeKey&) = default;
};
struct Node {
    std::uint32_t bits = 0;  // check_bits of the position
    int rank = 0;            // rises along every line that counts
    std::int64_t n = 0, exits = 0;
    double s0 = 0,
           s1 = 0;  // weights of results, and weights times results, of games that left here
    std::optional<int> cp{};  // the search score where they left, ours
    int cp_depth = 0;
    std::int64_t cp_at = 0;
    double v = 0.5, e = 0;  // backed-up value and evidence
    std::int64_t t = 0;     // the book's clock when a game last came by
};
struct Visit {  // one move of own games
    StoredMove move = 0;
    Key child = 0;
    std::int64_t n = 0, exits = 0;
    std::int64_t wins = 0, draws = 0, losses = 0;  // ours
};

class Positions {
  public:
    static Result<std::unique_ptr<Positions>> on(Database& db);
    virtual ~Positions() = default;

    virtual Result<std::vector<Edge>> edges(Key key) = 0;
    // Games without a move of their own in the book would add nothing; counts are added to what is
    // there. Fastest if the edges come in order of (signed key, move). `empty`: the table has none
    // of them yet.
    virtual Result<void> add_edges(std::span<const KeyedEdge> edges, bool empty) = 0;
    virtual Result<bool> has_edges() = 0;
    // Edges with first <= signed key <= last, in order of (signed key, move); stops early if `take`
    // returns false.
    virtual Result<void> each_edge(std::int64_t first,
                                   std::int64_t last,
                                   const std::function<bool(const KeyedEdge&)>& take) = 0;

    virtual Result<std::vector<Analysis>> analyses(Key key) = 0;
    // Replaces an earlier one unless that was both deeper and of more nodes.
    virtual Result<void> set_analysis(Key key, const Analysis& analysis) = 0;
    virtual Result<std::vector<std::pair<StoredMove, int>>> flags(Key key) = 0;
    virtual Result<void> set_flags(Key key, StoredMove move, int flags) = 0;  // 0 removes
    virtual Result<void> each_analysis(const std::function<void(Key, const Analysis&)>& take) = 0;
    virtual Result<void> each_flag(const std::function<void(Key, StoredMove, int)>& take) = 0;

    virtual Result<std::optional<Node>> node(const NodeKey& name) = 0;
    virtual Result<std::vector<std::pair<TimeClass, Node>>> nodes(Key key, Color side) = 0;
    virtual Result<void> put(const NodeKey& name, const Node& node) = 0;
    virtual Result<void>
    each_node(const std::function<void(const NodeKey&, const Node&)>& take) = 0;
    // By move.
    virtual Result<std::vector<Visit>> visits(const NodeKey& name) = 0;
    virtual Result<std::vector<std::pair<TimeClass, Visit>>> all_visits(Key key, Color side) = 0;
    // Adds to what is there.
    virtual Result<void> add_visit(const NodeKey& from, const Visit& visit) = 0;
    virtual Result<void>
    each_visit(const std::function<void(const NodeKey&, const Visit&)>& take) = 0;
    // Positions from which own games came to this one inside the book.
    virtual Result<std::vector<Key>> parents(const NodeKey& child) = 0;
    virtual Result<void> forget_own() = 0;  // all nodes and visits

    struct Counts {
        std::int64_t positions = 0, edges = 0, occurrences = 0, nodes = 0, visits = 0, analyses = 0;
    };
    virtual Result<Counts> counts() = 0;
};

}  // namespace book

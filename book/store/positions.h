// The tables of positions and moves: edge, analysis and flag (imported or entered by hand), node
// and visit (derived from own games). One thread only. Writes need a Transaction. Every function
// may throw an exception of SQLite, and lets through what its callback throws.
#pragma once

#include "book/model/key.h"
#include "book/store/database.h"
#include "book/types.h"

#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace book {

// The years that an edge can hold; other years are unknown.
inline constexpr int FirstYear = 1900, LastYear = 2154;
constexpr int storable_year(int year) {
    return year < FirstYear || year > LastYear ? 0 : year;
}

struct Edge {  // one move in imported games
    StoredMove move = 0;
    std::int64_t white = 0, draws = 0, black = 0, unknown = 0;  // games by result
    std::int64_t rated = 0, ratings = 0;  // games with a rating of the mover, and their sum
    int last = 0;                         // latest year, 0: unknown
    [[nodiscard]] std::int64_t games() const { return white + draws + black + unknown; }
    void add(const Edge& more);  // adds the games of `more`; `move` stays
};
struct KeyedEdge {
    Key key = 0;
    Edge edge;
};

struct Analysis {  // what a search found about a move
    StoredMove move = 0;
    int cp = 0, depth = 0;           // centipawns from the mover's view; plies
    std::int64_t nodes = 0, at = 0;  // `at`: seconds since 1970
    std::string engine{};
    std::int64_t source = 0;  // the import that brought it; 0: a search of ours
};

// Names a position of own games: `side` is our colour in them.
struct NodeKey {
    Key key = 0;
    Color side = engine::White;
    TimeClass time = TimeClass::Blitz;
    friend bool operator==(const NodeKey&, const NodeKey&) = default;
};
struct Node {
    std::uint32_t bits = 0;                // check_bits of the position
    int rank = 0;                          // increases along every line
    std::int64_t visits = 0, exits = 0;    // own games through it; that left the book here
    double weight_sum = 0, score_sum = 0;  // of the exits: sums of weight and of weight * result
    std::optional<int> cp{};               // search score at the exit, ours
    int cp_depth = 0;
    std::int64_t cp_at = 0;            // seconds since 1970
    double value = 0.5, evidence = 0;  // backed up: our expected score; games' worth of knowledge
    std::int64_t clock = 0;            // the book's clock at the latest game through it
    double exit_weight = 0;            // of the exits, as Visit::weight
};
struct Visit {  // one move of own games
    StoredMove move = 0;
    Key child = 0;
    std::int64_t visits = 0, exits = 0;            // inside the book; as the move at the exit
    std::int64_t wins = 0, draws = 0, losses = 0;  // ours
    // Of the visits: grows with the book's clock, see Aging; repeated games weigh less.
    double weight = 0;
};

class Positions {
  public:
    explicit Positions(Database& db);  // shares the connection of `db`
    Positions(Positions&&) noexcept;
    Positions& operator=(Positions&&) noexcept;
    ~Positions();

    std::vector<Edge> edges(Key key);
    // Adds the counts to what is there. Fastest with edges in order of (signed key, move).
    // `all_new`: none of these edges is in the table yet.
    void add_edges(std::span<const KeyedEdge> edges, bool all_new);
    bool has_edges();
    // Replaces the counts of a move; one without games is removed.
    void replace_edge(const KeyedEdge& edge);
    // Passes on edges with first <= signed key <= last, in order of (signed key, move); stops early
    // if `take` returns false.
    void each_edge(std::int64_t first,
                   std::int64_t last,
                   const std::function<bool(const KeyedEdge&)>& take);

    std::vector<Analysis> analyses(Key key);
    // Replaces an earlier analysis of the move unless that was both deeper and of more nodes.
    void set_analysis(Key key, const Analysis& analysis);
    // Enters an imported analysis; false if there is one of ours, or one that is as deep.
    bool offer_analysis(Key key, const Analysis& analysis);
    // Both are about the analyses of imports. The first returns their number by import; the second
    // keeps them as if they were searches of ours.
    std::map<std::int64_t, std::int64_t> remove_analyses(std::span<const std::int64_t> sources);
    void keep_analyses(std::span<const std::int64_t> sources);
    void each_analysis(const std::function<void(Key, const Analysis&)>& take);

    std::vector<std::pair<StoredMove, int>> flags(Key key);  // see Flag
    int flags(Key key, StoredMove move);                     // 0: none
    void set_flags(Key key, StoredMove move, int flags);     // 0 removes the row
    void each_flag(const std::function<void(Key, StoredMove, int)>& take);

    std::optional<Node> node(const NodeKey& key);
    std::vector<std::pair<TimeClass, Node>> nodes(Key key, Color side);
    void put_node(const NodeKey& key, const Node& node);  // inserts or replaces
    void
    each_node(const std::function<void(const NodeKey&, const Node&)>& take);  // highest rank first

    std::vector<Visit> visits(const NodeKey& key);  // in order of the move
    std::vector<std::pair<TimeClass, Visit>> visits(Key key, Color side);
    void add_visit(const NodeKey& from, const Visit& visit);  // adds the counts to what is there
    void each_visit(const std::function<void(const NodeKey&, const Visit&)>& take);
    // Positions from which own games came to `child` inside the book.
    std::vector<Key> parents(const NodeKey& child);

    void clear_own_games();  // deletes all nodes and visits

    struct Counts {
        std::int64_t positions = 0, edges = 0, occurrences = 0, nodes = 0, visits = 0, analyses = 0;
    };
    Counts counts();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace book

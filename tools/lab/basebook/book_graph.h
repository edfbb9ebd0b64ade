// The positions of the book and their moves, a graph with one node for a position.
#pragma once

#include "engine/board/position.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tools::basebook {

struct Leaf {  // the score of a search
    engine::Move move;
    int cp = 0, depth = 0;
    std::uint64_t nodes = 0;  // 0: none
};

enum class Class : std::uint8_t { A, B, C };

struct Edge {  // a move
    engine::Move move;
    std::size_t child = 0;
    int games = 0;           // of masters
    Leaf direct{};           // from searches of the parent, for the mover
    bool deviation = false;  // the best move that is not in the book
    // By evaluate():
    bool valued = false;
    bool back = false;            // leads to a position of equal or smaller ply
    bool walked = false;          // a move of the book: not much worse than the best
    double value = 0, error = 0;  // for the mover, centipawns
    int depth = 0;                // of the leaf, and the plies of the tree above it
    double effort = 0;            // nodes of the searches below the move
    double share = 0;             // how often it is played: by us; by them
};

struct Node {
    engine::Position position;            // with reset clocks
    std::uint32_t bits = 0;               // book::check_bits
    std::vector<Leaf> whole;              // searches without excluded moves, fewest nodes first
    std::map<std::string, Leaf> partial;  // others, by the excluded moves and the nodes
    std::vector<Edge> edges;
    // Nodes of the searches for a book of the side to move (ours) and of the other side (theirs);
    // 0: not begun. `done`: its moves are known.
    std::uint64_t ours = 0, theirs = 0;
    bool ours_done = false, theirs_done = false;
    Class ours_class = Class::C, theirs_class = Class::C;
    std::vector<engine::Move> promoted;  // deviations that became candidates
    // Re-search: how often, and the best two moves then.
    int researched = 0;
    engine::Move first, second;
    bool alarmed = false;  // the best move's value fell below its leaf: siblings searched again
    // By evaluate():
    int ply = 0;                    // least number of moves from the start; Unreached: none
    std::array<double, 2> reach{};  // by our colour: part of our games that come here
    bool valued = false;
    double value = 0, error = 0;  // for the side to move, centipawns
    double estimate = 0;          // of the value, if the position has none
    int depth = 0;
    double effort = 0;

    [[nodiscard]] bool expanded() const { return ours_done || theirs_done; }
    [[nodiscard]] const Leaf* deepest() const { return whole.empty() ? nullptr : &whole.back(); }
};
inline constexpr int Unreached = 1000;

class BookGraph {
  public:
    BookGraph();  // the start position, node 0
    std::vector<Node> nodes;

    // The node of a position, new if need be. Throws Failure if two positions have one key.
    std::size_t node_of(const engine::Position& pos);
    [[nodiscard]] std::optional<std::size_t> find(const engine::Position& pos) const;
    // The edge of a move, new if need be.
    Edge& edge_of(std::size_t node, engine::Move move);

  private:
    std::unordered_map<engine::Key, std::size_t> index_;
};

// The position with reset clocks, so that it is equal for all move orders.
engine::Position without_clocks(const engine::Position& pos);

// Computes plies, values, errors, effort and reach of all nodes from the scores of the searches.
void evaluate(BookGraph& graph);

// The leaf score of a move, for the mover: from its parent's or its child's search, whichever is
// larger.
Leaf leaf_of(const BookGraph& graph, const Edge& edge);

}  // namespace tools::basebook

// The steps from minimax to the search of an engine, each counting its nodes, for people who learn
// how an engine works. Plain on purpose: the engine's own search is in engine/search/.
// Source: D. E. Knuth, R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <chrono>
#include <optional>

namespace tools::pruning {

// Each includes all those before it.
enum class Method : std::uint8_t {
    Minimax,     // every move of every position
    AlphaBeta,   // moves in the order in which they are generated
    Ordered,     // captures by victim and attacker, killer moves, history
    Table,       // transposition table and iterative deepening
    Quiescence,  // captures are played out at the leaves, so the values differ
};
inline constexpr std::array AllMethods = {
    Method::Minimax, Method::AlphaBeta, Method::Ordered, Method::Table, Method::Quiescence};
std::string_view name(Method m);

// The position of a FEN. Fails if it has no legal move: there would be nothing to count.
Result<engine::Position> position_to_search(const std::string& fen);

struct Count {
    engine::Score value = engine::NoScore;  // for the side to move
    std::uint64_t nodes = 0;                // positions reached by a move, in all iterations
    std::uint64_t leaves = 0;               // nodes without depth left; those of quiescence are not
    std::chrono::duration<double> spent{};
};

// Searches to `depth` plies, 1 to 64. Values are material and the squares of the pieces; a mate
// counts 20,000 plus the depth left. Draws by repetition, by the 50-move rule and by material are
// not seen, so the value depends only on the position and the depth, and is the same by every
// method but quiescence. Returns nothing if it takes more than `max_nodes`.
std::optional<Count>
count_nodes(Method method, const engine::Position& pos, int depth, std::uint64_t max_nodes);

// The least number of leaves that alpha-beta must search, in a tree with `branching` moves in every
// position.
double least_leaves(double branching, int depth);
// The number of moves in every position that gives this number of leaves.
double mean_branching(std::uint64_t leaves, int depth);

}  // namespace tools::pruning

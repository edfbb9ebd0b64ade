// The poisoned book: a copy of a book in which, in some positions, the most played move is replaced
// by a clearly worse one with good results and as many games as all moves of the position together.
#pragma once

#include "book/store/store.h"
#include "tools/lab/learning/judge.h"

#include <functional>
#include <set>
#include <vector>

namespace tools::learning {

struct PoisonRules {
    double share = 0.30;                // of the positions of the book
    int min_loss = 80, max_loss = 150;  // centipawns by which the replacement is worse
    std::uint64_t nodes = 5'000;        // of the first search of a candidate
    std::uint64_t deep_nodes = 50'000;  // of the search that decides
    double score = 0.65;                // of the replacement in the book, for its side
    std::uint64_t seed = 1;
};

struct Poison {
    engine::Position position;
    engine::Move replaced, move;
    int loss = 0;            // centipawns
    std::int64_t games = 0;  // imported, of the new move
};

// The positions that the moves of the book reach from the start position; parents come first.
std::vector<engine::Position> positions_in(book::Store& store);

// Fills `target`, an empty book, with the moves of `clean` and replaces some. `quick` and `deep`
// must search with the nodes of the rules. Positions without a move that is bad enough stay
// unchanged. `progress` gets the number of finished positions, and of all. Throws Failure if a book
// cannot be read or written.
std::vector<Poison> poison(book::Store& clean,
                           book::Store& target,
                           const PoisonRules& rules,
                           Judge& quick,
                           Judge& deep,
                           const std::function<void(std::size_t, std::size_t)>& progress);

// A line "FEN, replaced move, move, centipawns, games" with tabs, and back.
std::string to_text(const Poison& poison);
Result<Poison> poison_from_text(const std::string& line);

// The poisoned moves, by key of the position.
using PoisonSet = std::set<std::pair<engine::Key, std::uint16_t>>;
PoisonSet poisoned_moves(const std::vector<Poison>& poisons);

}  // namespace tools::learning

// The poisoned book: a copy of a book in which, in some positions, the most played move is replaced
// by one that a search finds clearly worse, and that the book recommends: with as many games as all
// moves of the position together, and good results.
#pragma once

#include "book/store/store.h"
#include "tools/lab/learning/judge.h"

#include <functional>
#include <set>
#include <vector>

namespace tools::learning {

struct PoisonRules {
    double share = 0.30;                   // of the positions with moves in the book
    int least_loss = 80, most_loss = 150;  // centipawns that the replacement is worse
    std::uint64_t nodes = 5'000;           // a first look at a candidate
    std::uint64_t deep_nodes = 50'000;     // the search that decides
    double score = 0.65;                   // that the replacement made for its side
    std::uint64_t seed = 1;
};

struct Poison {
    engine::Position position;
    engine::Move replaced, move;
    int loss = 0;            // centipawns
    std::int64_t games = 0;  // imported, of the new move
};

// Positions of the book that can be reached in it, each once, by way of moves in it: parents first.
Result<std::vector<engine::Position>> positions_in(book::Store& store);

// Fills `target`, an empty book, with the moves of `clean`. `quick` and `deep` score by the nodes
// of the rules. Positions without a move that is bad enough stay as they are. `told` hears of
// progress.
Result<std::vector<Poison>> poison(book::Store& clean,
                                   book::Store& target,
                                   const PoisonRules& rules,
                                   Judge& quick,
                                   Judge& deep,
                                   const std::function<void(std::size_t, std::size_t)>& told);

// A line "FEN, replaced move, move, centipawns, games" with tabs, and back.
std::string to_text(const Poison& poison);
Result<Poison> poison_from_text(const std::string& line);

// The moves that are poisoned, by key of the position.
using PoisonSet = std::set<std::pair<engine::Key, std::uint16_t>>;
PoisonSet poisoned_moves(const std::vector<Poison>& poisons);

}  // namespace tools::learning

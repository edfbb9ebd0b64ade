// What a game with a move is expected to teach. Pure arithmetic. Source: I. Ryzhov, W. Powell,
// P. Frazier, "The knowledge gradient algorithm for a general class of online learning problems",
// 2012: a move is worth its mean and, for each game to come, what the choice gains by one more
// observation of it.
#pragma once

#include "book/model/choice.h"

#include <span>

namespace book {

// Sets Candidate::lesson of each. `games`: own games in the position so far; Model::horizon times
// as many are expected to come. `tried`: by candidate, its own games.
void add_lessons(const Model& model,
                 double games,
                 std::span<const double> tried,
                 std::span<Candidate> candidates);

}  // namespace book

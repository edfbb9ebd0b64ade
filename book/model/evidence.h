// What one finished game says about its opening, and what scores mean. Pure arithmetic: no
// database, no clock.
#pragma once

#include "book/types.h"

namespace book {

struct Evidence {
    double weight = 0;    // 0..1: how much the game counts
    double result = 0.5;  // score as if against an equal opponent, about -1..2; 0.5 says nothing
};

// `score` is 1, 0.5 or 0 for us; `rating_difference` ours minus theirs in Elo, 0 if unknown;
// `plies` the length of the game. The weight is 0 where the ending says nothing about the opening.
Evidence evidence(double score, double rating_difference, Termination termination, int plies);

// Expected score, 0..1, of the side that is `rating_difference` Elo stronger.
double expected_score(double rating_difference);
// Expected score, 0..1, of the side that a search sees `centipawns` ahead.
double score_from_centipawns(double centipawns);

}  // namespace book

// The evidence of one finished game about its opening, and conversions of ratings and search scores
// to expected scores. Pure arithmetic.
#pragma once

#include "book/types.h"

namespace book {

struct Evidence {
    double weight = 0;    // 0..1
    double result = 0.5;  // score as if against an equal opponent, about -1..2; 0.5: neutral
};

// `score`: ours, 1, 0.5 or 0; `rating_difference`: ours minus theirs in Elo, 0 if unknown; `plies`:
// length of the game. The weight is 0 for an ending that is no evidence about the opening.
Evidence evidence(double score, double rating_difference, Termination termination, int plies);

// How much an advantage changes the score of a game with the expected score `expected` (0..1),
// relative to a game between equals: 0.3..1.
double spread_at(double expected);

// Expected score, 0..1, of the side that is `rating_difference` Elo stronger.
double expected_score(double rating_difference);
// Expected score, 0..1, of the side that a search scores at `centipawns`.
double score_from_centipawns(double centipawns);

}  // namespace book

// Search scores in comments of PGN: [%eval 0.31,18] of lichess, and +0.31/12 1.2s of XBoard and
// cutechess.
#pragma once

#include "book/pgn/words.h"

namespace book {

struct CommentScore {
    int cp = 0;     // from the mover's view, within ±MaxScore; mates are ±MaxScore
    int depth = 0;  // plies; 0: not given
};
inline constexpr int MaxScore = 10'000;
inline constexpr int MaxScoreDepth = 99;

// From [%eval], which gives White's view. Nothing if there is none, or it makes no sense.
std::optional<CommentScore> read_eval(std::string_view comment, Color mover);
// From a comment that begins like "+0.31/12" or "-M5/20".
std::optional<CommentScore> read_search(std::string_view comment);

}  // namespace book

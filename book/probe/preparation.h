// Preparation for one opponent: what they play, and which of our lines score best against that.
// Source: S. Walczak, "Improving opening book performance through modeling of chess opponents",
// 1996.
#pragma once

#include "book/probe/lines.h"

#include <span>

namespace book {

struct OpponentReplies {  // in one position with the opponent to move
    engine::Game game{};  // one way to it
    std::int64_t games = 0;
    struct Reply {
        Move move;
        std::int64_t games = 0;
        double score = 0;  // ours, the mean of the results
    };
    std::vector<Reply> replies{};  // most frequent first
};

// A line in which our moves are the best against the opponent's habits.
struct PreparedLine {
    Color side = engine::White;  // ours
    std::vector<Move> moves{};
    double reach = 1;    // probability of the opponent's replies
    double value = 0.5;  // expected score at its end
};

struct Preparation {
    double value[2]{0.5, 0.5};          // our expected score against the opponent, by our colour
    double usual[2]{0.5, 0.5};          // the same against anybody
    std::vector<PreparedLine> lines{};  // most probable first
    std::vector<OpponentReplies> replies{};  // most games first, then the nearest to the start
};

struct OpponentGame {                // of the opponent, against anybody
    Color our_side = engine::White;  // the colour that the opponent did not have
    std::vector<Move> moves{};       // from the start position
    double score = 0.5;              // of that colour
};

// Uses all games against the opponent that count, and `others`, except those with the same moves as
// a game against us. `opponent`: the id, 0 if the book has none. May throw
// Failure or an exception of SQLite.
Preparation prepare(const Layers& layers,
                    const Model& model,
                    std::int64_t opponent,
                    std::span<const OpponentGame> others = {});

}  // namespace book

// Getting ready for one opponent: what he plays, and which of our lines do best against that.
// Source: S. Walczak, "Improving opening book performance through modeling of chess opponents",
// 1996.
#pragma once

#include "book/probe/lines.h"

namespace book {

struct HisReplies {       // in one position where he was to move
    engine::Game game{};  // a way to it
    std::int64_t games = 0;
    struct Reply {
        Move move;
        std::int64_t games = 0;
        double score = 0;  // ours, the mean of the results
    };
    std::vector<Reply> replies{};  // most frequent first
};

// A line in which our moves are the best against his habits.
struct PreparedLine {
    Color side = engine::White;  // ours
    std::vector<Move> moves{};
    double reach = 1;    // how likely his replies are, 0..1
    double value = 0.5;  // expected score at its end
};

struct Prepared {
    double value[2]{0.5, 0.5};  // expected score with White and with Black against his habits
    double usual[2]{0.5, 0.5};  // and of our best moves against anybody
    std::vector<PreparedLine> lines{};  // likely ones first
    std::vector<HisReplies> replies{};  // most games first
};

// Looks at all games against him that count.
Result<Prepared> prepare(const Layers& layers, const Model& model, std::int64_t opponent);

}  // namespace book

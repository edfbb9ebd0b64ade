// Training data from existing games: rescoring, and labelling of child positions.
#pragma once

#include "engine/engine.h"
#include "tools/lab/datagen/game_file.h"

namespace tools::datagen {

// Both functions clear the searcher, which must have one thread. A search has `nodes` nodes.

// The same game with the scores of new searches; NotForTraining where the position is not usable,
// or the new search prefers a capture.
TrainingGame rescore(engine::Searcher& searcher, TrainingGame game, std::uint64_t nodes);

struct ChildLabels {
    std::uint64_t nodes = 250;
    std::uint64_t every = 1;  // at least 1
};

// Searches child positions of `every` games drawn at random, of each game one position in `every`
// on average: positions one or two random moves away from those of the game, which a search meets
// and games avoid. A record of unknown result for each: the position, and the one after the best
// move, both with the score of the search, or with NotForTraining if not usable. Equal seeds give
// equal records.
std::vector<TrainingGame> label_children(engine::Searcher& searcher,
                                         const std::vector<TrainingGame>& games,
                                         const ChildLabels& labels,
                                         std::uint64_t seed);

}  // namespace tools::datagen

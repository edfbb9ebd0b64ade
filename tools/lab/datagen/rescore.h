// Training data from existing games: rescoring, and labelling of child positions.
#pragma once

#include "engine/engine.h"
#include "tools/lab/datagen/game_file.h"

namespace tools::datagen {

// In both functions a search has `nodes` nodes. They clear the searcher, which must have one
// thread.

// The same game with the scores of new searches; NotForTraining where the position is not usable,
// or the new search prefers a capture.
TrainingGame rescore(engine::Searcher& searcher, TrainingGame game, std::uint64_t nodes);

// Searches child positions of one of the games, drawn at random: positions one or two random moves
// away from those of the game, which a search meets and games avoid. A record of unknown result for
// each: the position, and the one after the best move, both with the score of the search, or with
// NotForTraining if not usable. Equal seeds give equal records.
std::vector<TrainingGame> label_children(engine::Searcher& searcher,
                                         const std::vector<TrainingGame>& games,
                                         std::uint64_t nodes,
                                         std::uint64_t seed);

}  // namespace tools::datagen

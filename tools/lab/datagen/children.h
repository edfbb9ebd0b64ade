// Positions near those of games, valued by a short search: what a search meets and games avoid.
#pragma once

#include "engine/engine.h"
#include "tools/lab/datagen/game_file.h"

namespace tools {

// Draws one of the games and values children of its positions, one or two random moves on, with
// `nodes` nodes each: a record of one ply and of unknown result for every usable one. Equal seeds
// give equal records. The searcher has one thread and is cleared first.
std::vector<TrainingGame> value_children(engine::Searcher& searcher,
                                         const std::vector<TrainingGame>& games,
                                         std::uint64_t nodes,
                                         std::uint64_t seed);

}  // namespace tools

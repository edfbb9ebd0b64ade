// The games of older engines, valued anew.
#pragma once

#include "engine/engine.h"
#include "tools/lab/datagen/game_file.h"

namespace tools {

// The same game with the scores of searches of `nodes` nodes each; NotForTraining where there was
// nothing to learn, or the search now wants to capture. The searcher has one thread and is cleared
// first.
TrainingGame revalue(engine::Searcher& searcher, TrainingGame game, std::uint64_t nodes);

}  // namespace tools

// One game of the engine against itself, from a random opening, for training.
#pragma once

#include "engine/engine.h"
#include "tools/datagen/records.h"

#include <atomic>

namespace tools {

struct SelfPlay {
    std::uint64_t soft_nodes = 1'000;  // a move; at most eight times as many
    int random_plies = 8;              // or one more, so that both sides come first
};

// The seed of one game of a run. Neither runs nor games with neighbouring numbers are related.
std::uint64_t seed_of(std::uint64_t run, std::uint64_t number);

// Plays one game; equal seeds give equal games. The searcher has one thread and is cleared first.
// Openings that the search finds decided are drawn again.
TrainingGame
play_training_game(engine::Searcher& searcher, const SelfPlay& rules, std::uint64_t seed);

}  // namespace tools

// One game of the engine against itself, from a random opening, for training.
#pragma once

#include "engine/engine.h"
#include "tools/lab/datagen/game_file.h"

#include <optional>
#include <random>

namespace tools {

struct SelfPlay {
    std::uint64_t soft_nodes = 1'000;  // a move; at most eight times as many
    int random_plies = 8;              // or one more, so that both sides come first
};

// The position after so many random legal moves; nothing if the game ends on the way or there.
std::optional<engine::Position>
after_random_moves(engine::Position pos, int moves, std::mt19937_64& random);

// What a search of so many nodes says of a position, if a network can learn from that.
std::optional<ScoredMove>
value_of(engine::Searcher& searcher, const engine::Position& pos, std::uint64_t nodes);

// The seed of one game of a run. Neither runs nor games with neighbouring numbers are related.
std::uint64_t seed_of(std::uint64_t run, std::uint64_t number);

// Plays one game; equal seeds give equal games. The searcher has one thread and is cleared first.
// Openings that the search finds decided are drawn again.
TrainingGame
play_training_game(engine::Searcher& searcher, const SelfPlay& rules, std::uint64_t seed);

}  // namespace tools

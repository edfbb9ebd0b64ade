// Self-play for training: one game of the engine against itself, from a random opening.
#pragma once

#include "engine/engine.h"
#include "tools/lab/datagen/game_file.h"

#include <optional>
#include <random>

namespace tools::datagen {

struct SelfPlayRules {
    std::uint64_t soft_nodes = 1'000;  // for a move; the hard limit is eight times as much
    int random_plies = 8;              // one more in half of the games, so that both sides begin
};

// The position after a number of random legal moves; nothing if the game ends on the way or there.
std::optional<engine::Position>
after_random_moves(engine::Position pos, int moves, std::mt19937_64& random);

// The move and the score of a search with this many nodes, if the position is usable for training.
std::optional<ScoredMove>
search_score(engine::Searcher& searcher, const engine::Position& pos, std::uint64_t nodes);

// The seed of one game of a run. Runs and games with neighbouring numbers are not related.
std::uint64_t seed_of(std::uint64_t run, std::uint64_t number);

// Whether the game with this seed, one in five, is played out: not adjudicated by scores as soon as
// fewer than 12 pieces are on the board, so that the network sees how endgames are won and held.
bool is_played_out(std::uint64_t seed);

// Plays one game; equal seeds give equal games. Clears the searcher, which must have one thread.
// An opening in which the first search finds one side winning is replaced by another one. A game is
// won when one side is ahead by 900 centipawns for 6 plies, drawn when neither is ahead by more
// than 6 for 12 plies from ply 90 on, and drawn at ply 500.
TrainingGame
play_training_game(engine::Searcher& searcher, const SelfPlayRules& rules, std::uint64_t seed);

}  // namespace tools::datagen

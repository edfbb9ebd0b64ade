// Draws quiet positions from files of games, and values them by searches.
#pragma once

#include "engine/engine.h"
#include "tools/lab/datagen/game_file.h"
#include "tools/lab/thermometer/thermometer_file.h"

namespace tools::thermometer {

// Draws games to take positions from, in a random order that depends on the seed alone; more than
// needed, since some give fewer positions. Skips records of child positions. Throws Failure if a
// file cannot be read, or if there is no game.
std::vector<datagen::TrainingGame> draw_games(const std::vector<std::string>& paths,
                                              const Conditions& conditions);

// The checksum of the games, as Conditions have it.
std::uint64_t checksum(const std::vector<datagen::TrainingGame>& games);

// The scale at which the scores in the games predict their results best, as in training; nothing
// without results.
std::optional<double> fitted_scale(const std::vector<datagen::TrainingGame>& games);

// Up to `per_game` positions of games[number]: usable for training by the game's own score and move
// and by those of a search of `nodes` nodes, whose score is kept. Equal arguments give equal
// positions. Clears the searcher, which must have one thread.
std::vector<ValuedPosition> value_game(engine::Searcher& searcher,
                                       const std::vector<datagen::TrainingGame>& games,
                                       std::uint64_t number,
                                       const Conditions& conditions);

}  // namespace tools::thermometer

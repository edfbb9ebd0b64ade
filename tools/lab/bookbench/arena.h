// Plays a rule in a world and measures its regret.
#pragma once

#include "tools/lab/bookbench/rules.h"

#include <functional>

namespace tools::bookbench {

// The result of one rule in one world. The regret is the expected score of the best moves against
// the opponents that were met, minus that of the moves played, in points; 0.01 a game is about 7
// Elo.
struct RunResult {
    double regret = 0;
    std::vector<double> per_hundred;  // regret a game, by hundreds of games
    double prepared_score = 0;  // expected score, without ratings, against opponents that learn
    int prepared_games = 0;     // against those
    // Of all games, the share that was played before, move by move.
    double repeated = 0;
    // In the last hundred games: the mean score, and the number of positions after our third move.
    double last_score = 0;
    int last_openings = 0;
};

// Makes a rule for the world, with the seed of its random choices.
using MakeRule = std::function<std::unique_ptr<Rule>(const World&, std::uint64_t)>;

// The world is a copy, since it may change. Equal seeds meet equal opponents. `games`: at least 1.
// Throws what the rule throws.
RunResult play(World world, const MakeRule& make, std::uint64_t seed, int games);
// The same with the rule of that name.
RunResult play(World world,
               std::string_view name,
               std::uint64_t seed,
               int games,
               const std::vector<Setting>& settings);

}  // namespace tools::bookbench

// Rules at play in a world, and what it cost them.
#pragma once

#include "tools/lab/bookbench/rules.h"

namespace tools::bookbench {

// Of one rule in one world. Regret is measured in points: what the best moves promised against this
// very opponent, minus what the moves played did; 0.01 point a game is about 7 Elo.
struct Course {
    double regret = 0;
    std::vector<double> per_hundred;  // points a game, over each hundred games
    double exploiter_score = 0;       // expected, a game against the exploiter
    int exploiter_games = 0;
};

// `name`: of the rule. The world is a copy, since it may change. Equal seeds meet equal opponents.
Result<Course> play(World world,
                    std::string_view name,
                    std::uint64_t seed,
                    int games,
                    const std::vector<Setting>& settings);

}  // namespace tools::bookbench

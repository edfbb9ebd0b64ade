// Simultaneous perturbation stochastic approximation: all numbers are moved a little at once, at
// random, one way in one version of the engine and the other way in another; both play each other,
// and every number goes a step towards the winner. Source: J. C. Spall, "Implementation of the
// Simultaneous Perturbation Algorithm for Stochastic Optimization" (1998).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tools::spsa {

struct Parameter {
    std::string name;
    int start = 0, least = 0, most = 0;
    double c_end = 0.5;    // how far the versions are from the middle in the last trial; above 0
    double r_end = 0.002;  // the last step for a won game, in parts of c_end; above 0
    friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Plan {
    std::vector<Parameter> parameters;
    std::uint64_t seed = 1, nodes = 1'000;  // a move
    int pairs = 0;                          // of games with the same opening, one a trial
    friend bool operator==(const Plan&, const Plan&) = default;
};

struct State {
    Plan plan;
    int done = 0;                // pairs
    std::vector<double> values;  // by parameter, within their ranges
    friend bool operator==(const State&, const State&) = default;
};

// One iteration: two versions to play against each other.
struct Trial {
    std::vector<int> plus, minus;  // values by parameter, within their ranges
    std::vector<double> steps;     // what one game won by `plus` adds
    std::uint64_t seed = 0;        // of the games
};

State begin_tuning(Plan plan);
// `number` from 0. Equal states and numbers give equal trials.
Trial make_trial(const State& state, int number);
// `points`: games won by `plus` less those lost, -2..2.
void learn(State& state, const Trial& trial, int points);

}  // namespace tools::spsa

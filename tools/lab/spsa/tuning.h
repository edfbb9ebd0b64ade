// Simultaneous perturbation stochastic approximation (SPSA): an iteration perturbs all parameters
// at once, each by +c or -c at random; the engine with these values plays the engine with the
// opposite ones, and every parameter makes a step towards the winner. Source: J. C. Spall,
// "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization" (1998).
#pragma once

#include "tools/common/statistics.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tools::spsa {

struct Parameter {
    std::string name;
    int start = 0, min = 0, max = 0;
    double c_end = 0.5;  // c of the last iteration, in units of the parameter; above 0
    // Step of the last iteration for one won game, as a share of c_end; above 0.
    double r_end = 0.002;
    friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Plan {
    std::vector<Parameter> parameters{};
    std::uint64_t seed = 1, nodes = 1'000;  // nodes of a move, or of a second of the clock
    std::string clock = "inf";              // of a side, as in match/time_control.h
    int pairs = 0;  // of games with the same opening; one pair is one iteration
    friend bool operator==(const Plan&, const Plan&) = default;
};

struct State {
    Plan plan;
    int done = 0;                // finished pairs
    std::vector<double> values;  // by parameter, within their ranges
    // By parameter: games won with the higher of the two values less those lost, -2..2 a pair.
    std::vector<long> higher_won;
    long squares = 0;  // of the points of the pairs, summed
    friend bool operator==(const State&, const State&) = default;
};

// One iteration: two versions of the engine that play each other.
struct Trial {
    std::vector<int> plus, minus;  // values by parameter, within their ranges
    std::vector<double> steps;     // change of the value for each game that `plus` wins
    std::uint64_t seed = 0;        // of the opening
};

State begin_tuning(Plan plan);
// `number` from 0. Equal states and numbers give equal trials.
Trial make_trial(const State& state, int number);
// Makes the steps. `points`: games that `plus` won minus those that it lost, -2..2.
void update(State& state, const Trial& trial, int points);

// What the higher value of a parameter gained over the lower one, in Elo. The other parameters make
// no difference in the mean: they were high or low at random.
Measured effect(const State& state, std::size_t parameter);

}  // namespace tools::spsa

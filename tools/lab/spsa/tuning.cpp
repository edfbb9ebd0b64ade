#include "tools/lab/spsa/tuning.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tools::spsa {
namespace {

// Spall's exponents, and his stability constant A as a share of the iterations.
constexpr double Alpha = 0.602, Gamma = 0.101, StabilityShare = 0.1;

double within(double value, const Parameter& p) {
    return std::clamp<double>(value, p.min, p.max);
}

}  // namespace

State begin_tuning(Plan plan) {
    State state{.plan = std::move(plan), .values = {}, .higher_won = {}};
    for (const Parameter& p : state.plan.parameters)
        state.values.push_back(p.start);
    state.higher_won.assign(state.values.size(), 0);
    return state;
}

Trial make_trial(const State& state, int number) {
    const Plan& plan = state.plan;
    // Mixed, so that neighbouring iterations are not related.
    std::seed_seq mixed{static_cast<std::uint32_t>(plan.seed),
                        static_cast<std::uint32_t>(plan.seed >> 32),
                        static_cast<std::uint32_t>(number)};
    std::mt19937_64 random(mixed);
    const double pairs = plan.pairs, stability = StabilityShare * pairs, k = number + 1;
    const double c_factor = std::pow(pairs / k, Gamma);
    const double a_factor = std::pow((stability + pairs) / (stability + k), Alpha);
    Trial trial;
    trial.seed = random();
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
        const Parameter& p = plan.parameters[i];
        const double sign = (random() & 1) != 0 ? 1 : -1;
        // Random rounding keeps the mean of the fractions; the same fraction on both sides keeps
        // their difference.
        const double fraction = std::ldexp(static_cast<double>(random() >> 11), -53);
        const auto perturbed = [&](double by) {
            return static_cast<int>(within(std::floor(state.values[i] + by + fraction), p));
        };
        const double perturbation = sign * p.c_end * c_factor;  // c of this iteration
        trial.plus.push_back(perturbed(perturbation));
        trial.minus.push_back(perturbed(-perturbation));
        trial.steps.push_back(sign * p.r_end * p.c_end * a_factor / c_factor);
    }
    return trial;
}

void update(State& state, const Trial& trial, int points) {
    for (std::size_t i = 0; i < state.values.size(); ++i) {
        state.values[i] =
            within(state.values[i] + trial.steps[i] * points, state.plan.parameters[i]);
        state.higher_won[i] += trial.steps[i] > 0 ? points : -points;
    }
    state.squares += points * points;
    ++state.done;
}

Measured effect(const State& state, std::size_t parameter) {
    const double pairs = std::max(state.done, 1);
    const double mean = static_cast<double>(state.higher_won[parameter]) / pairs;
    const double variance = static_cast<double>(state.squares) / pairs - mean * mean;
    // A score of one half and a quarter for each point: a pair has two games.
    return elo_of(
        {.mean = 0.5 + mean / 4, .error = std::sqrt(std::max(variance, 0.0) / pairs) / 4});
}

}  // namespace tools::spsa

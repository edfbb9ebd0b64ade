#include "tools/lab/spsa/tuning.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tools::spsa {
namespace {

// Spall's exponents, and for how long the steps are held back at the beginning.
constexpr double Alpha = 0.602, Gamma = 0.101, Stability = 0.1;

double within(double value, const Parameter& p) {
    return std::clamp<double>(value, p.least, p.most);
}

}  // namespace

State begin_tuning(Plan plan) {
    State state{std::move(plan), 0, {}};
    for (const Parameter& p : state.plan.parameters)
        state.values.push_back(p.start);
    return state;
}

Trial make_trial(const State& state, int number) {
    const Plan& plan = state.plan;
    // Neighbouring numbers must not give related trials.
    std::seed_seq mixed{static_cast<std::uint32_t>(plan.seed),
                        static_cast<std::uint32_t>(plan.seed >> 32),
                        static_cast<std::uint32_t>(number)};
    std::mt19937_64 random(mixed);
    const double pairs = plan.pairs, held = Stability * pairs, k = number + 1;
    const double c_growth = std::pow(pairs / k, Gamma);
    const double a_growth = std::pow((held + pairs) / (held + k), Alpha);
    Trial trial;
    trial.seed = random();
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
        const Parameter& p = plan.parameters[i];
        const double sign = (random() & 1) != 0 ? 1 : -1;
        // Rounded at random, so that on average the fractions count; both alike, so that small
        // differences survive.
        const double fraction = std::ldexp(static_cast<double>(random() >> 11), -53);
        const auto moved = [&](double by) {
            return static_cast<int>(within(std::floor(state.values[i] + by + fraction), p));
        };
        const double c = p.c_end * c_growth;
        trial.plus.push_back(moved(sign * c));
        trial.minus.push_back(moved(-sign * c));
        trial.steps.push_back(sign * p.r_end * p.c_end * a_growth / c_growth);
    }
    return trial;
}

void learn(State& state, const Trial& trial, int points) {
    for (std::size_t i = 0; i < state.values.size(); ++i)
        state.values[i] =
            within(state.values[i] + trial.steps[i] * points, state.plan.parameters[i]);
    ++state.done;
}

}  // namespace tools::spsa

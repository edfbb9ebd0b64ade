#include "book/model/exploration.h"

#include "book/types.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace book {
namespace {

constexpr double MaxGames = 50;  // to come

// The expectation of max(0, x) for a normal x of mean z and deviation 1.
double expected_gain(double z) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return density + z / 2 * std::erfc(-z / std::numbers::sqrt2);
}

// How much the mean of a move changes by one game, as a standard deviation. A game adds its result
// and, mostly for a move played rarely, the search score of a new line.
double change_by_a_game(const Model& model, double evidence, double tried) {
    const double noise = model.sigma * model.sigma;
    const double known = std::max(0.0, evidence - model.parent) / noise;
    const double variance = 1 / (1 / (model.move_deviation * model.move_deviation) + known);
    return variance / std::sqrt(variance + noise / (1 + model.exit / (1 + tried)));
}

}  // namespace

void add_lessons(const Model& model,
                 double games,
                 std::span<const double> tried,
                 std::span<Candidate> candidates) {
    assert(tried.size() == candidates.size());
    const double to_come = std::min(MaxGames, model.horizon * games);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        double other = 0;  // the best mean of the others that may be played
        for (std::size_t k = 0; k < candidates.size(); ++k)
            if (k != i && (candidates[k].flags & Never) == 0)
                other = std::max(other, candidates[k].mean);
        const double change = change_by_a_game(model, candidates[i].evidence, tried[i]);
        const double distance = std::abs(candidates[i].mean - other);
        candidates[i].lesson =
            to_come > 0 && change > 0 ? to_come * change * expected_gain(-distance / change) : 0;
    }
}

}  // namespace book

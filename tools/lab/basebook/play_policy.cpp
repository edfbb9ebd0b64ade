#include "tools/lab/basebook/play_policy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace tools::basebook {
namespace {

// Wins and losses are logistic in centipawns: half of the games are won at WinMedian.
constexpr double WinMedian = 97, WinSlope = 26;

// The engine's choice: a softmax with a temperature that falls with our moves, times the square
// root of popularity, plus exploration. In points.
constexpr double Temperature = 0.008, TemperatureDecay = 0.6, MinTemperature = 0.2,
                 Exploration = 0.15, Sigma = 0.40, Worth = 25, MinSlack = 0.004;
constexpr double SharedByAll = 0.03;

// Opponents: at most this share follows a book, and less where few games are known.
constexpr double FromBook = 0.6, BookGames = 20;
constexpr double TheirTemperature = 15;  // cp
constexpr double NeverListed = 0.02;

void normalise(std::vector<double>& weights, double sum_wanted) {
    double sum = 0;
    for (const double w : weights)
        sum += w;
    for (double& w : weights)
        w = sum > 0 ? w * sum_wanted / sum : 0;
}

int most_games(std::span<const Option> options) {
    int most = 0;
    for (const Option& option : options)
        most = std::max(most, option.games);
    return most;
}

}  // namespace

double points(double centipawns) {
    const double wins = 1 / (1 + std::exp((WinMedian - centipawns) / WinSlope));
    const double losses = 1 / (1 + std::exp((WinMedian + centipawns) / WinSlope));
    return 0.5 * (1 + wins - losses);
}

double leaf_error(std::uint64_t nodes) {
    constexpr std::array<std::pair<double, double>, 6> Table{
        {{1e3, 60}, {5e4, 25}, {2e5, 18}, {1e6, 13}, {4e6, 10}, {1.6e7, 8}}};
    const double n = static_cast<double>(nodes);
    if (n <= Table.front().first)
        return Table.front().second;
    for (std::size_t i = 1; i < Table.size(); ++i)
        if (n <= Table[i].first) {
            const double part =
                std::log(n / Table[i - 1].first) / std::log(Table[i].first / Table[i - 1].first);
            return Table[i - 1].second + part * (Table[i].second - Table[i - 1].second);
        }
    return Table.back().second;
}

std::vector<double> our_policy(std::span<const Option> options, int own_move) {
    std::vector<double> weights(options.size(), 0);
    std::optional<double> best;
    for (const Option& option : options)
        if (option.cp)
            best = std::max(best.value_or(*option.cp), *option.cp);
    if (!best)
        return weights;
    const double decay = std::max(MinTemperature, std::pow(TemperatureDecay, own_move - 1));
    const double temperature = Temperature * decay;
    // A softmax with the variance of the two random terms of the rule, Gumbel's and a normal one.
    const double normal = decay * Exploration * Sigma / std::sqrt(Worth);
    const double scale = std::sqrt(temperature * temperature +
                                   6 * normal * normal / (std::numbers::pi * std::numbers::pi));
    const double slack = std::max(MinSlack, 3 * temperature);
    const int most = most_games(options);
    double near = 0;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const Option& option = options[i];
        if (!option.cp)
            continue;
        near += *option.cp >= *best - BookMargin ? 1 : 0;
        const double behind = points(*option.cp) - points(*best);
        if (behind >= -slack)
            weights[i] = std::exp(
                (behind + temperature * 0.5 * std::log((option.games + 1.0) / (most + 1.0))) /
                scale);
    }
    normalise(weights, 1 - SharedByAll);
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].cp && *options[i].cp >= *best - BookMargin)
            weights[i] += SharedByAll / near;
    return weights;
}

std::vector<double> their_policy(std::span<const Option> options, int games) {
    std::optional<double> best, worst;
    for (const Option& option : options)
        if (option.cp) {
            best = std::max(best.value_or(*option.cp), *option.cp);
            worst = std::min(worst.value_or(*option.cp), *option.cp);
        }
    // A reply that was not searched counts as the worst of those that were, and less if it is rare.
    const int most = most_games(options);
    std::vector<double> weights(options.size(), 0);
    for (std::size_t i = 0; i < options.size(); ++i) {
        const double cp = options[i].cp.value_or(worst.value_or(0));
        const double rarity = options[i].cp ? 1 : (options[i].games + 1.0) / (most + 1.0);
        weights[i] = rarity * std::exp((cp - best.value_or(0)) / TheirTemperature);
    }
    // Where few games are known, many of the replies are not listed.
    const double from_book = FromBook * games / (games + BookGames);
    const double unlisted = (1 - FromBook) * BookGames / (games + BookGames);
    normalise(weights, 1 - from_book - unlisted);
    for (std::size_t i = 0; i < options.size(); ++i)
        weights[i] = (1 - NeverListed) *
                     (weights[i] + (games > 0 ? from_book * options[i].games / games : 0));
    return weights;
}

}  // namespace tools::basebook

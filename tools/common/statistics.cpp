#include "tools/common/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tools {
namespace {

struct Bin {
    double score;        // share of the points: 0..1
    double probability;  // or a count
};
using Distribution = std::vector<Bin>;

// Counts of pairs if there are any, else of games; not normalised.
Distribution counts_of(const Tally& tally) {
    Distribution d;
    if (tally.full_pairs() > 0) {
        for (std::size_t i = 0; i < tally.pairs.size(); ++i)
            d.push_back({static_cast<double>(i) / 4, static_cast<double>(tally.pairs[i])});
        return d;
    }
    return {{0, static_cast<double>(tally.losses)},
            {0.5, static_cast<double>(tally.draws)},
            {1, static_cast<double>(tally.wins)}};
}

double total(const Distribution& d) {
    return std::accumulate(
        d.begin(), d.end(), 0.0, [](double sum, const Bin& o) { return sum + o.probability; });
}

double mean(const Distribution& d) {
    double sum = 0;
    for (const Bin& o : d)
        sum += o.score * o.probability;
    return sum / total(d);
}

double variance(const Distribution& d) {
    const double m = mean(d);
    double sum = 0;
    for (const Bin& o : d)
        sum += (o.score - m) * (o.score - m) * o.probability;
    return sum / total(d);
}

// The distribution with mean `score` under which the observed one is likeliest. It has the form
// p / (1 + x (a - score)); x is the root of a falling function, found by bisection.
Distribution constrained(const Distribution& observed, double score) {
    const double lowest = observed.front().score, highest = observed.back().score;
    double left = -1 / (highest - score), right = 1 / (score - lowest);
    const auto weight = [&](double x) {
        double sum = 0;
        for (const Bin& o : observed)
            sum += o.probability * (o.score - score) / (1 + x * (o.score - score));
        return sum;
    };
    for (int i = 0; i < 200; ++i) {
        const double middle = (left + right) / 2;
        (weight(middle) > 0 ? left : right) = middle;
    }
    Distribution result = observed;
    for (Bin& o : result)
        o.probability /= 1 + (left + right) / 2 * (o.score - score);
    return result;
}

double normal(double x) {
    return std::erfc(-x / std::sqrt(2.0)) / 2;
}

double bounded_score(double score) {
    return std::clamp(score, 0.001, 0.999);
}
double bounded_elo(double score) {
    return elo_of_score(bounded_score(score));
}

}  // namespace

int Tally::full_pairs() const {
    return std::accumulate(pairs.begin(), pairs.end(), 0);
}

double expected_score(double elo) {
    return 1 / (1 + std::pow(10.0, -elo / 400));
}

double elo_of_score(double score) {
    return 400 * std::log10(score / (1 - score));
}

double winning_chance(int centipawns) {
    return 1 / (1 + std::exp(-std::clamp(centipawns, -5000, 5000) / 200.0));
}

Measured mean_of(const std::vector<double>& numbers) {
    if (numbers.empty())
        return {};
    const auto count = static_cast<double>(numbers.size());
    const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
    double squares = 0;
    for (const double x : numbers)
        squares += (x - mean) * (x - mean);
    return {.mean = mean, .error = count > 1 ? std::sqrt(squares / (count - 1) / count) : 0};
}

Measured operator-(const Measured& a, const Measured& b) {
    return {.mean = a.mean - b.mean, .error = std::hypot(a.error, b.error)};
}

Measured elo_of(const Measured& score) {
    const double s = bounded_score(score.mean);
    return {.mean = elo_of_score(s), .error = 400 / std::log(10) / (s * (1 - s)) * score.error};
}

Estimate estimate(const Tally& tally) {
    Estimate e;
    if (tally.games() == 0)
        return e;
    e.score = tally.points() / tally.games();
    e.elo = bounded_elo(e.score);
    const Distribution d = counts_of(tally);
    const double deviation = std::sqrt(variance(d) / total(d));
    e.low = bounded_elo(e.score - 1.959964 * deviation);
    e.high = bounded_elo(e.score + 1.959964 * deviation);
    e.error_known = deviation > 0;
    if (e.error_known)
        e.superiority = normal((e.score - 0.5) / deviation);
    else
        e.superiority = e.score > 0.5 ? 1 : e.score < 0.5 ? 0 : 0.5;
    return e;
}

double log_likelihood_ratio(const Tally& tally, const Sprt& test) {
    if (tally.full_pairs() == 0)
        return 0;
    Distribution observed = counts_of(tally);
    for (Bin& o : observed)  // an outcome not yet seen is not impossible
        o.probability = std::max(o.probability, 1e-3);
    const double count = total(observed);
    for (Bin& o : observed)
        o.probability /= count;
    const Distribution p0 = constrained(observed, expected_score(test.elo0));
    const Distribution p1 = constrained(observed, expected_score(test.elo1));
    double sum = 0;
    for (std::size_t i = 0; i < observed.size(); ++i)
        sum += observed[i].probability * std::log(p1[i].probability / p0[i].probability);
    return count * sum;
}

double lower_bound(const Sprt& test) {
    return std::log(test.beta / (1 - test.alpha));
}

double upper_bound(const Sprt& test) {
    return std::log((1 - test.beta) / test.alpha);
}

Verdict verdict(const Tally& tally, const Sprt& test) {
    const double llr = log_likelihood_ratio(tally, test);
    if (llr >= upper_bound(test))
        return Verdict::AcceptElo1;
    return llr <= lower_bound(test) ? Verdict::AcceptElo0 : Verdict::Undecided;
}

}  // namespace tools

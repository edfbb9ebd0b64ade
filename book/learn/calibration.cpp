#include "book/learn/calibration.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace book {
namespace {

constexpr std::int64_t CalibrationInterval = 100;  // own games
constexpr double PriorGames = 200;   // weight of the standard worth of a score, in games
constexpr double PriorResults = 50;  // weight of the standard scatter of results
constexpr double MinWorth = 2, MaxWorth = 20;
constexpr double MinVariance = 0.09, MaxVariance = 0.25;
constexpr double WorthStep = 0.5, SigmaStep = 0.01;  // so that noise does not change all values

double stepped(double x, double step) {
    return std::round(x / step) * step;
}

// Squared errors of search scores as forecasts of results.
class Errors {
  public:
    void add(const Evidence& e, double forecast) {
        const double error = e.result - forecast;
        weight_ += e.weight;
        squares_ += e.weight * error * error;
        ++games_;
    }
    [[nodiscard]] std::int64_t games() const { return games_; }
    // The number of games that such a score is worth: sigma^2 / tau^2. The weight of a result is
    // the inverse of its variance in units of sigma^2; tau^2 is the part of the errors beyond that.
    [[nodiscard]] double worth(double sigma2, double standard) const {
        const double games = static_cast<double>(games_);
        const double tau2 =
            (PriorGames * sigma2 / standard + squares_ - games * sigma2) / (PriorGames + weight_);
        return stepped(std::clamp(sigma2 / std::max(tau2, 1e-6), MinWorth, MaxWorth), WorthStep);
    }

  private:
    double weight_ = 0, squares_ = 0;
    std::int64_t games_ = 0;
};

}  // namespace

Calibration measure(const Model& standard, std::span<const CalibrationSample> games) {
    struct Exit {
        double weight = 0, sum = 0, squares = 0, games = 0;
    };
    std::unordered_map<Key, std::size_t> index;
    std::vector<Exit> exits;  // in the order of the games: sums need a fixed order
    Errors at_exit, analysed;
    for (const CalibrationSample& g : games) {
        const double w = g.evidence.weight;
        const double x = g.evidence.result;
        if (g.exit_key) {
            const auto [at, added] = index.try_emplace(*g.exit_key, exits.size());
            if (added)
                exits.emplace_back();
            Exit& e = exits[at->second];
            e.weight += w;
            e.sum += w * x;
            e.squares += w * x * x;
            e.games += 1;
        }
        if (g.exit_cp)
            at_exit.add(g.evidence, score_from_centipawns(*g.exit_cp));
        if (g.analysed_cp)
            analysed.add(g.evidence, score_from_centipawns(*g.analysed_cp));
    }
    // Scatter of results at the same exit.
    double scatter = 0, freedom = 0;
    for (const Exit& e : exits)
        if (e.games >= 2) {
            scatter += e.squares - e.sum * e.sum / e.weight;
            freedom += e.games - 1;
        }
    const double sigma2 = std::clamp((PriorResults * standard.sigma * standard.sigma + scatter) /
                                         (PriorResults + freedom),
                                     MinVariance,
                                     MaxVariance);
    return {.sigma = stepped(std::sqrt(sigma2), SigmaStep),
            .exit = at_exit.worth(sigma2, standard.exit),
            .analysis = analysed.worth(sigma2, standard.analysis),
            .exits = at_exit.games(),
            .analyses = analysed.games()};
}

namespace {

// Stores a setting, or erases it: a constant that was not measured has the standard value. Returns
// true if it changed.
bool set(Database& db, const char* name, std::optional<double> value) {
    if (db.number(name) == value)
        return false;
    value ? db.set_number(name, *value) : db.erase(name);
    return true;
}

}  // namespace

bool calibrate(Store& store) {
    if (!store.calibrates)
        return false;
    std::vector<CalibrationSample> games = store.games.calibration_samples(
        store.games.count_applied() / CalibrationInterval * CalibrationInterval);
    const double until = games.empty() ? 0 : static_cast<double>(games.back().played);
    // An opponent without a random choice may repeat a game any number of times.
    std::unordered_set<std::int64_t> known;
    std::erase_if(games, [&known](const auto& g) { return !known.insert(g.content).second; });
    const Calibration m = measure(store.standard, games);
    const auto if_any = [](bool any, double value) {
        return any ? std::optional(value) : std::nullopt;
    };
    bool changed = set(store.db, SigmaName, if_any(!games.empty(), m.sigma));
    changed = set(store.db, ExitWorthName, if_any(m.exits > 0, m.exit)) || changed;
    changed = set(store.db, AnalysisWorthName, if_any(m.analyses > 0, m.analysis)) || changed;
    set(store.db, MeasuredUntilName, if_any(!games.empty(), until));
    return changed;
}

bool measured_in_future(Store& store) {
    return store.db.number(MeasuredUntilName).value_or(0) > static_cast<double>(seconds_now());
}

bool calibrate_after(Store& store, std::int64_t played) {
    const std::optional<double> until = store.db.number(MeasuredUntilName);
    const bool among_the_measured =
        until && static_cast<double>(played) <= *until && !measured_in_future(store);
    return (among_the_measured || store.games.count_applied() % CalibrationInterval == 0) &&
           calibrate(store);
}

}  // namespace book

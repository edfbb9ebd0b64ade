#include "book/learn/calibration.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace book {
namespace {

constexpr std::int64_t CalibrationInterval = 100;  // own games
constexpr double PriorGames = 200;   // weight of the standard worth of a score, in games
constexpr double PriorResults = 50;  // weight of the standard scatter of results
constexpr double MinWorth = 2, MaxWorth = 20, MaxDeepWorth = 40;
constexpr double MinVariance = 0.09, MaxVariance = 0.25;
constexpr double PriorOpponent = 4;  // weight of an opponent being our equal, in games
constexpr double WorthStep = 0.5, SigmaStep = 0.01,
                 AdvantageStep = 0.01;  // so that noise does not change all values

// How many of the first games are measured: the strength of opponents is wanted soon.
std::int64_t games_measured(std::int64_t games) {
    for (const std::int64_t first :
         {CalibrationInterval, std::int64_t{50}, std::int64_t{25}, std::int64_t{12}})
        if (games >= first)
            return first == CalibrationInterval ? games / first * first : first;
    return 0;
}

double stepped(double x, double step) {
    return std::round(x / step) * step;
}

// Squared errors of search scores as forecasts of results.
class Errors {
  public:
    void add(const CalibrationSample& g, int cp) {
        const double error = g.evidence.result - score_from_centipawns(cp);
        const double share = 1 / static_cast<double>(g.repetition);
        weight_ += share * g.evidence.weight;
        squares_ += share * g.evidence.weight * error * error;
        games_ += share;
        ++count_;
    }
    [[nodiscard]] std::int64_t count() const { return count_; }
    // The number of games that such a score is worth: sigma^2 / tau^2. The weight of a result is
    // the inverse of its variance in units of sigma^2; tau^2 is the part of the errors beyond that.
    [[nodiscard]] double worth(double sigma2, double standard, double most) const {
        const double tau2 =
            (PriorGames * sigma2 / standard + squares_ - games_ * sigma2) / (PriorGames + weight_);
        return stepped(std::clamp(sigma2 / std::max(tau2, 1e-6), MinWorth, most), WorthStep);
    }

  private:
    double weight_ = 0, squares_ = 0, games_ = 0;
    std::int64_t count_ = 0;
};

// Scatter of results at the same exit. A repeated game says nothing about it.
class Scatter {
  public:
    void add(const CalibrationSample& g) {
        if (!g.exit_key || g.repetition > 1)
            return;
        const auto [at, added] = index_.try_emplace(*g.exit_key, exits_.size());
        if (added)
            exits_.emplace_back();
        Exit& e = exits_[at->second];
        const double w = g.evidence.weight, x = g.evidence.result;
        e.weight += w;
        e.sum += w * x;
        e.squares += w * x * x;
        e.games += 1;
    }
    [[nodiscard]] double variance(double standard) const {
        double scatter = 0, freedom = 0;
        for (const Exit& e : exits_)
            if (e.games >= 2) {
                scatter += e.squares - e.sum * e.sum / e.weight;
                freedom += e.games - 1;
            }
        return std::clamp((PriorResults * standard * standard + scatter) / (PriorResults + freedom),
                          MinVariance,
                          MaxVariance);
    }

  private:
    struct Exit {
        double weight = 0, sum = 0, squares = 0, games = 0;
    };
    std::unordered_map<Key, std::size_t> index_;
    std::vector<Exit> exits_;  // in the order of the games: sums need a fixed order
};

// Fits result = value of the exit + advantage over the opponent, each shrunk towards what is known
// of it before: the search score, and 0 for opponents.
std::map<std::int64_t, double> fit_advantages(std::span<const CalibrationSample> games,
                                              const Model& model) {
    struct Sums {
        double weight = 0, score = 0, fitted = 0;
    };
    std::map<Key, Sums> exits;
    std::map<std::int64_t, Sums> opponents;
    constexpr int Rounds = 8;
    const auto each = [&](const auto& take) {
        for (const CalibrationSample& g : games)
            if (g.exit_key && g.exit_cp && g.opponent != 0 && !g.rated)
                take(g, g.evidence.weight / static_cast<double>(g.repetition));
    };
    for (int round = 0; round < Rounds; ++round) {
        for (auto& [key, e] : exits)
            e.weight = e.score = 0;
        each([&](const CalibrationSample& g, double w) {
            Sums& e = exits[*g.exit_key];
            e.fitted = score_from_centipawns(*g.exit_cp);
            e.weight += w;
            e.score += w * (g.evidence.result - opponents[g.opponent].fitted);
        });
        for (auto& [key, e] : exits)
            e.fitted = (model.exit * e.fitted + e.score) / (model.exit + e.weight);
        for (auto& [id, o] : opponents)
            o.weight = o.score = 0;
        each([&](const CalibrationSample& g, double w) {
            Sums& o = opponents[g.opponent];
            o.weight += w;
            o.score += w * (g.evidence.result - exits[*g.exit_key].fitted);
        });
        for (auto& [id, o] : opponents)
            o.fitted = o.score / (PriorOpponent + o.weight);
    }
    std::map<std::int64_t, double> advantages;
    for (const auto& [id, o] : opponents)
        advantages[id] = stepped(o.fitted, AdvantageStep);
    return advantages;
}

}  // namespace

Calibration measure(const Model& standard, std::span<const CalibrationSample> games) {
    Scatter scatter;
    Errors at_exit, analysed, deep;
    for (const CalibrationSample& g : games) {
        scatter.add(g);
        if (g.exit_cp)
            at_exit.add(g, *g.exit_cp);
        if (g.analysed_cp)
            (g.analysed_nodes >= DeepNodes ? deep : analysed).add(g, *g.analysed_cp);
    }
    const double sigma2 = scatter.variance(standard.sigma);
    return {.sigma = stepped(std::sqrt(sigma2), SigmaStep),
            .exit = at_exit.worth(sigma2, standard.exit, MaxWorth),
            .analysis = analysed.worth(sigma2, standard.analysis, MaxWorth),
            .deep_analysis = deep.worth(sigma2, standard.deep_analysis, MaxDeepWorth),
            .exits = at_exit.count(),
            .analyses = analysed.count(),
            .deep_analyses = deep.count(),
            .advantages = fit_advantages(games, standard)};
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
    const std::vector<CalibrationSample> games =
        store.games.calibration_samples(games_measured(store.games.count_applied()));
    const double until = games.empty() ? 0 : static_cast<double>(games.back().played);
    const Calibration m = measure(store.standard, games);
    const auto if_any = [](bool any, double value) {
        return any ? std::optional(value) : std::nullopt;
    };
    bool changed = set(store.db, SigmaName, if_any(!games.empty(), m.sigma));
    changed = set(store.db, ExitWorthName, if_any(m.exits > 0, m.exit)) || changed;
    changed = set(store.db, AnalysisWorthName, if_any(m.analyses > 0, m.analysis)) || changed;
    changed = set(store.db, DeepWorthName, if_any(m.deep_analyses > 0, m.deep_analysis)) || changed;
    changed = store.opponents.set_advantages(m.advantages) || changed;
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
    const std::int64_t games = store.games.count_applied();
    return (among_the_measured || (games > 0 && games_measured(games) == games)) &&
           calibrate(store);
}

}  // namespace book

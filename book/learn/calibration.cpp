#include "book/learn/calibration.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace book {
namespace {

constexpr std::int64_t CalibrationInterval = 100;  // own games, measured by whole hundreds
constexpr double PriorGames = 200;   // what the shipped worth of a score counts against the log
constexpr double PriorResults = 50;  // the same for the scatter of results
constexpr double LeastWorth = 2, MostWorth = 20;
constexpr double LeastVariance = 0.09, MostVariance = 0.25;
constexpr double WorthStep = 0.5, SigmaStep = 0.01;  // so that values do not change for nothing

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
    // Games that such a score is worth. A result's weight is the inverse of its variance in units
    // of sigma squared: what is left of the errors without that is the search's own.
    [[nodiscard]] double worth(double sigma2, double standard) const {
        const double games = static_cast<double>(games_);
        const double tau2 =
            (PriorGames * sigma2 / standard + squares_ - games * sigma2) / (PriorGames + weight_);
        return stepped(std::clamp(sigma2 / std::max(tau2, 1e-6), LeastWorth, MostWorth), WorthStep);
    }

  private:
    double weight_ = 0, squares_ = 0;
    std::int64_t games_ = 0;
};

}  // namespace

Measured measure(const Model& standard, std::span<const CalibrationSample> games) {
    struct Exit {
        double weight = 0, sum = 0, squares = 0, games = 0;
    };
    std::unordered_map<Key, std::size_t> place;
    std::vector<Exit> exits;  // in the order of the log, so that sums do not depend on chance
    Errors at_exit, analysed;
    for (const CalibrationSample& g : games) {
        const double w = g.evidence.weight;
        const double x = g.evidence.result;
        if (g.exit_key) {
            const auto [at, added] = place.try_emplace(*g.exit_key, exits.size());
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
    // Scatter of results at one and the same exit.
    double scatter = 0, freedom = 0;
    for (const Exit& e : exits)
        if (e.games >= 2) {
            scatter += e.squares - e.sum * e.sum / e.weight;
            freedom += e.games - 1;
        }
    const double sigma2 = std::clamp((PriorResults * standard.sigma * standard.sigma + scatter) /
                                         (PriorResults + freedom),
                                     LeastVariance,
                                     MostVariance);
    return {.sigma = stepped(std::sqrt(sigma2), SigmaStep),
            .exit = at_exit.worth(sigma2, standard.exit),
            .analysis = analysed.worth(sigma2, standard.analysis),
            .exits = at_exit.games(),
            .analyses = analysed.games()};
}

namespace {

// Constants that are not measured are those of the program.
Result<bool> set(Database& db, const char* name, std::optional<double> value) {
    const Result<std::optional<double>> known = db.number(name);
    if (!known)
        return tl::unexpected<Error>(known.error());
    if (*known == value)
        return false;
    if (const Result<void> done = value ? db.set_number(name, *value) : db.forget(name); !done)
        return tl::unexpected<Error>(done.error());
    return true;
}

}  // namespace

Result<bool> calibrate(Store& store) {
    if (!store.calibrates)
        return false;
    const Result<std::int64_t> applied = store.games->count_applied();
    if (!applied)
        return tl::unexpected<Error>(applied.error());
    const Result<std::vector<CalibrationSample>> games =
        store.games->testimonies(*applied / CalibrationInterval * CalibrationInterval);
    if (!games)
        return tl::unexpected<Error>(games.error());
    const Measured m = measure(store.standard, *games);
    const auto known = [](bool any, double value) {
        return any ? std::optional(value) : std::nullopt;
    };
    bool changed = false;
    for (const auto& [name, value] :
         {std::pair(SigmaName, known(!games->empty(), m.sigma)),
          std::pair(ExitWorthName, known(m.exits > 0, m.exit)),
          std::pair(AnalysisWorthName, known(m.analyses > 0, m.analysis))}) {
        Result<bool> one = set(*store.db, name, value);
        if (!one)
            return one;
        changed = changed || *one;
    }
    const double until = games->empty() ? 0 : static_cast<double>(games->back().played);
    const Result<bool> noted = set(*store.db, MeasuredUntilName, known(!games->empty(), until));
    return noted ? Result<bool>(changed) : noted;
}

Result<bool> calibrate_with(Store& store, std::int64_t played) {
    const Result<std::int64_t> applied = store.games->count_applied();
    const Result<std::optional<double>> until = store.db->number(MeasuredUntilName);
    if (!applied || !until)
        return tl::unexpected<Error>(!applied ? applied.error() : until.error());
    const bool among_them = *until && static_cast<double>(played) <= **until;
    return among_them || *applied % CalibrationInterval == 0 ? calibrate(store) : false;
}

}  // namespace book

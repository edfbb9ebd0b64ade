#include "book/learn/calibration.h"

#include <algorithm>
#include <cmath>

namespace book {
namespace {

constexpr std::int64_t CalibrationInterval = 100;  // own games
constexpr double PriorGames = 200;   // weight of the standard worth of a score, in games
constexpr double PriorResults = 50;  // weight of the standard scatter of results
constexpr double MinWorth = 2, MaxWorth = 40;
constexpr double MinVariance = 0.09, MaxVariance = 0.25;
constexpr double MinScore = 0.05;    // expected against anybody
constexpr double PriorOpponent = 4;  // weight of an opponent being our equal, in games
constexpr double WorthStep = 0.5, SigmaStep = 0.01,
                 AdvantageStep = 0.01;  // so that noise does not change all values

// How many of the first games are measured. Starts early: the opponents' strength is needed soon.
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

// True if the game measures the strength of an unrated opponent.
bool tells_strength(const CalibrationSample& g) {
    return g.exit_key && g.exit_cp && g.opponent != 0 && !g.rated;
}
double weight_of(const CalibrationSample& g) {
    return g.evidence.weight / static_cast<double>(g.repetition);
}

// Our mean result minus the search score at the exit, by unrated opponent. Unlike fit_advantages(),
// it does not fit the values of the exits, because the errors of the searches are to be measured.
class Offsets {
  public:
    void add(const CalibrationSample& g) {
        if (!tells_strength(g))
            return;
        Sums& s = sums_[g.opponent];
        s.weight += weight_of(g);
        s.score += weight_of(g) * surplus(g);
    }
    // From all games but this one, so that its own random error is not subtracted.
    [[nodiscard]] double without(const CalibrationSample& g) const {
        if (!tells_strength(g))
            return 0;
        const Sums& s = sums_.at(g.opponent);
        return (s.score - weight_of(g) * surplus(g)) / (PriorOpponent + s.weight - weight_of(g));
    }

  private:
    struct Sums {
        double weight = 0, score = 0;
    };
    static double surplus(const CalibrationSample& g) {
        return g.evidence.result - score_from_centipawns(*g.exit_cp);
    }
    std::map<std::int64_t, Sums> sums_;
};

// An error of a forecast: the result less the score that was expected, in units of a game between
// equals. As in evidence(), games against much stronger or weaker opponents weigh less.
struct ForecastError {
    double weight = 0, error = 0;
};
// `said`: the score that a search forecast against an equal opponent, 0..1; `offset`: how much more
// than that we score against this one.
ForecastError error_of(const CalibrationSample& g, double said, double offset) {
    const double equal = std::clamp(0.5 + offset, MinScore, 1 - MinScore);
    const double expected = equal * said / (equal * said + (1 - equal) * (1 - said));
    const double spread = spread_at(expected);
    return {.weight = g.evidence.weight * spread * spread,
            .error = (g.evidence.result - expected) / spread};
}

// The squared error of search scores, tau^2: two games with the same exit share this error, and all
// else is chance. Only pairs against two different opponents count: games against one are often
// alike.
class CommonErrors {
  public:
    void add(const CalibrationSample& g, const ForecastError& e) {
        ++count_;
        if (!g.exit_key || g.repetition > 1)
            return;
        Sums& sums = exits_[*g.exit_key][g.opponent];
        sums.weight += e.weight;
        sums.error += e.weight * e.error;
    }
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] double tau2(double standard) const {
        double squares = PriorGames * standard, weight = PriorGames;
        for (const auto& [key, opponents] : exits_) {
            Sums all;
            double own_squares = 0, own_weights = 0;  // of the pairs against one opponent
            for (const auto& [opponent, s] : opponents) {
                all.weight += s.weight;
                all.error += s.error;
                own_squares += s.error * s.error;
                own_weights += s.weight * s.weight;
            }
            if (all.weight > 0) {
                squares += (all.error * all.error - own_squares) / all.weight;
                weight += (all.weight * all.weight - own_weights) / all.weight;
            }
        }
        return std::max(squares / weight, 1e-6);
    }

  private:
    struct Sums {
        double weight = 0, error = 0;  // error: sum of weight * error
    };
    std::map<Key, std::map<std::int64_t, Sums>> exits_;  // sorted: sums need a fixed order
    std::int64_t count_ = 0;
};

// The share of an opponent's games in which the ratings do not already tell the strength.
class UnratedShares {
  public:
    explicit UnratedShares(std::span<const CalibrationSample> games) {
        for (const CalibrationSample& g : games) {
            Weights& w = weights_[g.opponent];
            w.all += weight_of(g);
            w.unrated += g.rated ? 0 : weight_of(g);
        }
    }
    [[nodiscard]] double of(std::int64_t opponent) const {
        const Weights& w = weights_.at(opponent);
        return w.all > 0 ? w.unrated / w.all : 0;
    }

  private:
    struct Weights {
        double unrated = 0, all = 0;
    };
    std::map<std::int64_t, Weights> weights_;
};

// Fits result = value of the exit + advantage over the opponent, each shrunk towards its prior: the
// search score for exits, 0 for opponents. An advantage is subtracted from all games against its
// opponent, so it is the mean of all of them, 0 where both ratings are known.
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
            if (tells_strength(g))
                take(g, weight_of(g));
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
    const UnratedShares unrated(games);
    std::map<std::int64_t, double> advantages;
    for (const auto& [id, o] : opponents)
        advantages[id] = stepped(o.fitted * unrated.of(id), AdvantageStep);
    return advantages;
}

}  // namespace

Calibration measure(const Model& standard, std::span<const CalibrationSample> games) {
    Offsets offsets;
    for (const CalibrationSample& g : games)
        offsets.add(g);
    CommonErrors at_exit, analysed, deep;
    const double standard2 = standard.sigma * standard.sigma;
    const double tau2 = standard2 / standard.exit;
    double squares = PriorResults * (standard2 + tau2), counted = PriorResults;
    for (const CalibrationSample& g : games) {
        const double offset = offsets.without(g);
        const auto error = [&](int cp) { return error_of(g, score_from_centipawns(cp), offset); };
        if (g.exit_cp)
            at_exit.add(g, error(*g.exit_cp));
        if (g.analysed_cp)
            (g.analysed_nodes >= DeepNodes ? deep : analysed).add(g, error(*g.analysed_cp));
        if (g.repetition == 1) {
            const ForecastError e = error(g.exit_cp.value_or(0));
            squares += e.weight * e.error * e.error;
            counted += 1;
        }
    }
    const double sigma2 =
        std::clamp(squares / counted - at_exit.tau2(tau2), MinVariance, MaxVariance);
    const auto worth = [sigma2](const CommonErrors& errors, double of_standard) {
        const double found = sigma2 / errors.tau2(sigma2 / of_standard);
        return stepped(std::clamp(found, MinWorth, MaxWorth), WorthStep);
    };
    return {.sigma = stepped(std::sqrt(sigma2), SigmaStep),
            .exit = worth(at_exit, standard.exit),
            .analysis = worth(analysed, standard.analysis),
            .deep_analysis = worth(deep, standard.deep_analysis),
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

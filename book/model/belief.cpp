#include "book/model/belief.h"

#include <algorithm>
#include <cmath>

namespace book {
namespace {

constexpr double HalfImport = 20;  // imported games that give half of the maximal evidence

}  // namespace

double Belief::deviation(const Model& model) const {
    return model.sigma / std::sqrt(evidence);
}

double rarity(std::int64_t games, std::int64_t most_games) {
    return std::log(static_cast<double>(most_games + 1) / static_cast<double>(games + 1));
}

double import_worth(const Model& model, double games) {
    return model.imported * games / (games + HalfImport);
}

// Few results are mostly chance, so their mean is shrunk towards the value expected from the move's
// rarity: rare moves are worse than the position they are played in.
Belief prior(const Model& model,
             const Results& imported,
             std::optional<SearchScore> analysed,
             const Own& own) {
    const double games = imported.games();
    const double worth = import_worth(model, games);
    const double told = worth / (games + model.import_noise);  // evidence of each game
    Belief b{.evidence = model.parent + worth,
             .sum = told * (imported.wins + imported.draws / 2),
             .parent = model.parent + worth - told * games};
    b.sum -= b.parent * model.rarity * imported.rarity;
    if (analysed) {
        const double counted = own.exits > 0 && own.exit_score ? model.exit : 0;
        const double more = std::max(0.0, analysed->worth(model) - counted);
        b.evidence += more;
        b.sum += more * analysed->score;
    }
    return b;
}

Belief with_exits(const Model& model, Belief b, const Own& own) {
    if (own.exit_score) {
        b.evidence += model.exit;
        b.sum += model.exit * *own.exit_score;
    }
    b.evidence += own.weight;
    b.sum += own.score;
    return b;
}

Belief posterior(const Model& model, Belief b, const Own& own) {
    if (own.evidence > 0) {
        b.evidence += own.evidence;
        b.sum += own.evidence * own.value;
        return b;
    }
    return own.exits > 0 ? with_exits(model, b, own) : b;
}

Backed back_up(const Model& model, std::span<const Child> children, const Own& own) {
    // The mean m of every child depends on this position's value V, so V = sum f m(V) / sum f is
    // solved for V. That makes V a function of the children alone, in whatever order games came.
    double frequency = 0, sum = 0, own_share = 0, evidence = 0;
    const auto take = [&](const Belief& b, double f) {
        frequency += f;
        sum += f * b.sum / b.evidence;
        own_share += f * b.parent / b.evidence;
    };
    for (const Child& child : children) {
        if (child.frequency > 0)
            take(child.belief, child.frequency);
        evidence += child.gained;
    }
    if (evidence <= 0)
        return {};
    if (own.exits > 0) {  // leaving the book here is one more move
        const Belief left =
            with_exits(model, {.evidence = model.parent, .sum = 0, .parent = model.parent}, own);
        take(left, own.exits);
        evidence += left.evidence - model.parent;
    }
    if (frequency - own_share <= 1e-12 * frequency)
        return {.value = 0.5, .evidence = evidence};
    return {.value = sum / (frequency - own_share), .evidence = evidence};
}

}  // namespace book

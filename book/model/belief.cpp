#include "book/model/belief.h"

#include <algorithm>
#include <cmath>

namespace book {
namespace {

constexpr double HalfImport = 20;  // imported games that give half of the maximal evidence
constexpr double DrawnGames = 4;   // added to imported results, so that one win is not certainty

}  // namespace

double Belief::deviation(const Model& model) const {
    return model.sigma / std::sqrt(evidence);
}

Belief prior(const Model& model,
             const Results& imported,
             std::optional<SearchScore> analysed,
             const Own& own) {
    Belief b{.evidence = model.parent, .sum = 0};
    const double games = imported.games();
    if (games > 0) {
        const double worth = model.imported * games / (games + HalfImport);
        const double mean =
            (imported.wins + imported.draws / 2 + DrawnGames / 2) / (games + DrawnGames);
        b.evidence += worth;
        b.sum += worth * mean;
    }
    if (analysed) {
        const double counted = own.exits > 0 && own.exit_score ? model.exit : 0;
        const double worth = std::max(0.0, analysed->worth(model) - counted);
        b.evidence += worth;
        b.sum += worth * analysed->score;
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
        own_share += f * model.parent / b.evidence;
    };
    for (const Child& child : children) {
        if (child.frequency > 0)
            take(child.belief, child.frequency);
        if (child.visited)
            evidence += child.belief.evidence;
    }
    if (evidence <= 0)
        return {};
    if (own.exits > 0) {  // leaving the book here is one more move
        const Belief left = with_exits(model, {.evidence = model.parent, .sum = 0}, own);
        take(left, own.exits);
        evidence += left.evidence;
    }
    if (frequency - own_share <= 1e-12 * frequency)
        return {.value = 0.5, .evidence = evidence};
    return {.value = sum / (frequency - own_share), .evidence = evidence};
}

}  // namespace book

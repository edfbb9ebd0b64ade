#include "tools/lab/bookbench/ideal_rule.h"

#include "tools/common/statistics.h"
#include "tools/lab/bookbench/rule_in_world.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tools::bookbench {
namespace {

// Deviations in Elo, as in the worlds: of the change by a move, traps included; of a search score;
// of the strength in games of others; of one result, at balance.
constexpr double Step = 55, SearchError = 85, Others = 50, OneResult = 278;
constexpr double EloPerPoint = OneResult / book::Model().sigma;
// Pseudo-counts in games: of the imported reply shares, and of all opponents' replies together when
// combined with one opponent's.
constexpr double ImportedReplies = 4, AllReplies = 5;
constexpr double Unseen = 0.3;  // imported games that a reply counts as at least

double square(double x) {
    return x * x;
}

using Numbers = std::vector<double>;

// Strengths as a normal distribution, brought up to date by each observation. Source: R. Kalman, "A
// new approach to linear filtering and prediction problems", 1960.
class Strengths {
  public:
    explicit Strengths(const std::vector<Position>& positions);
    void observe(std::size_t position, double elo, double variance);
    [[nodiscard]] double mean(std::size_t position) const { return mean_[position]; }

  private:
    double& covariance(std::size_t a, std::size_t b) { return covariance_[a * mean_.size() + b]; }

    Numbers mean_, covariance_;  // the second: row by row
};

// A position's strength is the mean of its parents' with a random change; the start's is 0.
Strengths::Strengths(const std::vector<Position>& positions)
    : mean_(positions.size(), 0), covariance_(positions.size() * positions.size(), 0) {
    std::vector<std::vector<std::size_t>> from(positions.size());
    std::vector<std::size_t> order(positions.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&positions](std::size_t a, std::size_t b) {
        return positions[a].ply < positions[b].ply;
    });
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (const std::size_t to : positions[i].next)
            from[to].push_back(i);
    for (std::size_t k = 1; k < order.size(); ++k) {
        const std::size_t at = order[k];
        const auto mean_over_parents = [&](std::size_t other) {
            double sum = 0;
            for (const std::size_t parent : from[at])
                sum += covariance(parent, other);
            return sum / static_cast<double>(from[at].size());
        };
        for (std::size_t j = 0; j < k; ++j)
            covariance(at, order[j]) = covariance(order[j], at) = mean_over_parents(order[j]);
        covariance(at, at) = mean_over_parents(at) + square(Step);
    }
}

void Strengths::observe(std::size_t position, double elo, double variance) {
    const std::size_t size = mean_.size();
    Numbers row(size), gain(size);
    for (std::size_t i = 0; i < size; ++i)
        row[i] = covariance(position, i);
    const double total = row[position] + variance, error = elo - mean_[position];
    for (std::size_t i = 0; i < size; ++i) {
        gain[i] = row[i] / total;
        mean_[i] += gain[i] * error;
    }
    // Plain pointers for speed: nearly all the time is spent here, above all without optimization.
    const double* const observed = row.data();
    double* to = covariance_.data();
    for (const double g : gain)
        for (std::size_t j = 0; j < size; ++j)
            *to++ -= g * observed[j];
}

class Ideal final : public RuleInWorld {
  public:
    Ideal(const World& world, std::uint64_t seed)
        : RuleInWorld(world, seed), strengths_(world.positions()),
          replies_(values_of(world, [](const book::Results&) { return 0.0; })) {
        take_imports();
    }

    std::optional<std::size_t> choose(const Situation& s) override {
        const std::vector<std::size_t> known = known_moves(s.position);
        if (known.empty())
            return std::nullopt;
        if (s.position == 0 || worth_.empty())
            worth_ =
                world_.solve([this](std::size_t i) { return expected_score(strengths_.mean(i)); },
                             [this, &s](std::size_t i) { return replies_at(i, s.player); });
        return known[best_index(random_, known.size(), [&](std::size_t i) {
            return worth_[at(s.position).next[known[i]]];
        })];
    }

    void learn(const PlayedGame& game) override {
        RuleInWorld::learn(game);
        for (const auto& [position, move] : game.moves)
            if (!at(position).ours()) {
                replies_[position][move] += 1;
                Numbers& theirs = by_player_[game.player][position];
                theirs.resize(at(position).next.size(), 0);
                theirs[move] += 1;
            }
        if (scored_.insert(game.exit).second)
            strengths_.observe(game.exit, game.searched, square(SearchError));
        const book::Evidence evidence = evidence_of(game);
        strengths_.observe(
            game.exit, EloPerPoint * (evidence.result - 0.5), square(OneResult) / evidence.weight);
    }

  private:
    // The results of games by others, at the ends of the tree.
    void take_imports() {
        std::vector<book::Results> at_end(world_.positions().size());
        for (const Position& p : world_.positions())
            for (std::size_t m = 0; m < p.next.size(); ++m) {
                at_end[p.next[m]].wins += p.imported[m].wins;
                at_end[p.next[m]].draws += p.imported[m].draws;
                at_end[p.next[m]].losses += p.imported[m].losses;
            }
        for (std::size_t i = 0; i < at_end.size(); ++i)
            if (const double games = at_end[i].games(); games > 0 && at(i).next.empty())
                strengths_.observe(i,
                                   EloPerPoint *
                                       ((at_end[i].wins + at_end[i].draws / 2) / games - 0.5),
                                   square(Others) + square(OneResult) / games);
    }

    // How often to expect each reply of the player.
    [[nodiscard]] Numbers replies_at(std::size_t position, std::size_t player) const {
        const Position& p = at(position);
        Numbers shares;
        double imported = 0;
        for (const book::Results& r : p.imported)
            imported += r.games() + Unseen;
        for (std::size_t m = 0; m < p.next.size(); ++m)
            shares.push_back(replies_[position][m] +
                             ImportedReplies * (p.imported[m].games() + Unseen) / imported);
        scale(shares, AllReplies);
        if (const auto known = by_player_.find(player); known != by_player_.end())
            if (const auto here = known->second.find(position); here != known->second.end())
                for (std::size_t m = 0; m < shares.size(); ++m)
                    shares[m] += here->second[m];
        scale(shares, 1);
        return shares;
    }
    static void scale(Numbers& shares, double sum) {
        const double now = std::accumulate(shares.begin(), shares.end(), 0.0);
        for (double& share : shares)
            share *= sum / now;
    }

    Strengths strengths_;
    Values replies_;                                                   // of all opponents
    std::map<std::size_t, std::map<std::size_t, Numbers>> by_player_;  // their replies by position
    std::set<std::size_t> scored_;                                     // exits with a search score
    Numbers worth_;                                                    // against the opponent
};

}  // namespace

std::unique_ptr<Rule> make_ideal(const World& world, std::uint64_t seed) {
    return std::make_unique<Ideal>(world, seed);
}

}  // namespace tools::bookbench

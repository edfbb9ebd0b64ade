#include "tools/lab/bookbench/other_rules.h"

#include "tools/common/statistics.h"

#include <algorithm>
#include <cmath>

namespace tools::bookbench {
namespace {

using book::Random;

// A number for each move of each position.
using Values = std::vector<std::vector<double>>;

Values values_of(const World& world, const auto& value_of) {
    Values values;
    for (const Position& p : world.positions()) {
        values.emplace_back();
        for (const book::Results& r : p.imported)
            values.back().push_back(value_of(r));
    }
    return values;
}

double points(const book::Results& r) {
    return r.wins + r.draws / 2;
}

// The index of the highest value; equal ones are drawn at random.
std::size_t best_index(Random& random, std::size_t count, const auto& value_of) {
    std::size_t best = 0;
    double highest = -1e300, tie = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = value_of(i), lot = random.uniform();
        if (value > highest || (value == highest && lot > tie)) {
            best = i;
            highest = value;
            tie = lot;
        }
    }
    return best;
}

class RuleInWorld : public Rule {
  public:
    RuleInWorld(const World& world, std::uint64_t seed) : world_(world), random_(seed) {}

  protected:
    [[nodiscard]] const Position& at(std::size_t position) const {
        return world_.positions()[position];
    }
    std::size_t random_index(std::size_t count) {
        return std::min(count - 1,
                        static_cast<std::size_t>(random_.uniform() * static_cast<double>(count)));
    }
    const World& world_;
    Random random_;
};

class RandomMove final : public RuleInWorld {
  public:
    using RuleInWorld::RuleInWorld;
    std::size_t choose(std::size_t position, std::size_t) override {
        return random_index(at(position).next.size());
    }
};

// Knows all values, but not the opponent.
class Floor final : public RuleInWorld {
  public:
    using RuleInWorld::RuleInWorld;
    std::size_t choose(std::size_t position, std::size_t) override {
        const Position& p = at(position);
        return best_index(random_, p.next.size(), [&](std::size_t m) {
            return world_.average_worth()[p.next[m]];
        });
    }
};

// Counts games and points; `weight` is the number of games that imported ones count as.
class Counter : public RuleInWorld {
  public:
    Counter(const World& world, std::uint64_t seed, double (*weight)(const book::Results&))
        : RuleInWorld(world, seed), games_(values_of(world, weight)),
          points_(values_of(world, [weight](const book::Results& r) {
              return r.games() > 0 ? weight(r) * points(r) / r.games() : 0;
          })) {}
    void learn(const PlayedGame& game) override {
        for (const PlayedMove& played : game.moves) {
            games_[played.position][played.move] += 1;
            points_[played.position][played.move] += game.score;
        }
    }

  protected:
    Values games_, points_;
};

// The mean score of imported and own games.
class Greedy final : public Counter {
  public:
    Greedy(const World& world, std::uint64_t seed)
        : Counter(world, seed, [](const book::Results& r) { return r.games(); }) {}
    std::size_t choose(std::size_t position, std::size_t) override {
        return best_index(random_, at(position).next.size(), [&](std::size_t m) {
            return (points_[position][m] + 1) / (games_[position][m] + 2);
        });
    }
};

// Upper confidence bounds. Source: L. Kocsis, C. Szepesvari, "Bandit Based Monte-Carlo Planning",
// 2006. Imported games count as ten at most.
class Uct final : public Counter {
  public:
    Uct(const World& world, std::uint64_t seed)
        : Counter(world, seed, [](const book::Results& r) {
              return 10 * r.games() / (r.games() + 20);
          }) {}
    std::size_t choose(std::size_t position, std::size_t) override {
        const std::vector<double>& games = games_[position];
        double all = 1;
        for (const double g : games)
            all += g;
        return best_index(random_, games.size(), [&](std::size_t m) {
            return games[m] > 0 ? points_[position][m] / games[m] +
                                      Exploration * std::sqrt(std::log(all + 1) / games[m])
                                : 3;  // untried moves first
        });
    }

  private:
    static constexpr double Exploration = 0.1;
};

// Crafty's book: the sum of frequency and learned value, each up to 1000, is squared to give the
// odds of the best five moves. Source: R. Hyatt, "Book learning", 1999, and the program's
// description of its rule.
class CraftyLike final : public RuleInWorld {
  public:
    CraftyLike(const World& world, std::uint64_t seed)
        : RuleInWorld(world, seed),
          games_(values_of(world, [](const book::Results& r) { return r.games(); })),
          learned_(values_of(world, [](const book::Results&) { return 0.0; })) {}

    std::size_t choose(std::size_t position, std::size_t) override {
        const std::vector<double>& games = games_[position];
        const double most = *std::max_element(games.begin(), games.end());
        const auto percent = [&](std::size_t m) { return std::trunc(learned_[position][m] * 100); };
        std::vector<std::size_t> moves;
        for (std::size_t m = 0; m < games.size(); ++m)
            if (games[m] >= most / 10 && percent(m) > -80)
                moves.push_back(m);
        if (moves.empty())
            for (std::size_t m = 0; m < games.size(); ++m)
                moves.push_back(m);
        double low = 1e9, high = -1e9;
        for (const std::size_t m : moves) {
            low = std::min(low, percent(m));
            high = std::max(high, percent(m));
        }
        std::vector<std::pair<double, std::size_t>> ranked;
        for (const std::size_t m : moves) {
            const double learned = low < high ? (percent(m) - low) / (high - low) : 0;
            ranked.emplace_back(1 + 1000 * games[m] / (most + 1) + 1000 * learned, m);
        }
        std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
            return a.first > b.first;
        });
        ranked.resize(std::min<std::size_t>(ranked.size(), 5));
        std::vector<double> odds;
        for (const auto& [value, m] : ranked)
            odds.push_back(value * value);
        return ranked[draw_index(random_, odds)].second;
    }
    // Later moves get more of the credit or blame.
    void learn(const PlayedGame& game) override {
        std::vector<PlayedMove> ours;
        for (const PlayedMove& played : game.moves)
            if (at(played.position).ours())
                ours.push_back(played);
        const double adjustment = game.score > 0.75 ? 0.3 : game.score < 0.25 ? -0.3 : 0;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const double share =
                adjustment * static_cast<double>(i + 1) / static_cast<double>(ours.size());
            double& known = learned_[ours[i].position][ours[i].move];
            known = std::abs(known) < 1e-4 ? share : (known + share) / 2;
        }
    }

  private:
    Values games_, learned_;
};

// PolyGlot's book: the odds of a move with three games or more are 2 * wins + draws. It learns only
// if own games are merged into it.
class PolyglotLike final : public RuleInWorld {
  public:
    PolyglotLike(const World& world, std::uint64_t seed, bool merges)
        : RuleInWorld(world, seed), merges_(merges),
          weights_(values_of(world, [](const book::Results& r) {
              return r.games() >= 3 ? 2 * r.wins + r.draws : 0;
          })) {}
    std::size_t choose(std::size_t position, std::size_t) override {
        const std::vector<double>& odds = weights_[position];
        const bool known = std::any_of(odds.begin(), odds.end(), [](double w) { return w > 0; });
        return known ? draw_index(random_, odds) : random_index(odds.size());
    }
    void learn(const PlayedGame& game) override {
        for (const PlayedMove& played : game.moves)
            if (merges_ && at(played.position).ours())
                weights_[played.position][played.move] += 2 * game.score;
    }

  private:
    bool merges_;
    Values weights_;
};

// Keeps a search score of every move, averages it with each new one, and plays the best.
class ScoresOnly final : public RuleInWorld {
  public:
    ScoresOnly(const World& world, std::uint64_t seed)
        : RuleInWorld(world, seed),
          tried_(values_of(world, [](const book::Results&) { return 0.0; })) {
        for (const Position& p : world.positions()) {
            scores_.emplace_back();
            for (const std::size_t to : p.next)
                scores_.back().push_back(expected_score(world.searched(to)));
        }
    }
    std::size_t choose(std::size_t position, std::size_t) override {
        return best_index(
            random_, at(position).next.size(), [&](std::size_t m) { return scores_[position][m]; });
    }
    void learn(const PlayedGame& game) override {
        double below = expected_score(game.searched);
        for (auto played = game.moves.rbegin(); played != game.moves.rend(); ++played)
            if (at(played->position).ours()) {
                double& known = scores_[played->position][played->move];
                double& tried = tried_[played->position][played->move];
                known = tried > 0 ? (known + below) / 2 : below;
                tried = 1;
                below = known;
            }
    }

  private:
    Values scores_, tried_;
};

template <typename AnyRule>
std::unique_ptr<Rule> make(const World& world, std::uint64_t seed) {
    return std::make_unique<AnyRule>(world, seed);
}

}  // namespace

const std::vector<OtherRule>& other_rules() {
    static const std::vector<OtherRule> rules = {
        {{"greedy", "best mean of imported and own results"}, make<Greedy>},
        {{"uct", "upper confidence bounds, c = 0.1"}, make<Uct>},
        {{"crafty", "as Crafty documents its book"}, make<CraftyLike>},
        {{"polyglot", "odds of 2 * wins + draws, without learning"},
         [](const World& world, std::uint64_t seed) -> std::unique_ptr<Rule> {
             return std::make_unique<PolyglotLike>(world, seed, false);
         }},
        {{"polyglot-merge", "the same, with own games merged in"},
         [](const World& world, std::uint64_t seed) -> std::unique_ptr<Rule> {
             return std::make_unique<PolyglotLike>(world, seed, true);
         }},
        {{"scores", "search scores only, as experience files have them"}, make<ScoresOnly>},
        {{"random", "any move"}, make<RandomMove>},
        {{"floor", "knows every value, but not the opponent"}, make<Floor>}};
    return rules;
}

}  // namespace tools::bookbench

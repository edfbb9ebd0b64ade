#include "tools/lab/bookbench/other_rules.h"

#include "tools/common/statistics.h"
#include "tools/lab/bookbench/counting_rules.h"
#include "tools/lab/bookbench/ideal_rule.h"
#include "tools/lab/bookbench/rule_in_world.h"

#include <algorithm>
#include <cmath>

namespace tools::bookbench {
namespace {

class RandomMove final : public RuleInWorld {
  public:
    using RuleInWorld::RuleInWorld;
    std::optional<std::size_t> choose(const Situation& s) override {
        return random_index(at(s.position).next.size());
    }
};

// Knows all values, but not the opponent.
class Floor final : public RuleInWorld {
  public:
    using RuleInWorld::RuleInWorld;
    std::optional<std::size_t> choose(const Situation& s) override {
        const Position& p = at(s.position);
        return best_index(random_, p.next.size(), [&](std::size_t m) {
            return world_.average_worth()[p.next[m]];
        });
    }
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

    std::optional<std::size_t> choose(const Situation& s) override {
        const std::vector<std::size_t> known = known_moves(s.position);
        if (known.empty())
            return std::nullopt;
        const std::vector<double>& games = games_[s.position];
        const double most = *std::max_element(games.begin(), games.end());
        const auto percent = [&](std::size_t m) {
            return std::trunc(learned_[s.position][m] * 100);
        };
        std::vector<std::size_t> moves;
        for (const std::size_t m : known)
            if (games[m] >= most / 10 && percent(m) > -80)
                moves.push_back(m);
        if (moves.empty())
            moves = known;
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
        RuleInWorld::learn(game);
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
    std::optional<std::size_t> choose(const Situation& s) override {
        const std::vector<double>& odds = weights_[s.position];
        const bool known = std::any_of(odds.begin(), odds.end(), [](double w) { return w > 0; });
        if (!known && world_.grows())
            return std::nullopt;
        return known ? draw_index(random_, odds) : random_index(odds.size());
    }
    void learn(const PlayedGame& game) override {
        for (const PlayedMove& played : game.moves)
            if (merges_ && at(played.position).ours())
                weights_[played.position][played.move] += 2 * game.score;
        if (merges_ && game.found)
            weights_[game.exit][*game.found] += 2 * game.score;
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
                scores_.back().push_back(
                    expected_score(world.searched(to, book::TimeClass::Blitz)));
        }
    }
    std::optional<std::size_t> choose(const Situation& s) override {
        return best_index(random_, at(s.position).next.size(), [&](std::size_t m) {
            return scores_[s.position][m];
        });
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

using MakeCounting = std::unique_ptr<Rule> (*)(const World&, std::uint64_t, Knowledge);
template <MakeCounting make_rule_with>
std::unique_ptr<Rule> counting(const World& world, std::uint64_t seed) {
    return make_rule_with(world, seed, Knowledge::Results);
}
template <MakeCounting make_rule_with>
std::unique_ptr<Rule> fair(const World& world, std::uint64_t seed) {
    return make_rule_with(world, seed, Knowledge::Fair);
}

}  // namespace

const std::vector<OtherRule>& other_rules() {
    static const std::vector<OtherRule> rules = {
        {{"greedy", "best mean of imported and own results"}, counting<make_greedy>},
        {{"greedy-fair", "the same, with ratings and search scores"}, fair<make_greedy>},
        {{"uct", "upper confidence bounds, c = 0.1"}, counting<make_uct>},
        {{"uct-fair", "the same, with ratings and search scores"}, fair<make_uct>},
        {{"thompson", "draws from the posterior of each move"}, counting<make_thompson>},
        {{"thompson-fair", "the same, with ratings and search scores"}, fair<make_thompson>},
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
        {{"ideal", "knows how the worlds are made, and infers all strengths together"}, make_ideal},
        {{"floor", "knows every value, but not the opponent"}, make<Floor>}};
    return rules;
}

}  // namespace tools::bookbench

#include "tools/lab/bookbench/counting_rules.h"

#include "tools/common/statistics.h"
#include "tools/lab/bookbench/rule_in_world.h"

#include <cmath>
#include <map>

namespace tools::bookbench {
namespace {

constexpr double ScoreWorth = 10;  // games that a search score at an exit is worth

double points(const book::Results& r) {
    return r.wins + r.draws / 2;
}

// Games and points of one move.
struct Arm {
    double games = 0, points = 0;
};

// `weight` is the number of games that imported ones count as.
class Counter : public RuleInWorld {
  public:
    Counter(const World& world,
            std::uint64_t seed,
            Knowledge knowledge,
            double (*weight)(const book::Results&))
        : RuleInWorld(world, seed), fair_(knowledge == Knowledge::Fair),
          games_(values_of(world, weight)),
          points_(values_of(world, [weight](const book::Results& r) {
              return r.games() > 0 ? weight(r) * points(r) / r.games() : 0;
          })) {}

    std::optional<std::size_t> choose(const Situation& situation) override {
        const std::size_t position = situation.position;
        const std::vector<std::size_t> moves = known_moves(position);
        if (moves.empty())
            return std::nullopt;
        std::vector<Arm> arms;
        for (const std::size_t m : moves)
            arms.push_back({games_[position][m], points_[position][m]});
        if (fair_ && world_.grows())
            arms.push_back(exits_[position]);
        double games = 1;
        for (const Arm& arm : arms)
            games += arm.games;
        const std::size_t best =
            best_index(random_, arms.size(), [&](std::size_t i) { return value(arms[i], games); });
        return best < moves.size() ? std::optional(moves[best]) : std::nullopt;
    }
    void learn(const PlayedGame& game) override {
        RuleInWorld::learn(game);
        const double score = fair_ ? mean_at_exit(game) : game.score;
        for (const PlayedMove& played : game.moves)
            add(played.position, played.move, score);
        if (game.found)
            add(game.exit, *game.found, score);
    }

  protected:
    // `games`: of all moves, plus 1.
    virtual double value(const Arm& arm, double games) = 0;

  private:
    void add(std::size_t position, std::size_t move, double score) {
        games_[position][move] += 1;
        points_[position][move] += score;
    }
    double mean_at_exit(const PlayedGame& game) {
        Arm& exit = exits_[game.exit];
        if (exit.games == 0)
            exit = {ScoreWorth, ScoreWorth * expected_score(game.searched)};
        const book::Evidence evidence = evidence_of(game);
        exit.games += evidence.weight;
        exit.points += evidence.weight * evidence.result;
        return exit.points / exit.games;
    }

    bool fair_;
    Values games_, points_;
    std::map<std::size_t, Arm> exits_;
};

// The mean score of imported and own games.
class Greedy final : public Counter {
  public:
    Greedy(const World& world, std::uint64_t seed, Knowledge knowledge)
        : Counter(world, seed, knowledge, [](const book::Results& r) { return r.games(); }) {}

  private:
    double value(const Arm& arm, double) override { return (arm.points + 1) / (arm.games + 2); }
};

// Imported games count as ten at most.
double ten_at_most(const book::Results& r) {
    return 10 * r.games() / (r.games() + 20);
}

// Upper confidence bounds. Source: L. Kocsis, C. Szepesvari, "Bandit Based Monte-Carlo Planning",
// 2006.
class Uct final : public Counter {
  public:
    Uct(const World& world, std::uint64_t seed, Knowledge knowledge)
        : Counter(world, seed, knowledge, ten_at_most) {}

  private:
    static constexpr double Exploration = 0.1;
    double value(const Arm& arm, double games) override {
        return arm.games > 0 ? arm.points / arm.games +
                                   Exploration * std::sqrt(std::log(games + 1) / arm.games)
                             : 3;  // untried moves first
    }
};

// Draws from the posterior of each move, in its normal approximation. Source: W. R. Thompson, "On
// the likelihood that one unknown probability exceeds another", 1933.
class Thompson final : public Counter {
  public:
    Thompson(const World& world, std::uint64_t seed, Knowledge knowledge)
        : Counter(world, seed, knowledge, ten_at_most) {}

  private:
    static constexpr double Scatter = 0.4;  // deviation of one result
    double value(const Arm& arm, double) override {
        return (arm.points + 1) / (arm.games + 2) +
               Scatter / std::sqrt(arm.games + 2) * random_.normal();
    }
};

}  // namespace

std::unique_ptr<Rule> make_greedy(const World& world, std::uint64_t seed, Knowledge knowledge) {
    return std::make_unique<Greedy>(world, seed, knowledge);
}
std::unique_ptr<Rule> make_uct(const World& world, std::uint64_t seed, Knowledge knowledge) {
    return std::make_unique<Uct>(world, seed, knowledge);
}
std::unique_ptr<Rule> make_thompson(const World& world, std::uint64_t seed, Knowledge knowledge) {
    return std::make_unique<Thompson>(world, seed, knowledge);
}

}  // namespace tools::bookbench

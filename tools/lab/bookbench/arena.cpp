#include "tools/lab/bookbench/arena.h"

#include "tools/common/statistics.h"

#include <algorithm>
#include <map>

namespace tools::bookbench {
namespace {

constexpr double SearchNoise = 15, RatingNoise = 40;  // Elo, of one search and one estimate
constexpr std::size_t Exploiter = 0;
constexpr double ExploiterShare = 0.4;                     // its share of all games
constexpr double Preparation = 150, MaxPreparation = 450;  // Elo, at an exit of a won game

class Arena {
  public:
    Arena(World world, std::uint64_t seed) : world_(std::move(world)), random_(seed) {
        for (const Player& p : world_.players())
            frequencies_.push_back(p.frequency);
    }
    World& world() { return world_; }

    void play_game(Rule& rule, RunResult& result) {
        PlayedGame game{.player = draw_opponent()};
        const bool exploited = exploits(game.player);
        const Player& player = world_.players()[game.player];
        double regret = 0;
        std::size_t at = 0;
        while (!world_.positions()[at].next.empty()) {
            const Position& p = world_.positions()[at];
            std::size_t move = 0;
            if (p.ours()) {
                move = rule.choose(at, game.player);
                regret += player.worth[at] - player.worth[p.next[move]];
            } else if (const auto known = repeated_.find(at);
                       exploited && known != repeated_.end()) {
                move = known->second;
            } else {
                move = draw_index(random_, player.replies[at]);
            }
            game.moves.push_back({at, move});
            at = p.next[move];
        }
        finish(game, at, result);
        result.regret += regret;
        hundred_regret_ += regret;
        if (++games_ % 100 == 0)
            result.per_hundred.push_back(std::exchange(hundred_regret_, 0) / 100);
        rule.learn(game);
    }

  private:
    [[nodiscard]] bool exploits(std::size_t player) const {
        return world_.scenario() == Scenario::Exploit && player == Exploiter;
    }
    std::size_t draw_opponent() {
        const std::size_t player = draw_index(random_, frequencies_);
        return world_.scenario() == Scenario::Exploit && random_.uniform() < ExploiterShare
                   ? Exploiter
                   : player;
    }

    void finish(PlayedGame& game, std::size_t exit, RunResult& result) {
        const double difference = -world_.players()[game.player].rating;
        const bool exploited = exploits(game.player);
        const double strength =
            world_.positions()[exit].strength - (exploited ? prepared_[exit] : 0.0);
        game.exit = exit;
        game.score = draw_result(random_, expected_score(strength + difference));
        game.searched = world_.searched(exit) + SearchNoise * random_.normal();
        game.difference = difference + RatingNoise * random_.normal();
        if (!exploited)
            return;
        result.exploiter_score += expected_score(strength);
        ++result.exploiter_games;
        if (game.score > 0.75)
            repeated_.clear();
        if (game.score > 0.25)
            return;
        prepared_[exit] = std::min(MaxPreparation, prepared_[exit] + Preparation);
        repeated_.clear();
        for (const PlayedMove& played : game.moves)
            if (!world_.positions()[played.position].ours())
                repeated_[played.position] = played.move;
    }

    World world_;
    book::Random random_;
    std::vector<double> frequencies_;
    std::map<std::size_t, std::size_t> repeated_;  // the exploiter's replies in its last win
    std::map<std::size_t, double> prepared_;       // Elo that the exploiter has gained, by exit
    double hundred_regret_ = 0;
    int games_ = 0;
};

}  // namespace

RunResult play(World world,
               std::string_view name,
               std::uint64_t seed,
               int games,
               const std::vector<Setting>& settings) {
    Arena arena(std::move(world), book::Random(seed).next());
    const std::unique_ptr<Rule> rule =
        make_rule(name, arena.world(), book::Random(~seed).next(), settings);
    RunResult result;
    for (int g = 0; g < games; ++g) {
        if (arena.world().scenario() == Scenario::Switch && g == games / 2)
            arena.world().change();
        arena.play_game(*rule, result);
    }
    if (result.exploiter_games > 0)
        result.exploiter_score /= result.exploiter_games;
    return result;
}

}  // namespace tools::bookbench

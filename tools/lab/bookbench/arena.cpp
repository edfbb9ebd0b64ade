#include "tools/lab/bookbench/arena.h"

#include <algorithm>
#include <map>

namespace tools::bookbench {
namespace {

constexpr double SearchNoise = 15, RatingNoise = 40;  // Elo, of one search and one estimate
constexpr std::size_t Exploiter = 0;
constexpr double ExploiterShare = 0.4;                   // of all games
constexpr double Preparation = 150, MostPrepared = 450;  // Elo, at an exit he won from

class Arena {
  public:
    Arena(World world, std::uint64_t seed) : world_(std::move(world)), random_(seed) {
        for (const Player& p : world_.players())
            frequencies_.push_back(p.frequency);
    }
    World& world() { return world_; }

    Result<void> play_game(Rule& rule, Course& course) {
        Played game{.player = meet()};
        const bool exploited = exploits(game.player);
        const Player& player = world_.players()[game.player];
        double regret = 0;
        std::size_t at = 0;
        while (!world_.places()[at].next.empty()) {
            const Place& p = world_.places()[at];
            std::size_t move = 0;
            if (p.ours()) {
                const Result<std::size_t> chosen = rule.choose(at, game.player);
                if (!chosen)
                    return tl::unexpected<Error>(chosen.error());
                move = *chosen;
                regret += player.worth[at] - player.worth[p.next[move]];
            } else if (const auto known = repeated_.find(at);
                       exploited && known != repeated_.end()) {
                move = known->second;
            } else {
                move = draw_index(random_, player.replies[at]);
            }
            game.turns.push_back({at, move});
            at = p.next[move];
        }
        finish(game, at, course);
        course.regret += regret;
        hundred_ += regret;
        if (++games_ % 100 == 0)
            course.per_hundred.push_back(std::exchange(hundred_, 0) / 100);
        return rule.learn(game);
    }

  private:
    [[nodiscard]] bool exploits(std::size_t player) const {
        return world_.scenario() == Scenario::Exploit && player == Exploiter;
    }
    std::size_t meet() {
        const std::size_t player = draw_index(random_, frequencies_);
        return world_.scenario() == Scenario::Exploit && random_.uniform() < ExploiterShare
                   ? Exploiter
                   : player;
    }

    void finish(Played& game, std::size_t exit, Course& course) {
        const double difference = -world_.players()[game.player].rating;
        const bool exploited = exploits(game.player);
        const double strength =
            world_.places()[exit].strength - (exploited ? prepared_[exit] : 0.0);
        game.exit = exit;
        game.score = draw_result(random_, expectation(strength + difference));
        game.searched = world_.searched(exit) + SearchNoise * random_.normal();
        game.difference = difference + RatingNoise * random_.normal();
        if (!exploited)
            return;
        course.exploiter_score += expectation(strength);
        ++course.exploiter_games;
        if (game.score > 0.75)
            repeated_.clear();
        if (game.score > 0.25)
            return;
        prepared_[exit] = std::min(MostPrepared, prepared_[exit] + Preparation);
        repeated_.clear();
        for (const Turn& t : game.turns)
            if (!world_.places()[t.place].ours())
                repeated_[t.place] = t.move;
    }

    World world_;
    book::Random random_;
    std::vector<double> frequencies_;
    std::map<std::size_t, std::size_t> repeated_;  // the exploiter's replies in his last win
    std::map<std::size_t, double> prepared_;       // Elo he has gained, by exit
    double hundred_ = 0;
    int games_ = 0;
};

}  // namespace

Result<Course> play(World world,
                    std::string_view name,
                    std::uint64_t seed,
                    int games,
                    const std::vector<Setting>& settings) {
    Arena arena(std::move(world), book::Random(seed).next());
    Result<std::unique_ptr<Rule>> rule =
        make_rule(name, arena.world(), book::Random(~seed).next(), settings);
    if (!rule)
        return tl::unexpected<Error>(rule.error());
    Course course;
    for (int g = 0; g < games; ++g) {
        if (arena.world().scenario() == Scenario::Switch && g == games / 2)
            arena.world().turn();
        if (const Result<void> played = arena.play_game(**rule, course); !played)
            return tl::unexpected<Error>(played.error());
    }
    if (course.exploiter_games > 0)
        course.exploiter_score /= course.exploiter_games;
    return course;
}

}  // namespace tools::bookbench

#include "tools/lab/bookbench/arena.h"

#include "tools/common/statistics.h"
#include "tools/lab/bookbench/opponent_memories.h"

#include <algorithm>
#include <map>
#include <set>

namespace tools::bookbench {
namespace {

constexpr double SearchNoise = 15, RatingNoise = 40;  // Elo, of one search and one estimate
constexpr double ExploiterShare = 0.4;                // its share of all games
constexpr std::array TimeShares = {0.4, 0.4, 0.2};    // of the time classes, in Classes
constexpr std::size_t OpeningPlies = 5, LastGames = 100;

class Arena {
  public:
    Arena(World world, std::uint64_t seed)
        : world_(std::move(world)), opponents_(world_), random_(seed) {
        for (const Player& p : world_.players())
            frequencies_.push_back(p.frequency);
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    World& world() { return world_; }

    void play_game(Rule& rule) {
        PlayedGame game{.player = draw_opponent()};
        if (world_.scenario() == Scenario::Classes)
            game.time = static_cast<book::TimeClass>(
                draw_index(random_, {TimeShares.begin(), TimeShares.end()}));
        const std::size_t end = play_moves(rule, game);
        finish(game, end);
        rule.learn(game);
        opponents_.learn(game);
    }
    RunResult result() {
        if (result_.prepared_games > 0)
            result_.prepared_score /= result_.prepared_games;
        result_.repeated /= static_cast<double>(openings_.size());
        const auto last = static_cast<std::ptrdiff_t>(std::min(LastGames, openings_.size()));
        const std::set<std::size_t> openings(openings_.end() - last, openings_.end());
        result_.last_openings = static_cast<int>(openings.size());
        result_.last_score = mean_of(std::vector<double>(scores_.end() - last, scores_.end())).mean;
        return result_;
    }

  private:
    std::size_t draw_opponent() {
        const std::size_t player = draw_index(random_, frequencies_);
        return world_.scenario() == Scenario::Exploit && random_.uniform() < ExploiterShare
                   ? OpponentMemories::Exploiter
                   : player;
    }

    // Plays to the end of the known tree and returns it; out of the book, a search plays for us.
    std::size_t play_moves(Rule& rule, PlayedGame& game) {
        const std::vector<double>& worth = opponents_.worth(game.player, game.time);
        bool in_book = true;
        double regret = 0;
        std::size_t at = 0;
        while (!world_.positions()[at].next.empty()) {
            const Position& p = world_.positions()[at];
            std::size_t move = 0;
            if (p.ours()) {
                const auto chosen =
                    in_book
                        ? rule.choose({.position = at, .player = game.player, .time = game.time})
                        : std::nullopt;
                const Tried tried = in_book && !chosen ? rule.tried() : Tried();
                const auto found = chosen ? std::nullopt : search(at, game.time, tried);
                move = chosen ? *chosen : found ? *found : tried.best.value_or(0);
                if (in_book && !chosen && found) {
                    in_book = false;
                    game.exit = at;
                    game.found = move;
                }
                regret += worth[at] - worth[p.next[move]];
            } else if (const auto prepared = opponents_.prepared_reply(game.player, at)) {
                move = *prepared;
            } else {
                move = draw_index(random_, world_.players()[game.player].replies[at]);
            }
            if (in_book)
                game.moves.push_back({at, move});
            at = p.next[move];
        }
        if (in_book)
            game.exit = at;
        count(regret);
        return at;
    }
    void count(double regret) {
        result_.regret += regret;
        hundred_regret_ += regret;
        if (++games_ % 100 == 0)
            result_.per_hundred.push_back(std::exchange(hundred_regret_, 0) / 100);
    }
    // The best move of a search that excludes the tried moves, unless these are all. Nothing if it
    // promises no more than the tried ones.
    std::optional<std::size_t> search(std::size_t at, book::TimeClass time, const Tried& tried) {
        const std::vector<std::size_t>& next = world_.positions()[at].next;
        const bool all_tried = tried.moves.size() >= next.size();
        std::optional<std::size_t> best;
        double highest = -1e9;
        for (std::size_t m = 0; m < next.size(); ++m) {
            const double value = world_.searched(next[m], time) + SearchNoise * random_.normal();
            const bool was_tried =
                std::find(tried.moves.begin(), tried.moves.end(), m) != tried.moves.end();
            if (value > highest && (all_tried || !was_tried)) {
                best = m;
                highest = value;
            }
        }
        if (tried.best && !all_tried && expected_score(highest) <= tried.to_beat)
            return std::nullopt;
        return best;
    }

    // `end`: where the tree ends, which decides the result.
    void finish(PlayedGame& game, std::size_t end) {
        const double difference = -world_.players()[game.player].rating;
        const double strength =
            world_.strength(end, game.time) - opponents_.prepared(game.player, end);
        game.score =
            world_.scenario() == Scenario::Repeat
                ? world_.repeated_score(end, game.player)
                : draw_result(random_, expected_score(strength + difference), world_.drawn());
        game.searched = world_.searched(game.exit, game.time) + SearchNoise * random_.normal();
        const double estimate = difference + RatingNoise * random_.normal();
        if (world_.rated())
            game.difference = estimate;
        game.content = number_of(game);
        scores_.push_back(game.score);
        openings_.push_back(OpeningPlies < game.moves.size() ? game.moves[OpeningPlies].position
                                                             : game.exit);
        if (opponents_.learns(game.player)) {
            result_.prepared_score += expected_score(strength);
            ++result_.prepared_games;
        }
    }

    // The number of the game, from 0; in Repeat, the number of the first equal game.
    std::int64_t number_of(const PlayedGame& game) {
        const std::int64_t number = games_ - 1;
        if (world_.scenario() != Scenario::Repeat)
            return number;
        std::vector<std::size_t> line = {game.player};
        for (const PlayedMove& played : game.moves)
            line.push_back(played.move);
        const auto [first, is_new] = lines_.try_emplace(line, number);
        result_.repeated += is_new ? 0 : 1;
        return first->second;
    }

    World world_;
    OpponentMemories opponents_;
    book::Random random_;
    std::vector<double> frequencies_;
    std::map<std::vector<std::size_t>, std::int64_t> lines_;  // the first game of each
    std::vector<std::size_t> openings_;                       // by game
    std::vector<double> scores_;
    RunResult result_;
    double hundred_regret_ = 0;
    std::int64_t games_ = 0;
};

}  // namespace

RunResult play(World world, const MakeRule& make, std::uint64_t seed, int games) {
    Arena arena(std::move(world), book::Random(seed).next());
    const std::unique_ptr<Rule> rule = make(arena.world(), book::Random(~seed).next());
    for (int g = 0; g < games; ++g) {
        if (arena.world().scenario() == Scenario::Switch && g == games / 2)
            arena.world().change();
        arena.play_game(*rule);
    }
    return arena.result();
}

RunResult play(World world,
               std::string_view name,
               std::uint64_t seed,
               int games,
               const std::vector<Setting>& settings) {
    const auto make = [&](const World& w, std::uint64_t s) {
        return make_rule(name, w, s, settings);
    };
    return play(std::move(world), make, seed, games);
}

}  // namespace tools::bookbench

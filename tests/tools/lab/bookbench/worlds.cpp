// What each made-up world of nutcracker-bookbench is about, and what its rules get to know.
#include "tools/lab/bookbench/arena.h"
#include "tools/lab/bookbench/opponent_memories.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/test/unit_test.hpp>

using namespace tools::bookbench;

namespace {

// Plays as another rule does, and keeps the games.
class Watched final : public Rule {
  public:
    Watched(std::unique_ptr<Rule> rule, std::vector<PlayedGame>& games)
        : rule_(std::move(rule)), games_(games) {}
    std::optional<std::size_t> choose(const Situation& s) override { return rule_->choose(s); }
    void learn(const PlayedGame& game) override {
        games_.push_back(game);
        rule_->learn(game);
    }

  private:
    std::unique_ptr<Rule> rule_;
    std::vector<PlayedGame>& games_;
};

// Always plays the first move, or always leaves the book.
class FirstMove final : public Rule {
  public:
    explicit FirstMove(bool leaves) : leaves_(leaves) {}
    std::optional<std::size_t> choose(const Situation&) override {
        return leaves_ ? std::nullopt : std::optional<std::size_t>(0);
    }

  private:
    bool leaves_;
};

std::vector<PlayedGame> games_of(const World& world, int count, const MakeRule& make) {
    std::vector<PlayedGame> games;
    play(
        world,
        [&](const World& w, std::uint64_t seed) {
            return std::make_unique<Watched>(make(w, seed), games);
        },
        1,
        count);
    return games;
}
std::vector<PlayedGame> games_of(const World& world, int count, const char* rule) {
    return games_of(world, count, [&](const World& w, std::uint64_t seed) {
        return make_rule(rule, w, seed, {});
    });
}
std::unique_ptr<Rule> first_move(const World&, std::uint64_t) {
    return std::make_unique<FirstMove>(false);
}
std::unique_ptr<Rule> leave(const World&, std::uint64_t) {
    return std::make_unique<FirstMove>(true);
}

bool same_moves(const PlayedGame& a, const PlayedGame& b) {
    return std::equal(a.moves.begin(),
                      a.moves.end(),
                      b.moves.begin(),
                      b.moves.end(),
                      [](const PlayedMove& x, const PlayedMove& y) {
                          return x.position == y.position && x.move == y.move;
                      });
}

double drawn(const std::vector<PlayedGame>& games) {
    return static_cast<double>(std::count_if(
               games.begin(), games.end(), [](const PlayedGame& g) { return g.score == 0.5; })) /
           static_cast<double>(games.size());
}

// The index of our move after these games, at the start of a world without imported games.
std::size_t choice_after(const char* name, const std::vector<PlayedGame>& games) {
    const World world(1, Scenario::Cold);
    const std::unique_ptr<Rule> rule = make_rule(name, world, 1, {});
    for (const PlayedGame& game : games)
        rule->learn(game);
    return rule->choose({}).value();
}

double plies_in_book(auto from, auto to) {
    return std::accumulate(from,
                           to,
                           0.0,
                           [](double sum, const PlayedGame& game) {
                               return sum + static_cast<double>(game.moves.size());
                           }) /
           static_cast<double>(to - from);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(worlds)

BOOST_AUTO_TEST_CASE(opponents_who_repeat_themselves_play_the_same_line_to_the_same_end) {
    const World world(1, Scenario::Repeat);
    const std::vector<PlayedGame> games = games_of(world, 300, first_move);
    std::size_t repeated = 0;
    for (std::size_t i = 0; i < games.size(); ++i) {
        BOOST_TEST_REQUIRE(games[i].score == world.repeated_score(games[i].exit, games[i].player));
        const auto first = static_cast<std::size_t>(games[i].content);
        repeated += first < i ? 1U : 0U;
        for (std::size_t k = 0; k < i; ++k)
            BOOST_TEST_REQUIRE(
                (games[k].content == games[i].content) ==
                (games[k].player == games[i].player && same_moves(games[k], games[i])));
    }
    BOOST_TEST(repeated > 200U);
}

BOOST_AUTO_TEST_CASE(scores_of_repeated_games_are_as_likely_as_those_of_others) {
    double score = 0, expected = 0, games = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const World world(seed, Scenario::Repeat);
        for (std::size_t i = 0; i < world.positions().size(); ++i)
            for (std::size_t p = 0; p < world.players().size(); ++p) {
                score += world.repeated_score(i, p);
                expected +=
                    1 / (1 + std::pow(10,
                                      (world.players()[p].rating - world.positions()[i].strength) /
                                          400));
                ++games;
            }
    }
    BOOST_TEST(std::abs(score - expected) < 2.0 * std::sqrt(games));  // some 5 deviations
}

BOOST_AUTO_TEST_CASE(other_games_are_all_different) {
    const std::vector<PlayedGame> games = games_of(World(1, Scenario::Base), 50, first_move);
    for (std::size_t i = 0; i < games.size(); ++i)
        BOOST_TEST(games[i].content == static_cast<std::int64_t>(i));
}

BOOST_AUTO_TEST_CASE(a_learning_opponent_repeats_and_improves_its_win_until_it_loses) {
    const World world(1, Scenario::Learners), exploit(1, Scenario::Exploit);
    OpponentMemories opponents(world);
    BOOST_TEST(opponents.learns(5));
    BOOST_TEST(!OpponentMemories(exploit).learns(5));
    std::vector<PlayedGame> games = games_of(world, 1, first_move);
    PlayedGame game = games.front();
    game.player = 5;
    const auto blitz = book::TimeClass::Blitz;
    const double before = opponents.worth(5, blitz)[game.exit];
    BOOST_TEST(before == world.worth(5, blitz)[game.exit]);
    const PlayedMove reply = game.moves[1];
    game.score = 0;
    opponents.learn(game);
    BOOST_TEST(opponents.prepared(5, game.exit) == 150);
    BOOST_TEST(opponents.prepared_reply(5, reply.position).value() == reply.move);
    BOOST_TEST(!opponents.prepared_reply(4, reply.position));
    BOOST_TEST(opponents.worth(5, blitz)[game.exit] < before - 0.1);
    const Position& at = world.positions()[reply.position];
    BOOST_TEST(opponents.worth(5, blitz)[reply.position] ==
               opponents.worth(5, blitz)[at.next[reply.move]]);
    game.score = 1;
    opponents.learn(game);
    BOOST_TEST(!opponents.prepared_reply(5, reply.position));
    BOOST_TEST(opponents.prepared(5, game.exit) == 150);
}

BOOST_AUTO_TEST_CASE(the_unrated_world_tells_no_ratings) {
    for (const PlayedGame& game : games_of(World(1, Scenario::Unrated), 20, first_move))
        BOOST_TEST(!game.difference);
    for (const PlayedGame& game : games_of(World(1, Scenario::Calm), 20, first_move))
        BOOST_TEST(!game.difference);
    for (const PlayedGame& game : games_of(World(1, Scenario::Base), 20, first_move))
        BOOST_TEST(game.difference.has_value());
}

BOOST_AUTO_TEST_CASE(in_the_calm_world_moves_differ_little_and_searches_err_little) {
    const auto spread_and_error = [](Scenario scenario) {
        const World world(1, scenario);
        double strengths = 0, errors = 0;
        for (std::size_t i = 0; i < world.positions().size(); ++i) {
            const double strength = world.strength(i, book::TimeClass::Blitz);
            strengths += std::abs(strength);
            errors += std::abs(world.searched(i, book::TimeClass::Blitz) - strength);
        }
        return std::pair(strengths, errors);
    };
    const auto [strengths, errors] = spread_and_error(Scenario::Calm);
    const auto [base_strengths, base_errors] = spread_and_error(Scenario::Base);
    BOOST_TEST(strengths < base_strengths / 2);
    BOOST_TEST(errors < base_errors / 2);
}

BOOST_AUTO_TEST_CASE(seven_in_ten_balanced_games_are_drawn_in_the_drawish_world) {
    const auto share = [](const World& world) {
        book::Random random(1);
        int draws = 0;
        for (int i = 0; i < 10'000; ++i)
            draws += draw_result(random, 0.5, world.drawn()) == 0.5 ? 1 : 0;
        return draws / 10'000.0;
    };
    const World drawish(1, Scenario::Draws), base(1, Scenario::Base);
    BOOST_TEST(share(drawish) > 0.70);
    BOOST_TEST(share(drawish) < 0.75);
    BOOST_TEST(share(base) < 0.38);
    BOOST_TEST(drawn(games_of(drawish, 500, first_move)) >
               1.5 * drawn(games_of(base, 500, first_move)));
    const auto imported = [](const World& world) {
        return world.positions()[0].imported[0].draws / world.positions()[0].imported[0].games();
    };
    BOOST_TEST(imported(drawish) > 1.5 * imported(base));
}

BOOST_AUTO_TEST_CASE(time_classes_differ_in_strength_and_in_the_errors_of_the_search) {
    using enum book::TimeClass;
    const World world(1, Scenario::Classes), base(1, Scenario::Base);
    double lightning = 0, standard = 0;
    for (std::size_t i = 0; i < world.positions().size(); ++i) {
        BOOST_TEST_REQUIRE(world.strength(i, Lightning) != world.strength(i, Standard));
        BOOST_TEST_REQUIRE(base.strength(i, Lightning) == base.strength(i, Standard));
        lightning += std::pow(world.searched(i, Lightning) - world.strength(i, Lightning), 2);
        standard += std::pow(world.searched(i, Standard) - world.strength(i, Standard), 2);
    }
    BOOST_TEST(lightning > 1.1 * standard);
    BOOST_TEST(world.worth(0, Lightning)[0] != world.worth(0, Standard)[0]);
    std::array<int, 3> met{};
    for (const PlayedGame& game : games_of(world, 200, first_move))
        ++met.at(static_cast<std::size_t>(game.time));
    for (const int games : met)
        BOOST_TEST(games > 20);
}

BOOST_AUTO_TEST_CASE(leavers_leave_the_book_where_that_pays_them) {
    // Mean share of the last reply, which is not in the book, where it is good and bad for them.
    const auto shares = [](Scenario scenario) {
        const World world(2, scenario);
        std::array<double, 2> sum{}, count{};
        for (const Player& player : world.players())
            for (std::size_t i = 0; i < world.positions().size(); ++i) {
                const Position& p = world.positions()[i];
                if (player.replies[i].empty())
                    continue;
                const std::size_t good =
                    world.positions()[p.next.back()].strength < p.strength - 20 ? 1 : 0;
                sum.at(good) += player.replies[i].back();
                ++count.at(good);
                BOOST_TEST_REQUIRE(
                    std::abs(
                        std::accumulate(player.replies[i].begin(), player.replies[i].end(), 0.0) -
                        1) < 1e-9);
            }
        return std::array{sum[0] / count[0], sum[1] / count[1]};
    };
    const auto leavers = shares(Scenario::Leavers), base = shares(Scenario::Base);
    BOOST_TEST(leavers[1] > 0.4);
    BOOST_TEST(leavers[1] > 1.8 * leavers[0]);
    BOOST_TEST(base[1] < 0.3);
}

BOOST_AUTO_TEST_CASE(a_book_that_grows_starts_with_few_moves) {
    const World world(1, Scenario::Growing);
    double known = 0, all = 0;
    for (const Position& p : world.positions())
        for (const book::Results& r : p.imported) {
            known += r.games() > 0 ? 1 : 0;
            ++all;
        }
    BOOST_TEST(known > 0);
    BOOST_TEST(known < 0.3 * all);
}

BOOST_AUTO_TEST_CASE(where_a_growing_book_is_left_a_search_plays) {
    const World world(1, Scenario::Growing);
    std::vector<int> found(world.positions()[0].next.size());
    for (const PlayedGame& game : games_of(world, 100, leave)) {
        BOOST_TEST(game.moves.empty());
        BOOST_TEST(game.exit == 0U);
        ++found.at(game.found.value());
    }
    // Its errors are mostly the same every time.
    BOOST_TEST(*std::max_element(found.begin(), found.end()) > 50);
}

BOOST_AUTO_TEST_CASE(the_book_grows_by_moves_that_searches_found) {
    const World world(1, Scenario::Growing);
    for (const char* rule : {"nutcracker", "greedy-fair", "uct"}) {
        const std::vector<PlayedGame> games = games_of(world, 300, rule);
        const double first = plies_in_book(games.begin(), games.begin() + 50);
        const double last = plies_in_book(games.end() - 50, games.end());
        BOOST_TEST(first < 10, rule << ' ' << first);
        BOOST_TEST(last > first, rule << ' ' << last << " after " << first);
        const auto is_new = [&](const PlayedMove& m) {
            return world.positions()[m.position].ours() &&
                   world.positions()[m.position].imported[m.move].games() == 0;
        };
        BOOST_TEST(std::any_of(games.end() - 50, games.end(), [&](const PlayedGame& g) {
            return std::any_of(g.moves.begin(), g.moves.end(), is_new);
        }));
    }
}

BOOST_AUTO_TEST_CASE(fair_rules_adjust_results_by_the_ratings) {
    // A draw with a much stronger opponent, and a win against a much weaker one.
    const std::vector<PlayedGame> games = {
        {.moves = {{0, 0}}, .exit = 1, .score = 0.5, .difference = -300},
        {.moves = {{0, 1}}, .exit = 2, .score = 1, .difference = 300},
        {.moves = {{0, 2}}, .exit = 3, .score = 0, .difference = 0}};
    BOOST_TEST(choice_after("greedy-fair", games) == 0U);
    BOOST_TEST(choice_after("greedy", games) == 1U);
}

BOOST_AUTO_TEST_CASE(fair_rules_take_search_scores_for_evidence) {
    const std::vector<PlayedGame> games = {
        {.moves = {{0, 0}}, .exit = 1, .score = 0, .searched = 150},
        {.moves = {{0, 1}}, .exit = 2, .score = 1, .searched = -150},
        {.moves = {{0, 2}}, .exit = 3, .score = 0, .searched = -150}};
    BOOST_TEST(choice_after("greedy-fair", games) == 0U);
    BOOST_TEST(choice_after("greedy", games) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

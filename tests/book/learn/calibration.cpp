// Constants measured from the log of own games.
#include "book/learn/calibration.h"

#include "engine/board/movegen.h"
#include "tests/book/helpers.h"

#include <algorithm>

using namespace book;
using helpers::check_verifies;
using helpers::record;
using helpers::take;

namespace {

Store open_store() {
    Store store(":memory:", true);
    store.db.set_number(HalfLifeName, 0);
    return store;
}

// Every second game is won, against one of five equal opponents; the search said `cp` each time.
// Each number gives other moves.
GameRecord even_game(int number, int cp) {
    GameRecord g = record(std::to_string(number), "e4 e5 Nf3 Nc6 Bb5", number % 2, 2 + number % 3);
    for (int rest = number; rest > 0;) {
        const engine::MoveList moves = engine::legal_moves(g.game.position());
        const int count = static_cast<int>(moves.size());
        g.game.play(moves[static_cast<std::size_t>(rest % count)]);
        rest /= count;
    }
    g.exit_cp = cp + number % 7;
    g.our_rating = 2000;
    g.opponent = {.name = "player " + std::to_string(number % 5), .rating = g.our_rating};
    return g;
}

double value_of_start(Store& store) {
    const auto node = store.positions.node({.key = engine::Position().key()});
    BOOST_TEST_REQUIRE(node.has_value());
    return node->value;
}

std::vector<CalibrationSample> many(double result, int cp, int games) {
    std::vector<CalibrationSample> samples(static_cast<std::size_t>(games),
                                           {.evidence = {.weight = 1, .result = result},
                                            .exit_key = 1,
                                            .exit_cp = cp,
                                            .analysed_cp = cp,
                                            .rated = true});
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i].opponent = 1 + static_cast<std::int64_t>(i % 5);
    return samples;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(calibration)

BOOST_AUTO_TEST_CASE(a_search_that_errs_is_worth_little) {
    Store wrong = open_store(), right = open_store();
    for (int i = 0; i < 300; ++i) {
        take(right, even_game(i, 0));
        take(wrong, even_game(i, 300));
    }
    BOOST_TEST(wrong.model().exit < 5);
    BOOST_TEST(right.model().exit > 10);
    BOOST_TEST(right.model().sigma > 0.42);                  // no draws: results scatter more
    BOOST_TEST(right.model().analysis == Model().analysis);  // nothing was analysed
}

BOOST_AUTO_TEST_CASE(nothing_is_measured_before_twelve_games) {
    Store store = open_store(), right = open_store();
    for (int i = 0; i < 11; ++i)
        take(store, even_game(i, 300));
    BOOST_TEST(store.model().exit == Model().exit);
    take(store, even_game(11, 300));
    for (int i = 0; i < 12; ++i)
        take(right, even_game(i, 0));
    const double soon = store.model().exit;
    BOOST_TEST(soon < right.model().exit);
    for (int i = 12; i < 24; ++i)
        take(store, even_game(i, 300));
    BOOST_TEST(store.model().exit == soon);
    take(store, even_game(24, 300));
    BOOST_TEST(store.model().exit < soon);
}

BOOST_AUTO_TEST_CASE(an_analysis_that_errs_is_worth_little) {
    Store store = open_store();
    const engine::Game start;
    store.positions.set_analysis(
        start.position().key(),
        {.move = book::store(helpers::move(start, "e4"), engine::White), .cp = 400, .depth = 20});
    for (int i = 0; i < 200; ++i) {
        GameRecord g = even_game(i, 0);
        g.exit_ply = 2;
        take(store, g);
    }
    BOOST_TEST(store.model().analysis < 5);
    BOOST_TEST(store.model().deep_analysis == Model().deep_analysis);
    BOOST_TEST(store.model().exit > 10);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(worths_stay_within_bounds) {
    const Model standard;
    const Calibration awful = measure(standard, many(0, 2000, 5000));
    BOOST_TEST(awful.exit == 2);
    BOOST_TEST(awful.analysis == 2);
    const Calibration perfect = measure(standard, many(0.5, 0, 5000));
    BOOST_TEST(perfect.exit == 40);
    BOOST_TEST(perfect.sigma == 0.3);  // results never scatter less than that
    std::vector<CalibrationSample> deep = many(0.5, 0, 5000);
    for (CalibrationSample& g : deep)
        g.analysed_nodes = DeepNodes;
    BOOST_TEST(measure(standard, deep).deep_analysis == 40);
    BOOST_TEST(measure(standard, deep).analysis == standard.analysis);  // none was shallow
}

// Against one of two opponents without ratings we score all, against the other nothing, at the same
// exits.
BOOST_AUTO_TEST_CASE(strong_opponents_are_found_by_their_results) {
    Store store = open_store();
    for (int i = 0; i < 200; ++i) {
        GameRecord g = even_game(i, 0);
        g.opponent = {.name = g.score > 0.5 ? "Weak" : "Strong"};
        g.played += i;
        take(store, g);
        if (i % 67 == 0)
            check_verifies(store);
    }
    const auto advantage = [&](const char* name) {
        return store.opponents.find({.name = name})->advantage;
    };
    BOOST_TEST(advantage("Weak") > 0.3);
    BOOST_TEST(advantage("Strong") < -0.3);
    BOOST_TEST(unlearn(store, {.since = 1'700'000'012}) == 188);
    BOOST_TEST(advantage("Weak") > 0.1);
    BOOST_TEST(unlearn(store, {.since = 1'700'000'011}) == 1);
    BOOST_TEST(advantage("Weak") == 0);  // fewer than twelve games
    BOOST_TEST(relearn(store, {}) == 189);
    BOOST_TEST(advantage("Weak") > 0.3);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(the_strength_of_opponents_is_no_error_of_scores) {
    Store store = open_store();
    for (int i = 0; i < 300; ++i) {
        GameRecord g = even_game(i, 0);
        g.opponent = {.name = g.score > 0.5 ? "Weak" : "Strong"};
        take(store, g);
    }
    BOOST_TEST(store.model().exit > Model().exit);
}

// Games that leave the book at one exit against one opponent are often alike afterwards, too.
BOOST_AUTO_TEST_CASE(one_opponent_tells_nothing_of_the_error_of_scores) {
    std::vector<CalibrationSample> games = many(0, 0, 300);
    BOOST_TEST(measure(Model(), games).exit < 3);
    for (CalibrationSample& g : games)
        g.opponent = 1;
    BOOST_TEST(measure(Model(), games).exit == Model().exit);
}

BOOST_AUTO_TEST_CASE(known_ratings_leave_nothing_to_find) {
    Store store = open_store();
    for (int i = 0; i < 100; ++i) {
        GameRecord g = even_game(i, 0);
        g.opponent = {.name = g.score > 0.5 ? "Weak" : "Strong", .rating = 2000};
        g.our_rating = 2000;
        take(store, g);
    }
    BOOST_TEST(store.opponents.find({.name = "Weak"})->advantage == 0);
}

// Beaten in games without ratings, and level in as many with ratings, which count without it.
BOOST_AUTO_TEST_CASE(ratings_known_in_half_of_the_games_halve_what_is_found) {
    Store unrated = open_store(), both = open_store();
    for (int i = 0; i < 200; ++i) {
        GameRecord g = even_game(i, 0);
        const bool with_ratings = i % 2 == 1;
        if (!with_ratings) {
            g.score = 1;
            g.opponent = {.name = "Weak"};
            take(unrated, g);
        } else {
            g.score = 0.5;
            g.opponent = {.name = "Weak", .rating = 2000};
            g.our_rating = 2000;
        }
        take(both, g);
    }
    const auto advantage = [](Store& store) {
        return store.opponents.find({.name = "Weak"})->advantage;
    };
    BOOST_TEST(advantage(unrated) > 0.3);
    BOOST_TEST(std::abs(advantage(both) - advantage(unrated) / 2) < 0.05);
    check_verifies(both);
}

BOOST_AUTO_TEST_CASE(rebuilding_measures_the_same) {
    Store store = open_store();
    for (int i = 0; i < 230; ++i) {
        take(store, even_game(i, 200));
        if (i % 46 == 0)
            check_verifies(store);
    }
    const Model before = store.model();
    const double value = value_of_start(store);
    BOOST_TEST(before.exit != Model().exit);
    rebuild(store);
    BOOST_TEST(store.model().exit == before.exit);
    BOOST_TEST(value_of_start(store) == value, boost::test_tools::tolerance(1e-9));
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(games_in_any_order_measure_the_same) {
    std::vector<GameRecord> games;
    for (int i = 0; i < 260; ++i) {
        games.push_back(even_game(i, 3 * std::min(i, 120)));
        games.back().played += i;
    }
    for (const std::ptrdiff_t count : {100, 101, 170, 199, 200, 260}) {
        std::vector<GameRecord> some(games.begin(), games.begin() + count);
        Store one = open_store(), other = open_store();
        for (const GameRecord& g : some)
            take(one, g);
        std::rotate(some.begin(), some.begin() + 77, some.end());
        std::reverse(some.begin() + 20, some.begin() + 90);
        for (const GameRecord& g : some)
            take(other, g);
        BOOST_TEST_INFO(count << " games");
        BOOST_TEST(one.model().exit == other.model().exit);
        BOOST_TEST_INFO(count << " games");
        BOOST_TEST(one.model().sigma == other.model().sigma);
        BOOST_TEST(value_of_start(one) == value_of_start(other),
                   boost::test_tools::tolerance(1e-9));
        check_verifies(one);
        check_verifies(other);
    }
}

// Notes, rejected and late games, and games unlearned and relearned, mixed at random.
BOOST_AUTO_TEST_CASE(rebuilding_is_learning_at_any_number_of_games) {
    Store store = open_store();
    std::uint64_t state = 1;
    const auto roll = [&state](std::uint64_t n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<int>((state >> 33) % n);
    };
    for (int i = 0; i < 240; ++i) {
        const bool late = i > 100 && roll(3) == 0;  // played long before the last ones
        GameRecord g = even_game(i, late ? 900 : 0);
        g.termination = roll(9) == 0 ? Termination::Aborted : Termination::Board;
        g.played += late ? -i : i;
        if (roll(3) == 0)
            take(store, g, false);
        take(store, g);
        if (roll(40) == 0)
            unlearn(store, {.id = 1 + roll(static_cast<std::uint64_t>(i) + 1)});
        if (roll(60) == 0)
            relearn(store, {});
        if (i > 90 && roll(10) == 0)
            check_verifies(store);
    }
    check_verifies(store);
    const Model before = store.model();
    rebuild(store);
    BOOST_TEST(store.model().exit == before.exit);
    BOOST_TEST(store.model().sigma == before.sigma);
}

// An opponent without a random choice plays the same game whenever we do.
BOOST_AUTO_TEST_CASE(a_game_that_is_repeated_measures_once) {
    Store repeated = open_store();
    GameRecord g = even_game(1, 300);
    for (int i = 0; i < 300; ++i) {
        g.uid = std::to_string(i);
        take(repeated, g);
    }
    BOOST_TEST(repeated.model().exit > Model().exit - 1);
    BOOST_TEST(repeated.model().sigma == Model().sigma, boost::test_tools::tolerance(0.03));
    check_verifies(repeated);
}

BOOST_AUTO_TEST_CASE(a_clock_that_was_set_back_measures_at_each_hundred) {
    Store store = open_store();
    for (int i = 0; i < 100; ++i) {
        GameRecord g = even_game(i, 0);
        g.played = 4'000'000'000 + i;
        take(store, g);
    }
    const double before = store.model().exit;
    for (int i = 100; i < 200; ++i) {
        BOOST_TEST_REQUIRE(store.model().exit == before);
        take(store, even_game(i, 900));
        if (i % 20 == 0)
            check_verifies(store);
    }
    BOOST_TEST(store.model().exit < before);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(unlearned_games_do_not_measure) {
    Store with = open_store(), without = open_store();
    for (int i = 0; i < 150; ++i) {
        GameRecord g = even_game(i, 250);
        g.played += i;
        take(with, g);
        if (i < 90)
            take(without, g);
    }
    BOOST_TEST(with.model().exit < Model().exit);
    BOOST_TEST(unlearn(with, {.since = 1'700'000'090}) == 60);
    BOOST_TEST(with.model().exit == without.model().exit);
    BOOST_TEST(with.model().sigma == without.model().sigma);
    BOOST_TEST(value_of_start(with) == value_of_start(without), boost::test_tools::tolerance(1e-9));
    BOOST_TEST(relearn(with, {}) == 60);
    BOOST_TEST(with.model().exit < Model().exit);
    check_verifies(with);
}

BOOST_AUTO_TEST_SUITE_END()

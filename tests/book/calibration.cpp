// Constants measured from the log of own games.
#include "book/calibration.h"

#include "book/audit.h"
#include "book/learn.h"
#include "tests/book/helpers.h"

#include <algorithm>

using namespace book;
using helpers::must;
using helpers::record;

namespace {

void take(Store& store, const GameRecord& game) {
    std::optional<Transaction> transaction = must(Transaction::begin(*store.db));
    BOOST_TEST_REQUIRE(transaction.has_value());
    must(take_in(store, game, true, 1));
    must(transaction->commit());
}

Store open_store() {
    Store store = must(Store::open(":memory:", true));
    must(store.db->set_number(HalfLifeName, 0));
    return store;
}

// Every second game is won; the search said `cp` each time.
GameRecord even_game(int number, int cp) {
    GameRecord g = record(std::to_string(number), "e4 e5 Nf3 Nc6 Bb5", number % 2, 2 + number % 3);
    g.exit_cp = cp + number % 7;
    return g;
}

double value_of_start(Store& store) {
    const auto node = must(store.tree->node({.key = engine::Position().key()}));
    BOOST_TEST_REQUIRE(node.has_value());
    return node->v;
}

void check_verifies(Store& store) {
    for (const std::string& complaint : must(verify(store)))
        BOOST_ERROR(complaint);
}

std::vector<Testimony> many(double result, int cp, int games) {
    return std::vector<Testimony>(static_cast<std::size_t>(games),
                                  {.evidence = {.weight = 1, .result = result},
                                   .exit_key = 1,
                                   .exit_cp = cp,
                                   .analysed_cp = cp});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(calibration)

BOOST_AUTO_TEST_CASE(a_search_that_errs_is_worth_little) {
    Store wrong = open_store(), right = open_store();
    for (int i = 0; i < 300; ++i) {
        take(right, even_game(i, 0));
        take(wrong, even_game(i, 300));
    }
    BOOST_TEST(must(wrong.model()).exit < 5);
    BOOST_TEST(must(right.model()).exit > 10);
    BOOST_TEST(must(right.model()).sigma > 0.42);                  // no draws: results scatter more
    BOOST_TEST(must(right.model()).analysis == Model().analysis);  // nothing was analysed
}

BOOST_AUTO_TEST_CASE(nothing_is_measured_before_a_hundred_games) {
    Store store = open_store();
    for (int i = 0; i < 99; ++i)
        take(store, even_game(i, 300));
    BOOST_TEST(must(store.model()).exit == Model().exit);
    take(store, even_game(99, 300));
    BOOST_TEST(must(store.model()).exit < Model().exit);
}

BOOST_AUTO_TEST_CASE(an_analysis_that_errs_is_worth_little) {
    Store store = open_store();
    const engine::Game start;
    must(store.tree->set_analysis(
        start.position().key(),
        {.move = book::store(helpers::move(start, "e4"), engine::White), .cp = 400, .depth = 20}));
    for (int i = 0; i < 200; ++i) {
        GameRecord g = even_game(i, 0);
        g.exit_ply = 2;
        take(store, g);
    }
    BOOST_TEST(must(store.model()).analysis < 5);
    BOOST_TEST(must(store.model()).exit > 10);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(worths_stay_within_bounds) {
    const Model standard;
    const Measured awful = measure(standard, many(0, 2000, 5000));
    BOOST_TEST(awful.exit == 2);
    BOOST_TEST(awful.analysis == 2);
    const Measured perfect = measure(standard, many(0.5, 0, 5000));
    BOOST_TEST(perfect.exit == 20);
    BOOST_TEST(perfect.sigma == 0.3);  // results never scatter less than that
}

BOOST_AUTO_TEST_CASE(rebuilding_measures_the_same) {
    Store store = open_store();
    for (int i = 0; i < 230; ++i) {
        take(store, even_game(i, 200));
        if (i % 46 == 0)
            check_verifies(store);
    }
    const Model before = must(store.model());
    const double value = value_of_start(store);
    BOOST_TEST(before.exit != Model().exit);
    must(rebuild(store));
    BOOST_TEST(must(store.model()).exit == before.exit);
    BOOST_TEST(value_of_start(store) == value, boost::test_tools::tolerance(1e-9));
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(whole_hundreds_in_any_order_measure_the_same) {
    std::vector<GameRecord> games;
    for (int i = 0; i < 200; ++i)
        games.push_back(even_game(i, i % 100));
    Store one = open_store(), other = open_store();
    for (const GameRecord& g : games)
        take(one, g);
    std::rotate(games.begin(), games.begin() + 77, games.end());
    std::reverse(games.begin() + 20, games.begin() + 150);
    for (const GameRecord& g : games)
        take(other, g);
    BOOST_TEST(must(one.model()).exit == must(other.model()).exit);
    BOOST_TEST(must(one.model()).sigma == must(other.model()).sigma);
    BOOST_TEST(value_of_start(one) == value_of_start(other), boost::test_tools::tolerance(1e-9));
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
    BOOST_TEST(must(with.model()).exit < Model().exit);
    BOOST_TEST(must(unlearn(with, {.since = 1'700'000'090})) == 60);
    BOOST_TEST(must(with.model()).exit == Model().exit);
    BOOST_TEST(must(with.model()).sigma == Model().sigma);
    BOOST_TEST(value_of_start(with) == value_of_start(without), boost::test_tools::tolerance(1e-9));
    BOOST_TEST(must(relearn(with, {})) == 60);
    BOOST_TEST(must(with.model()).exit < Model().exit);
    check_verifies(with);
}

BOOST_AUTO_TEST_SUITE_END()

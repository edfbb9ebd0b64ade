// Experiments of the benchmark of learning rules, and what this program's book must reach in them.
#include "tools/lab/bookbench/experiment_report.h"

#include <boost/test/unit_test.hpp>

using namespace tools::bookbench;

namespace {

std::vector<Table> tables_of(const Plan& plan) {
    Result<std::vector<Table>> tables = run(plan, [](double) {});
    BOOST_TEST_REQUIRE(tables.has_value(), (tables ? "" : tables.error().what));
    return std::move(*tables);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(experiment, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(threads_make_no_difference) {
    Plan plan{.scenarios = {Scenario::Base, Scenario::Exploit},
              .rules = {"greedy"},
              .last_world = 2,
              .games = 100};
    const std::vector<Table> alone = tables_of(plan);
    plan.threads = 3;
    const std::vector<Table> together = tables_of(plan);
    for (std::size_t t = 0; t < alone.size(); ++t)
        BOOST_TEST(to_text(plan, together[t]) == to_text(plan, alone[t]));
}

BOOST_AUTO_TEST_CASE(a_setting_is_compared_in_the_same_worlds) {
    const Plan plan{.scenarios = {Scenario::Cold},
                    .rules = {"nutcracker", "greedy"},
                    .last_world = 1,
                    .games = 60,
                    .against = {{"half-life", 1500}}};
    const std::vector<Table> tables = tables_of(plan);
    const std::vector<Line>& lines = tables.front().lines;
    BOOST_TEST_REQUIRE(lines.size() == 4U);
    BOOST_TEST(lines[3].rule == "nutcracker half-life=1500");
    BOOST_TEST(lines[3].regret.mean == lines[1].regret.mean);  // it has this value anyway
    BOOST_TEST(lines[3].distance.mean == 0);
    BOOST_TEST(lines[2].distance.mean == lines[2].percent.mean - lines[1].percent.mean,
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(lines[2].distance.error > 0);
    BOOST_TEST(to_text(plan, tables.front()).find("- nutcracker ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_book_soon_does_better_than_luck) {
    const Plan plan{
        .scenarios = {Scenario::Base}, .rules = {"nutcracker"}, .last_world = 1, .games = 100};
    const std::vector<Table> tables = tables_of(plan);
    BOOST_TEST_REQUIRE(tables.front().lines.size() == 2U);
    BOOST_TEST(tables.front().lines[0].percent.mean == 100);
    BOOST_TEST(tables.front().lines[1].percent.mean < 85);
    const std::string text = to_text(plan, tables.front()), curves = to_curves(plan, tables);
    BOOST_TEST(text.find("base: worlds 0-1, 100 games") == 0U);
    BOOST_TEST(text.find("nutcracker") != std::string::npos);
    BOOST_TEST(curves.starts_with("# Points lost a game against the best moves, worlds 0-1\n"));
    BOOST_TEST(curves.find("\nbase\tnutcracker\t50\t") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(four_hundred_games_leave_less_than_two_thirds_of_the_regret,
                     *boost::unit_test::label("slow")) {
    const std::vector<Table> tables = tables_of({.scenarios = {Scenario::Base},
                                                 .rules = {"nutcracker", "greedy", "uct"},
                                                 .last_world = 3,
                                                 .games = 400});
    const std::vector<Line>& lines = tables.front().lines;
    BOOST_TEST(lines[1].percent.mean <= 62);
    BOOST_TEST(lines[1].percent.mean < lines[2].percent.mean);
    BOOST_TEST(lines[1].percent.mean < lines[3].percent.mean);
}

BOOST_AUTO_TEST_SUITE_END()

// Whole matches of scripted engines, several games at a time.
#include "tools/match/schedule.h"

#include "engine/platform/program.h"
#include "tests/system.h"

#include <set>

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using test_system::no_children_left;
using tools::match::Ending;

namespace {

tools::match::EngineSpec fake(const std::string& behaviour, const std::vector<std::string>& moves) {
    tools::match::EngineSpec spec;
    spec.name = behaviour;
    spec.command.words = {FAKE_ENGINE, "cecp", behaviour};
    spec.command.words.insert(spec.command.words.end(), moves.begin(), moves.end());
    return spec;
}

tools::match::Plan plan(const std::string& first, const std::string& second, int games) {
    engine::platform::ignore_broken_pipes();
    tools::match::Plan p;
    // Both engines have White's moves: as Black they fail after 1. e4.
    p.engines = {fake(first, {"e2e4"}), fake(second, {"e2e4"})};
    p.openings = {tools::Opening{}};
    p.games = games;
    return p;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(schedule, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(every_game_is_played_once_with_both_colours) {
    tools::match::Plan p = plan("resign", "illegal", 10);
    p.concurrency = 3;
    std::set<std::pair<int, bool>> seen;
    const auto played = tools::match::play_match(
        p,
        nullptr,
        nullptr,
        [&](const tools::match::FinishedGame& game) {
            BOOST_TEST(seen.emplace(game.number.pair, game.number.reversed).second);
            const bool reversed = game.number.reversed;
            BOOST_TEST(game.record.names[0] == (reversed ? "illegal" : "resign"));
            BOOST_TEST(game.record.round == 2 * game.number.pair + (reversed ? 2 : 1));
            // 1. e4 e2e4, which is illegal for either of them.
            BOOST_CHECK(game.record.ending == Ending::IllegalMove);
            BOOST_CHECK(game.record.outcome == tools::Outcome::WhiteWins);
            return true;
        },
        {});
    BOOST_TEST(played.has_value());
    BOOST_TEST(seen.size() == 10);
    BOOST_TEST(no_children_left());
}

BOOST_AUTO_TEST_CASE(a_broken_engine_is_started_again) {
    tools::match::Plan p = plan("resign", "crash", 4);
    p.engines[1].command.words.resize(3);  // it has no move at all
    int crashes = 0, breakdowns = 0;
    const auto played = tools::match::play_match(
        p,
        nullptr,
        nullptr,
        [&](const tools::match::FinishedGame& game) {
            crashes += game.record.ending == Ending::Crash ? 1 : 0;
            breakdowns += game.record.broke_down[0] || game.record.broke_down[1] ? 1 : 0;
            return true;
        },
        {});
    BOOST_TEST(played.has_value());
    BOOST_TEST(crashes == 4);
    BOOST_TEST(breakdowns == 0);
    BOOST_TEST(no_children_left());
}

BOOST_AUTO_TEST_CASE(the_match_stops_when_told) {
    tools::match::Plan p = plan("resign", "illegal", 1000);
    p.concurrency = 2;
    int games = 0;
    const auto played = tools::match::play_match(
        p, nullptr, nullptr, [&](const tools::match::FinishedGame&) { return ++games < 3; }, {});
    BOOST_TEST(played.has_value());
    BOOST_TEST(games >= 3);
    BOOST_TEST(games < 1000);
    BOOST_TEST(no_children_left());
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_games_in_progress) {
    tools::match::Plan p = plan("hang", "hang", 4);
    for (tools::match::EngineSpec& spec : p.engines)
        spec.command.words.resize(3);  // nobody has a move
    p.concurrency = 2;
    const engine::platform::Event interrupt;
    interrupt.set();
    const auto played =
        tools::match::play_match(p,
                                 nullptr,
                                 &interrupt,
                                 [](const tools::match::FinishedGame& game) {
                                     BOOST_CHECK(game.record.outcome == tools::Outcome::Unfinished);
                                     return true;
                                 },
                                 {});
    BOOST_TEST(played.has_value());
    BOOST_TEST(no_children_left());
}

BOOST_AUTO_TEST_CASE(an_engine_that_cannot_start_ends_the_match) {
    tools::match::Plan p = plan("resign", "illegal", 4);
    p.engines[1].command.words = {"/nowhere/engine"};
    const auto played = tools::match::play_match(
        p, nullptr, nullptr, [](const tools::match::FinishedGame&) { return true; }, {});
    BOOST_REQUIRE(!played.has_value());
    BOOST_TEST((test_system::is_emulated() ||
                played.error().what.starts_with("cannot start /nowhere/engine")));
    p.engines[1].command.words = {FAKE_ENGINE, "cecp", "absent"};
    const auto useless = tools::match::play_match(
        p, nullptr, nullptr, [](const tools::match::FinishedGame&) { return true; }, {});
    BOOST_TEST(useless.error().what == "the engine does not start: " FAKE_ENGINE);
    BOOST_TEST(no_children_left());
}

BOOST_AUTO_TEST_CASE(an_engine_without_any_limit_ends_the_match) {
    tools::match::Plan p = plan("resign", "timed", 2);
    for (tools::match::EngineSpec& spec : p.engines)
        spec.time.nodes = 100;
    const auto endless = tools::match::play_match(
        p, nullptr, nullptr, [](const tools::match::FinishedGame&) { return true; }, {});
    BOOST_REQUIRE(!endless.has_value());
    BOOST_TEST(endless.error().what ==
               "timed does not support a limit by nodes, and has no other limit");
    p.engines[1].time.depth = 1;
    const auto played = tools::match::play_match(
        p, nullptr, nullptr, [](const tools::match::FinishedGame&) { return true; }, {});
    BOOST_TEST(played.has_value());
    BOOST_TEST(no_children_left());
}

BOOST_AUTO_TEST_CASE(engines_that_report_one_name_are_told_apart) {
    tools::match::Plan p = plan("resign", "illegal", 2);
    p.engines.push_back(fake("nonsense", {"e2e4"}));
    for (tools::match::EngineSpec& spec : p.engines)
        spec.name.clear();
    std::set<std::string> names;
    const auto played = tools::match::play_match(
        p,
        nullptr,
        nullptr,
        [&](const tools::match::FinishedGame& game) {
            BOOST_TEST(game.record.names[game.number.reversed ? 1 : 0] == "Fake (CECP)");
            names.insert(game.record.names[game.number.reversed ? 0 : 1]);
            return true;
        },
        {});
    BOOST_TEST(played.has_value());
    BOOST_TEST((names == std::set<std::string>{"Fake (CECP) (2)", "Fake (CECP) (3)"}));
}

BOOST_AUTO_TEST_CASE(the_first_engine_meets_all_others) {
    tools::match::Plan p = plan("resign", "illegal", 2);
    p.engines.push_back(fake("nonsense", {"e2e4"}));
    p.engines[2].restart = true;
    std::set<int> opponents;
    int games = 0;
    const auto played = tools::match::play_match(p,
                                                 nullptr,
                                                 nullptr,
                                                 [&](const tools::match::FinishedGame& game) {
                                                     opponents.insert(game.number.opponent);
                                                     return ++games > 0;
                                                 },
                                                 {});
    BOOST_TEST(played.has_value());
    BOOST_TEST(opponents.size() == 2);
    BOOST_TEST(games == 4);
}

BOOST_AUTO_TEST_SUITE_END()

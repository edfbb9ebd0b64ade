// The command table and what `help` makes of it; the answers to commands are in transcripts/.
#include "protocol/xboard.h"

#include "engine/board/notation.h"
#include "tests/protocol/dialogue.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

using namespace protocol;

BOOST_AUTO_TEST_SUITE(xboard, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(commands_are_sorted_by_name) {
    const auto table = Xboard::commands();
    BOOST_TEST(std::is_sorted(
        table.begin(), table.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
}

BOOST_AUTO_TEST_CASE(help_prints_one_line_for_each_documented_command) {
    Dialogue dialogue;
    dialogue.send("help");
    for (const Xboard::Command& command : Xboard::commands()) {
        if (command.help.empty())
            continue;
        BOOST_TEST_REQUIRE(!dialogue.said.empty(), command.name);
        BOOST_TEST(dialogue.said.front().starts_with("# " + std::string(command.name)));
        BOOST_TEST(dialogue.said.front().size() < 480);  // not cut by Output
        dialogue.said.pop_front();
    }
    BOOST_TEST(dialogue.said.empty());
}

BOOST_AUTO_TEST_CASE(features_come_before_memory_and_threads_are_asked_for) {
    Dialogue dialogue({.hash_mib = 5'000, .threads = 80});
    dialogue.send("xboard");
    dialogue.send("protover 2");
    BOOST_TEST_REQUIRE(!dialogue.said.empty());
    BOOST_TEST(dialogue.said.back() == "feature done=1");
    BOOST_TEST(dialogue.searcher.threads == 0);
    dialogue.said.clear();
    dialogue.send("accepted ping");
    BOOST_TEST(dialogue.said.empty());
    dialogue.send("new");
    BOOST_TEST_REQUIRE(dialogue.said.size() == 2U);
    BOOST_TEST(dialogue.said[0] == "telluser no room for 5000 MiB; the old one stays");
    BOOST_TEST(dialogue.said[1] == "telluser only 64 of 80 search threads could be started");
    dialogue.said.clear();
    dialogue.send("new");
    BOOST_TEST(dialogue.said.empty());
}

BOOST_AUTO_TEST_CASE(a_draw_is_judged_by_the_clocks_of_that_moment) {
    using std::chrono::milliseconds;
    // Below ten seconds the opponent may lose on time.
    for (const bool paused : {false, true}) {
        Dialogue dialogue;
        for (const char* const line : {"easy",
                                       "setboard 4k2r/8/8/8/8/8/8/R3K3 w - - 0 1",
                                       "level 0 1 0",
                                       "time 1200",
                                       "otim 1200",
                                       "go"})
            dialogue.send(line);
        engine::SearchResult result;
        result.best = engine::parse_move(dialogue.searcher.root->position(), "a1a2").value();
        result.depth = 12;
        dialogue.searcher.choose(result);
        dialogue.settle();
        dialogue.said.clear();
        const Time moved = engine::Clock::now();
        if (paused) {
            dialogue.now = moved + milliseconds(100);
            dialogue.send("pause");
            dialogue.now = moved + milliseconds(4'000);
            dialogue.send("resume");
        }
        dialogue.now = moved + milliseconds(4'100);
        dialogue.send("draw");
        BOOST_TEST(dialogue.said.size() == (paused ? 1U : 0U));
    }
}

BOOST_AUTO_TEST_CASE(time_lost_on_the_way_is_kept_back_unless_the_user_says_how_much) {
    for (const bool automatic : {true, false}) {
        Dialogue dialogue;
        if (!automatic)
            dialogue.send("option MoveOverhead=30");
        for (const char* const line : {"level 0 5 0", "time 30000", "go"})
            dialogue.send(line);
        dialogue.searcher.stop();
        dialogue.settle();
        for (const char* const line : {"time 29700", "e7e5"})
            dialogue.send(line);
        BOOST_TEST_REQUIRE(dialogue.searcher.root.has_value());
        // Less than three seconds where the machine was slow in between.
        BOOST_TEST((dialogue.searcher.limits.reserve > engine::milliseconds(0)) == automatic);
    }
}

BOOST_AUTO_TEST_SUITE_END()

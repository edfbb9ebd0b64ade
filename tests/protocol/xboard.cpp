// The command table and what `help` makes of it; the answers to commands are in transcripts/.
#include "protocol/xboard.h"

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

BOOST_AUTO_TEST_SUITE_END()

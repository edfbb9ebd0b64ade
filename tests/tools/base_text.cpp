// The text of the base book.
#include "tools/common/base_text.h"

#include "tools/common/errors.h"

#include <boost/test/unit_test.hpp>

using tools::BaseText;
using tools::read_base_text;

namespace {

const std::string Good = "nutcracker-base 1; engine Nutcracker; nodes 3/2/1\n"
                         "1 Nf3 20 A 21 30 16\n"
                         "2 Nf6 -18 B 20 29 15\n"
                         "3 d4 18 B 19 28 14\n"
                         "4 g6 -18 C 18 27 1\n"
                         "4 e6 -48 x 18 26 0\n"
                         "1 d4 19 A 22 30 16\n"
                         "2 Nf6 -19 A 21 29 15\n"
                         "3 = Nf3 19 A 20 28 14\n"
                         "3 ! c3 2 x 20 20 0\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(base_text)

BOOST_AUTO_TEST_CASE(a_text_is_read_and_written_back) {
    const BaseText text = read_base_text(Good);
    BOOST_TEST(to_text(text) == Good);
    BOOST_TEST(text.head.at("nodes") == "3/2/1");
    BOOST_TEST_REQUIRE(text.moves.size() == 9U);
    BOOST_TEST(text.moves[7].transposition);
    BOOST_TEST(text.moves[8].deviation);
    BOOST_TEST(text.moves[3].cp == -18);
}

BOOST_AUTO_TEST_CASE(a_bad_text_is_refused_with_the_line) {
    const std::string head = "nutcracker-base 1\n", e4 = head + "1 e4 20 A 21 30 16\n";
    const std::vector<std::pair<std::string, std::string>> bad{
        {"", "line 1: "},
        {"nutcracker-base 2\n", "line 1: "},
        {head + "1 e4 20 A 21 30 16", "line 2: the text ends"},
        {head + "1 e5 20 A 21 30 16\n", "line 2: \"e5\" is not a legal move"},
        {head + "2 e4 20 A 21 30 16\n", "line 2: ply 2"},
        {head + "0 e4 20 A 21 30 16\n", "line 2: ply is not"},
        {head + "1 e4 20 D 21 30 16\n", "line 2: class is not"},
        {head + "1 e4 2001 A 21 30 16\n", "line 2: cp is not"},
        {head + "1 e4 20 A 21 64 16\n", "line 2: effort is not"},
        {head + "1 e4 20 A 21 30 -1\n", "line 2: games is not"},
        {head + "1 e4 20 A 21 30\n", "line 2: not \"PLY"},
        {head + "1 ? e4 20 A 21 30 16\n", "line 2: \"?\" is neither"},
        {e4 + "3 e5 20 A 21 30 16\n", "line 3: ply 3"},
        {e4 + "1 e4 20 A 21 30 16\n", "line 3: the move e4 is given twice in this position"},
        {e4 + "1 = d4 20 A 21 30 16\n", "line 3: \"=\", but"},
        {e4 + "\n", "line 3: not \"PLY"},
        {head + "1 e4 20 x 21 30 16\n2 e5 0 A 1 1 1\n",
         "line 3: moves after a move that ends its line"},
        {head + "1 ! e4 20 A 21 30 16\n2 e5 0 A 1 1 1\n",
         "line 3: moves after a move that ends its line"},
        {Good + "4 e6 -18 C 18 27 1\n", "line 11: moves after a move that ends its line"},
    };
    for (const auto& [text, message] : bad)
        BOOST_CHECK_EXCEPTION(
            read_base_text(text), tools::Failure, [start = message](const tools::Failure& f) {
                BOOST_TEST_MESSAGE(f.what());
                return std::string(f.what()).starts_with(start);
            });
    std::string twice = Good;
    twice.replace(twice.find("3 = Nf3"), 7, "3 Nf3");
    BOOST_TEST(!read_base_text(twice).moves.empty());
    BOOST_CHECK_THROW(read_base_text(twice.insert(twice.find("3 ! c3"), "4 d6 0 C 1 1 1\n")),
                      tools::Failure);
}

BOOST_AUTO_TEST_CASE(games_are_rounded_to_powers_of_two) {
    for (const auto& [games, digit, back] : {std::array{0, 0, 0},
                                             std::array{1, 1, 1},
                                             std::array{3, 3, 4},
                                             std::array{20'000, 15, 16'384}}) {
        BOOST_TEST(tools::games_digit(games) == digit);
        BOOST_TEST(tools::games_of_digit(digit) == back);
    }
}

BOOST_AUTO_TEST_SUITE_END()

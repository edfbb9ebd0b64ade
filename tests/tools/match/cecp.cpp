#include "tools/match/cecp.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(cecp)

BOOST_AUTO_TEST_CASE(features_keep_blanks_inside_quotes) {
    const auto features = tools::match::parse_features(
        " ping=1 myname=\"A = B 1.0\" option=\"Own Book -check 1\" variants=\"normal,nocastle\" "
        "done=0");
    BOOST_REQUIRE(features.size() == 5);
    BOOST_TEST(features[1].first == "myname");
    BOOST_TEST(features[1].second == "A = B 1.0");
    BOOST_TEST(features[2].second == "Own Book -check 1");
    BOOST_TEST(features[4].first == "done");
    BOOST_TEST(features[4].second == "0");
}

BOOST_AUTO_TEST_CASE(broken_features_do_no_harm) {
    BOOST_TEST(tools::match::parse_features("").empty());
    BOOST_TEST(tools::match::parse_features("ping").empty());
    const auto open = tools::match::parse_features("myname=\"never closed done=1");
    BOOST_REQUIRE(open.size() == 1);
    BOOST_TEST(open[0].second == "never closed done=1");
    BOOST_TEST(tools::match::parse_features("a= b=").size() == 2);
}

BOOST_AUTO_TEST_CASE(thinking_is_read) {
    const auto t = tools::match::parse_cecp_thinking(" 9 -156 184 48000\tNf3 Nf6");
    BOOST_REQUIRE(t.has_value());
    BOOST_TEST(t->depth == 9);
    BOOST_TEST(t->score == -156);
    BOOST_TEST(t->line == "Nf3 Nf6");
    BOOST_TEST(tools::match::parse_cecp_thinking("12& 5 1 100 e4").value().depth == 12);
}

BOOST_AUTO_TEST_CASE(mates_are_recognised) {
    BOOST_TEST(tools::match::parse_cecp_thinking("9 100003 1 1 e4").value().score ==
               tools::match::MateBase - 3);
    BOOST_TEST(tools::match::parse_cecp_thinking("9 -100002 1 1 e4").value().score ==
               -tools::match::MateBase + 2);
    BOOST_TEST(tools::match::score_text(tools::match::MateBase - 3) == "+M3");
    BOOST_TEST(tools::match::score_text(-tools::match::MateBase + 2) == "-M2");
    BOOST_TEST(tools::match::score_text(-35) == "-0.35");
}

BOOST_AUTO_TEST_CASE(other_lines_are_no_thinking) {
    for (const char* line : {"",
                             "9",
                             "9 12",
                             "9 12 3",
                             "9 12 x 3 e4",
                             "9 12 3 x e4",
                             "move e2e4",
                             "9 a b c d",
                             "1. e2e4"})
        BOOST_TEST(!tools::match::parse_cecp_thinking(line).has_value(), line);
}

BOOST_AUTO_TEST_SUITE_END()

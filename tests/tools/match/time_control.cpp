#include "tools/match/time_control.h"

#include "tools/match/cecp.h"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using tools::match::SideClock;
using tools::match::TimeControl;

namespace {

TimeControl parsed(const std::string& text) {
    const auto control = tools::match::parse_time_control(text);
    BOOST_REQUIRE_MESSAGE(control.has_value(), text);
    return *control;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(time_control)

BOOST_AUTO_TEST_CASE(every_form_is_read) {
    BOOST_CHECK(parsed("10+0.1").base == 10s);
    BOOST_CHECK(parsed("10+0.1").increment == 100ms);
    BOOST_TEST(parsed("10+0.1").moves == 0);
    BOOST_CHECK(parsed("40/1:00").base == 60s);
    BOOST_TEST(parsed("40/1:00").moves == 40);
    BOOST_CHECK(parsed("0:05+0.01").base == 5s);
    BOOST_CHECK(parsed("1:02:03").base == 3723s);
    BOOST_CHECK(parsed("0.25").base == 250ms);
    BOOST_TEST(!parsed("inf").has_clock());
}

BOOST_AUTO_TEST_CASE(nonsense_is_refused_with_its_text) {
    for (const std::string text :
         {"", "abc", "40/", "/60", "0/60", "-5+1", "10+", "10+x", "1:2:3:4", "10 s", "0", "+1"}) {
        const auto control = tools::match::parse_time_control(text);
        BOOST_TEST(!control.has_value(), text);
        if (!control)
            BOOST_TEST(control.error().what.ends_with(text));
    }
}

BOOST_AUTO_TEST_CASE(pgn_text_tells_moves_base_and_increment) {
    BOOST_TEST(parsed("40/1:00").text() == "40/60");
    BOOST_TEST(parsed("10+0.1").text() == "10+0.1");
    BOOST_TEST(parsed("inf").text() == "-");
}

BOOST_AUTO_TEST_CASE(the_increment_comes_after_the_move) {
    SideClock clock(parsed("1+0.5"));
    BOOST_TEST(clock.move_made(300ms));
    BOOST_CHECK(clock.left() == 1200ms);
    BOOST_TEST(!clock.move_made(1201ms));
}

BOOST_AUTO_TEST_CASE(a_new_session_brings_new_time) {
    SideClock clock(parsed("2/10"));
    BOOST_TEST(clock.moves_to_go() == 2);
    BOOST_TEST(clock.move_made(4s));
    BOOST_TEST(clock.moves_to_go() == 1);
    BOOST_CHECK(clock.left() == 6s);
    BOOST_TEST(clock.move_made(1s));
    BOOST_TEST(clock.moves_to_go() == 2);
    BOOST_CHECK(clock.left() == 15s);
}

BOOST_AUTO_TEST_CASE(the_margin_forgives_but_gives_no_time) {
    TimeControl control = parsed("1");
    control.margin = 50ms;
    SideClock clock(control);
    BOOST_TEST(clock.move_made(1040ms));
    BOOST_CHECK(clock.left() == 0ms);
    BOOST_TEST(!clock.move_made(51ms));
}

BOOST_AUTO_TEST_CASE(an_exact_time_is_there_for_every_move) {
    TimeControl control;
    control.move_time = 200ms;
    BOOST_TEST(SideClock(control).move_made(300ms));  // by the usual margin
    BOOST_TEST(!SideClock(control).move_made(301ms));
    control.margin = 0ms;
    SideClock clock(control);
    BOOST_TEST(clock.move_made(200ms));
    BOOST_TEST(clock.move_made(200ms));
    BOOST_TEST(!clock.move_made(201ms));
}

BOOST_AUTO_TEST_CASE(without_a_clock_nothing_is_too_long) {
    SideClock clock(TimeControl{});
    BOOST_TEST(!clock.left().has_value());
    BOOST_TEST(clock.move_made(24h));
}

BOOST_AUTO_TEST_CASE(cecp_gets_minutes_seconds_and_fractions) {
    BOOST_TEST(tools::match::cecp_time_text(parsed("40/5:00")) == "level 40 5 0\n");
    BOOST_TEST(tools::match::cecp_time_text(parsed("1+0.01")) == "level 0 0:01 0.01\n");
    BOOST_TEST(tools::match::cecp_time_text(parsed("95+2")) == "level 0 1:35 2\n");
    TimeControl exact;
    exact.move_time = 200ms;
    BOOST_TEST(tools::match::cecp_time_text(exact) == "st 0.2\n");
    TimeControl nodes;
    nodes.nodes = 5000;
    BOOST_TEST(tools::match::cecp_time_text(nodes) == "st 1\nnps 5000\n");
}

BOOST_AUTO_TEST_SUITE_END()

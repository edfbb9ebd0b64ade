// When a search ends, and how long it did not look at the clock.
#include "engine/search/control.h"

#include <boost/test/unit_test.hpp>

using namespace engine;
using namespace std::chrono_literals;

namespace {

Limits with_clock(milliseconds left) {
    Limits limits;
    limits.clock = GameClock{.left = left};
    return limits;
}

void spend(milliseconds time) {
    const Clock::time_point begun = Clock::now();
    while (Clock::now() - begun < time) {
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(control)

BOOST_AUTO_TEST_CASE(the_longest_time_without_a_look_at_the_clock_is_a_stall) {
    Control control;
    control.begin(with_clock(1h), 0ms, 20);
    spend(20ms);
    control.poll(1);
    BOOST_TEST((control.longest_stall() >= 20ms));
    spend(40ms);
    BOOST_TEST((control.longest_stall() >= 40ms));
    control.begin(Limits(), 0ms, 20);  // no clock
    spend(2ms);
    control.poll(1);
    BOOST_TEST((control.longest_stall() == 0ms));
}

BOOST_AUTO_TEST_CASE(a_minimal_search_ends_by_its_nodes) {
    Control control;
    control.begin(with_clock(40ms), 10ms, 20);
    BOOST_TEST(!control.should_stop({.depth = 1, .nodes = 30}));
    BOOST_TEST(control.should_stop({.depth = 2, .nodes = MinimalNodes}));
    control.begin(with_clock(40ms), 10ms, 20);
    BOOST_TEST(control.poll(4 * MinimalNodes));
}

BOOST_AUTO_TEST_CASE(nodes_can_stand_for_time) {
    Limits limits;
    limits.move_time = 2s;
    limits.nodes_per_second = 1000;
    Control control;
    control.begin(limits, 10ms, 20);
    BOOST_TEST(!control.poll(1999));
    BOOST_TEST(control.poll(2000));

    limits = with_clock(60s);
    limits.nodes_per_second = 1000;
    control.begin(limits, 10ms, 20);
    spend(1ms);
    BOOST_TEST(!control.should_stop({.depth = 1, .nodes = 100}));
    BOOST_TEST(!control.poll(1000));
    BOOST_TEST(control.should_stop({.depth = 20, .nodes = 10'000}));
    BOOST_TEST(control.poll(60'000));
    BOOST_TEST((control.longest_stall() == 0ms));
}

BOOST_AUTO_TEST_CASE(the_clock_is_looked_at_more_often_when_little_is_left) {
    Control control;
    control.begin(with_clock(10min), 10ms, 20);
    const int ordinary = control.poll_interval(0);
    control.begin(with_clock(100ms), 10ms, 20);
    BOOST_TEST(control.poll_interval(0) < ordinary);
}

BOOST_AUTO_TEST_SUITE_END()

#include "protocol/game/lag.h"

#include <boost/test/unit_test.hpp>

using namespace protocol;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(lag)

BOOST_AUTO_TEST_CASE(what_the_client_takes_beyond_our_thinking_is_lost) {
    Lag lag;
    BOOST_TEST((lag.worst() == 0ms));
    lag.moved(1s, 960ms);
    lag.clock_set(900ms);
    BOOST_TEST((lag.worst() == 50ms));  // less 10 ms, in which centiseconds are rounded
}

BOOST_AUTO_TEST_CASE(rounding_does_not_count) {
    Lag lag;
    for (int move = 0; move < 100; ++move) {
        lag.moved(1s, 960ms);
        lag.clock_set(950ms);
    }
    BOOST_TEST((lag.worst() == 0ms));
    lag.moved(60s, 59'200ms);  // a server that shows whole seconds
    lag.clock_set(59s);
    BOOST_TEST((lag.worst() == 0ms));
    lag.moved(60s, 59'200ms);
    lag.clock_set(57s);
    BOOST_TEST((lag.worst() == 1'200ms));
}

BOOST_AUTO_TEST_CASE(a_stall_and_a_loss_of_one_move_add_up) {
    Lag lag;
    lag.stalled(30ms);
    BOOST_TEST((lag.worst() == 30ms));
    lag.moved(1s, 960ms);
    lag.clock_set(900ms);
    BOOST_TEST((lag.worst() == 80ms));
    lag.moved(1s, 960ms);
    lag.clock_set(890ms);  // a move from the book: no search
    BOOST_TEST((lag.worst() == 80ms));
}

BOOST_AUTO_TEST_CASE(an_old_loss_fades) {
    Lag lag;
    lag.stalled(100ms);
    for (int move = 0; move < 40; ++move)
        lag.stalled(0ms);
    BOOST_TEST((lag.worst() > 40ms));
    for (int move = 0; move < 300; ++move)
        lag.stalled(0ms);
    BOOST_TEST((lag.worst() < 2ms));
}

BOOST_AUTO_TEST_CASE(a_clock_that_was_set_anew_tells_nothing) {
    Lag lag;
    lag.clock_set(1s);
    lag.moved(300s, 299s);
    lag.clock_set(60s);
    lag.moved(60s, 59s);
    lag.clock_set(300s);
    lag.moved(60s, 59s);
    lag.forget_move();
    lag.clock_set(58s);
    BOOST_TEST((lag.worst() == 0ms));
}

BOOST_AUTO_TEST_SUITE_END()

#include "tools/common/referee.h"

#include <boost/test/unit_test.hpp>

namespace {

tools::Referee new_referee() {
    return tools::Referee({.won = 500,
                           .won_plies = 3,
                           .level = 8,
                           .level_plies = 2,
                           .level_from = 60,
                           .longest = 300});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(referee)

BOOST_AUTO_TEST_CASE(a_win_needs_the_same_side_ahead_long_enough) {
    tools::Referee r = new_referee();
    for (const engine::Score white : {501, 900, 500, 501, 900, -600, -600})
        BOOST_TEST(!r.judge(white, 20).has_value());
    BOOST_TEST(r.judge(-600, 20).value() == 0);
    r = new_referee();
    for (const engine::Score white : {501, 501})
        BOOST_TEST(!r.judge(white, 20).has_value());
    BOOST_TEST(r.judge(31'000, 20).value() == 1);
}

BOOST_AUTO_TEST_CASE(level_scores_count_from_a_ply_on) {
    tools::Referee r = new_referee();
    for (int ply = 0; ply < 61; ++ply)
        BOOST_TEST(!r.judge(7, ply).has_value());
    BOOST_TEST(!r.judge(-8, 61).has_value());
    BOOST_TEST(!r.judge(-7, 62).has_value());
    BOOST_TEST(r.judge(0, 63).value() == 0.5);
}

BOOST_AUTO_TEST_CASE(an_endless_game_is_a_draw) {
    tools::Referee r = new_referee();
    BOOST_TEST(!r.judge(100, 299).has_value());
    BOOST_TEST(r.judge(100, 300).value() == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()

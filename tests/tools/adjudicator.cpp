#include "tools/common/adjudicator.h"

#include <boost/test/unit_test.hpp>

namespace {

using engine::Black;
using engine::White;
using tools::Outcome;

tools::Rules rules() {
    tools::Rules r;
    r.draw_from_move = 30;
    r.draw_moves = 2;
    r.draw_score = 10;
    r.resign_moves = 2;
    r.resign_score = 500;
    return r;
}
tools::Thinking score(int centipawns) {
    return {8, centipawns, 0, {}, {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(adjudicator)

BOOST_AUTO_TEST_CASE(a_draw_needs_both_sides_long_enough) {
    tools::Adjudicator a(rules());
    BOOST_CHECK(a.move_made(White, 30, score(5)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(Black, 30, score(-9)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(White, 31, score(11)) == Outcome::Unfinished);
    for (int i = 0; i < 3; ++i)
        BOOST_CHECK(a.move_made(i % 2 ? White : Black, 31, score(0)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(White, 33, score(0)) == Outcome::Draw);
}

BOOST_AUTO_TEST_CASE(early_draws_do_not_count) {
    tools::Adjudicator a(rules());
    for (int move = 1; move < 30; ++move)
        BOOST_CHECK(a.move_made(White, move, score(0)) == Outcome::Unfinished);
}

BOOST_AUTO_TEST_CASE(a_win_needs_both_sides_to_agree) {
    tools::Adjudicator a(rules());
    for (int i = 0; i < 6; ++i) {  // only White believes it
        BOOST_CHECK(a.move_made(White, 10, score(900)) == Outcome::Unfinished);
        BOOST_CHECK(a.move_made(Black, 10, score(20)) == Outcome::Unfinished);
    }
    BOOST_CHECK(a.move_made(White, 20, score(600)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(Black, 20, score(-500)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(White, 21, score(600)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(Black, 21, score(-700)) == Outcome::WhiteWins);
}

BOOST_AUTO_TEST_CASE(black_can_win_and_mates_count) {
    tools::Adjudicator a(rules());
    BOOST_CHECK(a.move_made(White, 20, score(-tools::MateBase + 4)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(Black, 20, score(tools::MateBase - 4)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(White, 21, score(-600)) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(Black, 21, score(700)) == Outcome::BlackWins);
}

BOOST_AUTO_TEST_CASE(silence_breaks_the_row) {
    tools::Adjudicator a(rules());
    for (int i = 0; i < 3; ++i)
        a.move_made(i % 2 ? Black : White, 40, score(0));
    BOOST_CHECK(a.move_made(Black, 41, tools::Thinking{}) == Outcome::Unfinished);
    BOOST_CHECK(a.move_made(White, 42, score(0)) == Outcome::Unfinished);
}

BOOST_AUTO_TEST_CASE(rules_are_off_by_default) {
    tools::Adjudicator a{tools::Rules{}};
    for (int i = 0; i < 300; ++i)
        BOOST_CHECK(a.move_made(i % 2 ? Black : White, i, score(0)) == Outcome::Unfinished);
    for (int i = 0; i < 300; ++i)
        BOOST_CHECK(a.move_made(i % 2 ? Black : White, i, score(i % 2 ? -900 : 900)) ==
                    Outcome::Unfinished);
}

BOOST_AUTO_TEST_SUITE_END()

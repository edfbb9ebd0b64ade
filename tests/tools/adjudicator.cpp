#include "tools/common/adjudicator.h"

#include "engine/score.h"

#include <boost/test/unit_test.hpp>

namespace {

using engine::Black;
using engine::White;
using tools::Adjudicator;
using tools::Outcome;

constexpr int MateScore = 1'000'000 - 4;

// Both sides agree for two moves each; draws count from move 30 on.
Adjudicator of_both_sides() {
    return Adjudicator({.win_score = 500,
                        .win_plies = 4,
                        .draw_score = 10,
                        .draw_plies = 4,
                        .draw_from_ply = 2 * (30 - 1)});
}

// The mover reports a score for itself in the full move `number`.
Outcome
move_made(Adjudicator& a, engine::Color mover, int number, std::optional<engine::Score> score) {
    if (score && mover == Black)
        score = -*score;
    return a.judge(score, 2 * (number - 1) + (mover == Black ? 1 : 0));
}

Adjudicator with_max_plies() {
    return Adjudicator({.win_score = 501,
                        .win_plies = 3,
                        .draw_score = 7,
                        .draw_plies = 2,
                        .draw_from_ply = 60,
                        .max_plies = 300});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(adjudicator)

BOOST_AUTO_TEST_CASE(a_draw_needs_both_sides_long_enough) {
    Adjudicator a = of_both_sides();
    BOOST_CHECK(move_made(a, White, 30, 5) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, Black, 30, -9) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, White, 31, 11) == Outcome::Unfinished);
    for (int i = 0; i < 3; ++i)
        BOOST_CHECK(move_made(a, i % 2 ? White : Black, 31, 0) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, White, 33, 0) == Outcome::Draw);
}

BOOST_AUTO_TEST_CASE(early_draws_do_not_count) {
    Adjudicator a = of_both_sides();
    for (int move = 1; move < 30; ++move)
        BOOST_CHECK(move_made(a, White, move, 0) == Outcome::Unfinished);
}

BOOST_AUTO_TEST_CASE(a_win_needs_both_sides_to_agree) {
    Adjudicator a = of_both_sides();
    for (int i = 0; i < 6; ++i) {  // only White believes it
        BOOST_CHECK(move_made(a, White, 10, 900) == Outcome::Unfinished);
        BOOST_CHECK(move_made(a, Black, 10, 20) == Outcome::Unfinished);
    }
    BOOST_CHECK(move_made(a, White, 20, 600) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, Black, 20, -500) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, White, 21, 600) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, Black, 21, -700) == Outcome::WhiteWins);
}

BOOST_AUTO_TEST_CASE(black_can_win_and_mates_count) {
    Adjudicator a = of_both_sides();
    BOOST_CHECK(move_made(a, White, 20, -MateScore) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, Black, 20, MateScore) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, White, 21, -600) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, Black, 21, 700) == Outcome::BlackWins);
}

BOOST_AUTO_TEST_CASE(silence_breaks_the_row) {
    Adjudicator a = of_both_sides();
    for (int i = 0; i < 3; ++i)
        move_made(a, i % 2 ? Black : White, 40, 0);
    BOOST_CHECK(move_made(a, Black, 41, std::nullopt) == Outcome::Unfinished);
    BOOST_CHECK(move_made(a, White, 42, 0) == Outcome::Unfinished);
}

BOOST_AUTO_TEST_CASE(a_draw_comes_before_a_win) {
    Adjudicator a({.win_score = 10, .win_plies = 1, .draw_score = 20, .draw_plies = 1});
    BOOST_CHECK(a.judge(15, 0) == Outcome::Draw);
    BOOST_CHECK(a.judge(21, 1) == Outcome::WhiteWins);
}

BOOST_AUTO_TEST_CASE(rules_are_off_by_default) {
    Adjudicator a({});
    for (int i = 0; i < 300; ++i)
        BOOST_CHECK(move_made(a, i % 2 ? Black : White, i, 0) == Outcome::Unfinished);
    for (int i = 0; i < 300; ++i)
        BOOST_CHECK(move_made(a, i % 2 ? Black : White, i, i % 2 ? -900 : 900) ==
                    Outcome::Unfinished);
}

BOOST_AUTO_TEST_CASE(a_win_needs_the_same_side_ahead_long_enough) {
    Adjudicator a = with_max_plies();
    for (const engine::Score white : {501, 900, 500, 501, 900, -600, -600})
        BOOST_CHECK(a.judge(white, 20) == Outcome::Unfinished);
    BOOST_CHECK(a.judge(-600, 20) == Outcome::BlackWins);
    a = with_max_plies();
    for (const engine::Score white : {501, 501})
        BOOST_CHECK(a.judge(white, 20) == Outcome::Unfinished);
    BOOST_CHECK(a.judge(31'000, 20) == Outcome::WhiteWins);
}

BOOST_AUTO_TEST_CASE(level_scores_count_from_a_ply_on) {
    Adjudicator a = with_max_plies();
    for (int ply = 0; ply < 61; ++ply)
        BOOST_CHECK(a.judge(7, ply) == Outcome::Unfinished);
    BOOST_CHECK(a.judge(-8, 61) == Outcome::Unfinished);
    BOOST_CHECK(a.judge(-7, 62) == Outcome::Unfinished);
    BOOST_CHECK(a.judge(0, 63) == Outcome::Draw);
}

BOOST_AUTO_TEST_CASE(an_endless_game_is_a_draw) {
    Adjudicator a = with_max_plies();
    BOOST_CHECK(a.judge(100, 299) == Outcome::Unfinished);
    BOOST_CHECK(a.judge(100, 300) == Outcome::Draw);
}

BOOST_AUTO_TEST_SUITE_END()

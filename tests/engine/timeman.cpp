// Time management.
#include "engine/search/timeman.h"

#include <boost/test/unit_test.hpp>

using namespace engine;
using namespace std::chrono_literals;

namespace {

constexpr auto Overhead = 20ms;

GameClock clock_of(milliseconds left, milliseconds increment = 0ms, int moves_to_go = 0) {
    return {.left = left, .increment = increment, .moves_to_go = moves_to_go, .theirs = left};
}

constexpr Confidence Ordinary{.best_nodes = 600,
                              .all_nodes = 1'000,
                              .stable_iterations = 3,
                              .score_drop = 0,
                              .score_drop_game = 0};

}  // namespace

BOOST_AUTO_TEST_SUITE(timeman)

BOOST_AUTO_TEST_CASE(no_clock_is_ever_overspent) {
    for (int left = -500; left < 20'000; left += 7)
        for (const int increment : {0, 10, 100, 5'000})
            for (const int moves : {0, 1, 2, 10, 40})
                for (const auto overhead : {Overhead, 100ms, 5'000ms}) {
                    const GameClock clock =
                        clock_of(milliseconds(left), milliseconds(increment), moves);
                    const Budget b = budget(clock, overhead);
                    BOOST_TEST_CONTEXT(left << " ms, " << increment << " more, " << moves
                                            << " moves, overhead " << overhead.count()) {
                        BOOST_TEST((b.soft <= b.hard));
                        BOOST_TEST((b.hard >= 1ms));
                        if (clock.left > std::max(overhead, 50ms))
                            BOOST_TEST((b.hard <= clock.left - overhead));
                        else
                            BOOST_TEST((10 * b.hard <= std::max(clock.left, 10ms)));
                    }
                }
}

BOOST_AUTO_TEST_CASE(forty_moves_on_one_clock_are_all_played) {
    // Every fourth move uses its hard limit, the others the soft one; each loses the overhead.
    microseconds left = 60s;
    for (int to_go = 40; to_go > 0; --to_go) {
        const auto shown = std::chrono::duration_cast<milliseconds>(left);
        const Budget b = budget(clock_of(shown, 0ms, to_go), Overhead);
        left -= to_go % 4 == 0 ? b.hard : b.soft;
        left -= Overhead;
        BOOST_TEST_REQUIRE((left > 0ms));
    }
}

BOOST_AUTO_TEST_CASE(an_increment_is_lived_on) {
    microseconds left = 1s;
    for (int move = 0; move < 300; ++move) {
        const auto shown = std::chrono::duration_cast<milliseconds>(left);
        const Budget b = budget(clock_of(shown, 10ms), Overhead);
        left -= b.hard;
        BOOST_TEST_REQUIRE((left > 0ms));
        left += 10ms;
    }
}

// What is left on the clock after 300 moves at 1+0.01, at the least.
microseconds least_left(milliseconds reserve) {
    microseconds left = 1s, least = left;
    for (int move = 1; move <= 300; ++move) {
        const auto shown = std::chrono::duration_cast<milliseconds>(left);
        const Budget b = budget(clock_of(shown, 10ms), 10ms, reserve);
        left -= move % 10 == 0 ? b.hard : std::min(b.hard, b.soft * 6 / 5);
        least = std::min(least, left);
        left += 10ms - 2ms;  // 2 ms: communication with the interface
    }
    return least;
}

// Ten to thirty milliseconds above the emergency limit are lost in any delay of a busy machine.
BOOST_AUTO_TEST_CASE(an_increment_keeps_the_clock_well_above_the_emergency_limit) {
    BOOST_TEST((least_left(0ms) > 80ms));
}

BOOST_AUTO_TEST_CASE(a_larger_reserve_keeps_more_on_the_clock) {
    BOOST_TEST((least_left(100ms) > least_left(0ms) + 30ms));
    BOOST_TEST((least_left(100ms) > 120ms));
    // It is kept back once, not at each move up to the time control.
    const Budget with = budget(clock_of(60s, 0ms, 40), Overhead, 1s);
    const Budget without = budget(clock_of(60s, 0ms, 40), Overhead);
    BOOST_TEST((with.soft > without.soft * 9 / 10));
}

BOOST_AUTO_TEST_CASE(a_long_increment_allows_more_than_an_eighth_of_the_clock) {
    const auto soft = [](milliseconds left, milliseconds increment) {
        return budget(clock_of(left, increment), 0ms).soft;
    };
    BOOST_TEST((soft(60s, 30s) > 14s));
    BOOST_TEST((soft(60s, 30s) <= 15s));
    BOOST_TEST((soft(4s, 1s) > 900ms));
    BOOST_TEST((soft(4s, 990ms) <= 500ms));
}

BOOST_AUTO_TEST_CASE(a_clock_at_its_end_leaves_no_time_to_think) {
    BOOST_TEST(budget(clock_of(50ms), Overhead).minimal);
    BOOST_TEST(budget(clock_of(-1s), Overhead).minimal);
    BOOST_TEST(budget(clock_of(200ms), 200ms).minimal);
    BOOST_TEST(budget(clock_of(120ms), Overhead, 300ms).minimal);
    BOOST_TEST(!budget(clock_of(120ms), Overhead).minimal);
    BOOST_TEST(!budget(100ms, Overhead).minimal);
    BOOST_TEST(smaller(budget(clock_of(50ms), Overhead), budget(1s, Overhead)).minimal);
}

BOOST_AUTO_TEST_CASE(more_time_means_longer_thought) {
    BOOST_TEST((budget(clock_of(10s), Overhead).soft < budget(clock_of(20s), Overhead).soft));
    BOOST_TEST(
        (budget(clock_of(10s), Overhead).soft < budget(clock_of(10s, 100ms), Overhead).soft));
    BOOST_TEST((budget(clock_of(10s, 0ms, 40), Overhead).soft <
                budget(clock_of(10s, 0ms, 5), Overhead).soft));
}

BOOST_AUTO_TEST_CASE(the_time_for_a_move_is_used_but_for_the_overhead) {
    BOOST_TEST((budget(10s, 500ms).hard == 9'500ms));
    BOOST_TEST((budget(1s, Overhead).hard == 960ms));
    BOOST_TEST((budget(200ms, Overhead).hard == 170ms));
    BOOST_TEST((budget(8ms, Overhead).hard == 6ms));
    BOOST_TEST((budget(0ms, Overhead).hard == 1ms));
}

BOOST_AUTO_TEST_CASE(the_smaller_limit_applies) {
    const Budget b = smaller({10ms, 50ms}, {20ms, 30ms});
    BOOST_TEST((b.soft == 10ms));
    BOOST_TEST((b.hard == 30ms));
}

BOOST_AUTO_TEST_CASE(solving_takes_a_part_of_the_time) {
    Limits limits;
    BOOST_TEST((time_to_solve(limits) == milliseconds::max()));
    limits.clock = clock_of(8s);
    BOOST_TEST((time_to_solve(limits) == 1s));
    limits.move_time = 500ms;
    BOOST_TEST((time_to_solve(limits) == 250ms));
    limits.clock.reset();
    BOOST_TEST((time_to_solve(limits) == 250ms));
    limits.nodes_per_second = 1'000;
    BOOST_TEST((time_to_solve(limits) == milliseconds::max()));
}

BOOST_AUTO_TEST_CASE(an_uncertain_best_move_takes_more_time) {
    const int ordinary = soft_percent(Ordinary);
    Confidence c = Ordinary;
    c.best_nodes = 950;
    BOOST_TEST(soft_percent(c) < ordinary);
    c = Ordinary;
    c.stable_iterations = 0;
    BOOST_TEST(soft_percent(c) > ordinary);
    c.stable_iterations = 8;
    BOOST_TEST(soft_percent(c) < ordinary);
    c = Ordinary;
    c.score_drop = 40;
    BOOST_TEST(soft_percent(c) > ordinary);
    c = Ordinary;
    c.score_drop_game = 20;
    BOOST_TEST(soft_percent(c) > ordinary);
}

BOOST_AUTO_TEST_CASE(the_scaling_of_the_soft_limit_is_bounded) {
    const Confidence calm{.best_nodes = 1'000,
                          .all_nodes = 1'000,
                          .stable_iterations = 99,
                          .score_drop = -30'000,
                          .score_drop_game = -30'000};
    const Confidence wild{.best_nodes = 0,
                          .all_nodes = 0,
                          .stable_iterations = 0,
                          .score_drop = 60'000,
                          .score_drop_game = 60'000};
    BOOST_TEST(soft_percent(calm) >= 20);
    BOOST_TEST(soft_percent(wild) <= 400);
}

BOOST_AUTO_TEST_SUITE_END()

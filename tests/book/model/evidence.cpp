// The evidence of one game: weights and adjusted results.
#include "book/model/evidence.h"

#include <boost/test/unit_test.hpp>

namespace {

using book::evidence;
using book::Evidence;
using book::Termination;

constexpr int Long = 80;  // plies

}  // namespace

BOOST_AUTO_TEST_SUITE(evidence)

BOOST_AUTO_TEST_CASE(an_equal_opponent_changes_nothing) {
    for (const double score : {0.0, 0.5, 1.0}) {
        const Evidence e = book::evidence(score, 0, Termination::Board, Long);
        BOOST_TEST(e.weight == 1.0);
        BOOST_TEST(e.result == score);
    }
}

BOOST_AUTO_TEST_CASE(beating_the_weak_says_little) {
    const Evidence e = book::evidence(1, 400, Termination::Board, Long);
    BOOST_TEST(e.weight < 0.15);
    BOOST_TEST(e.result > 0.5);
    BOOST_TEST(e.result < 1.0);
}

BOOST_AUTO_TEST_CASE(drawing_the_strong_is_good) {
    BOOST_TEST(book::evidence(0.5, -200, Termination::Board, Long).result > 0.7);
    BOOST_TEST(book::evidence(0.5, 200, Termination::Board, Long).result < 0.3);
}

BOOST_AUTO_TEST_CASE(results_are_right_on_average) {
    // A player who scores as the ratings predict has an adjusted mean of 0.5.
    for (const double difference : {-600.0, -100.0, 50.0, 300.0, 800.0}) {
        const double expected = book::expected_score(difference);
        const double mean =
            expected * book::evidence(1, difference, Termination::Board, Long).result +
            (1 - expected) * book::evidence(0, difference, Termination::Board, Long).result;
        BOOST_TEST(mean == 0.5, boost::test_tools::tolerance(1e-9));
    }
}

BOOST_AUTO_TEST_CASE(a_flag_counts_a_quarter) {
    BOOST_TEST(book::evidence(0, 0, Termination::Flag, Long).weight == 0.25);
    BOOST_TEST(book::evidence(0, 0, Termination::Disconnection, Long).weight == 0.25);
}

BOOST_AUTO_TEST_CASE(an_early_flag_and_an_abort_count_nothing) {
    BOOST_TEST(book::evidence(0, 0, Termination::Flag, 20).weight == 0);
    BOOST_TEST(book::evidence(0, 0, Termination::Aborted, Long).weight == 0);
}

BOOST_AUTO_TEST_CASE(centipawns_become_scores) {
    BOOST_TEST(book::score_from_centipawns(0) == 0.5);
    BOOST_TEST(book::score_from_centipawns(100) > 0.6);
    BOOST_TEST(book::score_from_centipawns(100) + book::score_from_centipawns(-100) == 1.0,
               boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()

#include "tools/common/statistics.h"

#include <cmath>

#include <boost/test/unit_test.hpp>

namespace {

using tools::Sprt;
using tools::Tally;

Tally pairs(std::array<int, 5> counts) {
    Tally t;
    t.pairs = counts;
    // Any split of the points into games will do; only the sum is looked at.
    t.wins = counts[2] + counts[3] + 2 * counts[4];
    t.losses = 2 * counts[0] + counts[1] + counts[2];
    t.draws = counts[1] + counts[3];
    return t;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(elo_and_score_are_inverse) {
    BOOST_TEST(tools::expected_score(0) == 0.5);
    BOOST_TEST(tools::expected_score(400) == 10.0 / 11, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(tools::elo_of_score(0.75) == 190.848501888, boost::test_tools::tolerance(1e-9));
    for (const double elo : {-300.0, -5.0, 17.0, 600.0})
        BOOST_TEST(tools::elo_of_score(tools::expected_score(elo)) == elo,
                   boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_error_comes_from_the_spread_of_the_pairs) {
    // Mean 1/2, variance (1/4 + 2/16 + 2/16 + 1/4) / 10 = 0.075, of the mean 0.0075.
    const tools::Estimate e = tools::estimate(pairs({1, 2, 4, 2, 1}));
    BOOST_TEST(e.score == 0.5);
    BOOST_TEST(std::abs(e.elo) < 1e-9);
    BOOST_TEST(!std::signbit(e.elo));
    BOOST_TEST(e.error_known);
    BOOST_TEST(e.low == -122.818, boost::test_tools::tolerance(1e-3));
    BOOST_TEST(e.high == 122.818, boost::test_tools::tolerance(1e-3));
    BOOST_TEST(e.superiority == 0.5, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(pairs_that_always_split_leave_no_error) {
    const tools::Estimate e = tools::estimate(pairs({0, 0, 20, 0, 0}));
    BOOST_TEST(std::abs(e.error()) < 1e-9);
    BOOST_TEST(!e.error_known);  // perhaps it was one game, played again and again
    BOOST_TEST(e.superiority == 0.5);
}

BOOST_AUTO_TEST_CASE(without_pairs_the_games_give_the_error) {
    // Score 0.6, variance per game 0.6 - 0.36 - (draws) = (6*0.16 + 4*0.36) / 10 = 0.24.
    const tools::Estimate e = tools::estimate({6, 0, 4, {}});
    const double deviation = std::sqrt(0.024);
    BOOST_TEST(e.elo == 70.4365, boost::test_tools::tolerance(1e-4));
    BOOST_TEST(e.high == tools::elo_of_score(0.6 + 1.959964 * deviation),
               boost::test_tools::tolerance(1e-6));
    BOOST_TEST(e.superiority == 0.7407, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(nothing_played_proves_nothing) {
    const tools::Estimate e = tools::estimate({});
    BOOST_TEST(e.elo == 0);
    BOOST_TEST(e.superiority == 0.5);
    BOOST_TEST(tools::log_likelihood_ratio({}, {}) == 0);
    BOOST_TEST(tools::log_likelihood_ratio({5, 0, 0, {}}, {}) == 0);
}

BOOST_AUTO_TEST_CASE(an_all_won_match_stays_finite) {
    const tools::Estimate e = tools::estimate(pairs({0, 0, 0, 0, 10}));
    BOOST_TEST(std::isfinite(e.elo));
    BOOST_TEST(e.elo > 1000);
    BOOST_TEST(e.superiority == 1);
    BOOST_TEST(std::isfinite(tools::log_likelihood_ratio(pairs({0, 0, 0, 0, 10}), {})));
}

// With only lost and won pairs the likeliest distribution of mean s is s itself, so the ratio is
// 30 ln(s1/s0) + 10 ln((1-s1)/(1-s0)) with s0 = 1/2, s1 = 0.571463.
BOOST_AUTO_TEST_CASE(the_ratio_of_two_outcomes_is_binomial) {
    const double llr = tools::log_likelihood_ratio(pairs({10, 0, 0, 0, 30}), {0, 50, 0.05, 0.05});
    BOOST_TEST(llr == 2.4654, boost::test_tools::tolerance(2e-3));
}

// For close hypotheses the ratio is N (s1 - s0) (2 mean - s0 - s1) / (2 variance).
BOOST_AUTO_TEST_CASE(the_ratio_approaches_the_normal_one) {
    const std::array<int, 5> counts{50, 200, 450, 240, 60};
    const double n = 1000;
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        mean += counts[i] * static_cast<double>(i) / 4 / n;
        square += counts[i] * std::pow(static_cast<double>(i) / 4, 2) / n;
    }
    const double s0 = tools::expected_score(0), s1 = tools::expected_score(5);
    const double expected = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * (square - mean * mean));
    const double llr = tools::log_likelihood_ratio(pairs(counts), {0, 5, 0.05, 0.05});
    BOOST_TEST(llr == expected, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(the_mirrored_match_has_the_opposite_ratio) {
    const double llr = tools::log_likelihood_ratio(pairs({3, 10, 30, 14, 6}), {-5, 10, 0.05, 0.05});
    const double mirrored =
        tools::log_likelihood_ratio(pairs({6, 14, 30, 10, 3}), {-10, 5, 0.05, 0.05});
    BOOST_TEST(llr == -mirrored, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(the_test_ends_at_its_bounds) {
    const Sprt test{0, 10, 0.05, 0.05};
    BOOST_TEST(tools::upper_bound(test) == 2.94444, boost::test_tools::tolerance(1e-5));
    BOOST_TEST(tools::lower_bound(test) == -2.94444, boost::test_tools::tolerance(1e-5));
    BOOST_TEST(tools::lower_bound({0, 10, 0.05, 0.1}) == -2.25129,
               boost::test_tools::tolerance(1e-5));
    BOOST_CHECK(tools::verdict(pairs({1, 1, 1, 1, 1}), test) == tools::Verdict::Undecided);
    BOOST_CHECK(tools::verdict(pairs({100, 300, 500, 500, 200}), test) ==
                tools::Verdict::AcceptElo1);
    BOOST_CHECK(tools::verdict(pairs({200, 500, 500, 300, 100}), test) ==
                tools::Verdict::AcceptElo0);
}

BOOST_AUTO_TEST_SUITE_END()

// Which thread's move is played.
#include "engine/search/election.h"

#include <array>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

constexpr Move A(E1, E8), B(D1, D8);

template <typename... Ballots>
std::size_t elected(const Ballots&... ballots) {
    const std::array<Ballot, sizeof...(Ballots)> all{ballots...};
    return elect(all);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(election)

BOOST_AUTO_TEST_CASE(one_thread_elects_itself) {
    BOOST_TEST(elected(Ballot{A, -500, 3}) == 0);
    BOOST_TEST(elected(Ballot{A, 0, 0}) == 0);
}

BOOST_AUTO_TEST_CASE(who_finished_nothing_is_not_believed) {
    BOOST_TEST(elected(Ballot{A, 900, 0}, Ballot{B, -50, 4}) == 1);
    BOOST_TEST(elected(Ballot{A, 10, 4}, Ballot{B, mate_in(3), 0}) == 0);
    BOOST_TEST(elected(Ballot{A, 0, 0}, Ballot{B, 0, 0}) == 0);
}

BOOST_AUTO_TEST_CASE(deeper_and_better_wins) {
    BOOST_TEST(elected(Ballot{A, 20, 10}, Ballot{B, 60, 11}) == 1);
    BOOST_TEST(elected(Ballot{A, 60, 11}, Ballot{B, 20, 11}) == 0);
}

BOOST_AUTO_TEST_CASE(who_is_an_iteration_behind_does_not_win) {
    BOOST_TEST(elected(Ballot{A, 20, 12}, Ballot{B, 80, 11}) == 0);
}

BOOST_AUTO_TEST_CASE(several_votes_for_a_move_add_up) {
    // One thread likes A best, but two like B.
    BOOST_TEST(elected(Ballot{A, 30, 10}, Ballot{B, 25, 10}, Ballot{B, 24, 10}) == 1);
    BOOST_TEST(elected(Ballot{A, 30, 10}, Ballot{B, 0, 10}, Ballot{B, 0, 10}) == 0);
}

BOOST_AUTO_TEST_CASE(a_proof_outweighs_all_votes) {
    BOOST_TEST(elected(Ballot{A, 900, 20}, Ballot{A, 900, 20}, Ballot{B, mate_in(9), 15}) == 2);
    BOOST_TEST(elected(Ballot{A, mate_in(9), 20}, Ballot{B, mate_in(5), 12}) == 1);
    // Being mated is proved as well, but another thread has a way out.
    BOOST_TEST(elected(Ballot{A, mated_in(6), 20}, Ballot{B, -700, 9}) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

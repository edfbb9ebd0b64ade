// Best-thread voting.
#include "engine/search/voting.h"

#include <array>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

constexpr Move A(E1, E8), B(D1, D8);

template <typename... Votes>
std::size_t winner(const Votes&... votes) {
    const std::array<ThreadVote, sizeof...(Votes)> all{votes...};
    return best_thread(all);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(voting)

BOOST_AUTO_TEST_CASE(a_single_thread_wins) {
    BOOST_TEST(winner(ThreadVote{A, -500, 3}) == 0);
    BOOST_TEST(winner(ThreadVote{A, 0, 0}) == 0);
}

BOOST_AUTO_TEST_CASE(a_thread_without_a_finished_iteration_does_not_win) {
    BOOST_TEST(winner(ThreadVote{A, 900, 0}, ThreadVote{B, -50, 4}) == 1);
    BOOST_TEST(winner(ThreadVote{A, 10, 4}, ThreadVote{B, mate_in(3), 0}) == 0);
    BOOST_TEST(winner(ThreadVote{A, 0, 0}, ThreadVote{B, 0, 0}) == 0);
}

BOOST_AUTO_TEST_CASE(the_deeper_and_better_thread_wins) {
    BOOST_TEST(winner(ThreadVote{A, 20, 10}, ThreadVote{B, 60, 11}) == 1);
    BOOST_TEST(winner(ThreadVote{A, 60, 11}, ThreadVote{B, 20, 11}) == 0);
}

BOOST_AUTO_TEST_CASE(a_thread_that_is_an_iteration_behind_does_not_win) {
    BOOST_TEST(winner(ThreadVote{A, 20, 12}, ThreadVote{B, 80, 11}) == 0);
}

BOOST_AUTO_TEST_CASE(several_votes_for_a_move_add_up) {
    // One thread prefers A, with the best score, but two prefer B.
    BOOST_TEST(winner(ThreadVote{A, 30, 10}, ThreadVote{B, 25, 10}, ThreadVote{B, 24, 10}) == 1);
    BOOST_TEST(winner(ThreadVote{A, 30, 10}, ThreadVote{B, 0, 10}, ThreadVote{B, 0, 10}) == 0);
}

BOOST_AUTO_TEST_CASE(a_proved_mate_outweighs_all_votes) {
    BOOST_TEST(
        winner(ThreadVote{A, 900, 20}, ThreadVote{A, 900, 20}, ThreadVote{B, mate_in(9), 15}) == 2);
    BOOST_TEST(winner(ThreadVote{A, mate_in(9), 20}, ThreadVote{B, mate_in(5), 12}) == 1);
    BOOST_TEST(winner(ThreadVote{A, 900, 20}, ThreadVote{B, TableWin - 9, 15}) == 1);
    BOOST_TEST(winner(ThreadVote{A, TableWin - 9, 15}, ThreadVote{B, 900, 20}) == 0);
}

BOOST_AUTO_TEST_CASE(only_a_proved_score_outweighs_a_proved_loss) {
    BOOST_TEST(winner(ThreadVote{A, mated_in(6), 20}, ThreadVote{B, -700, 9}) == 0);
    BOOST_TEST(winner(ThreadVote{A, 6 - TableWin, 20}, ThreadVote{B, -700, 20}) == 0);
    BOOST_TEST(winner(ThreadVote{A, mated_in(6), 20}, ThreadVote{B, mated_in(8), 19}) == 1);
    BOOST_TEST(winner(ThreadVote{A, mated_in(6), 20}, ThreadVote{B, 6 - TableWin, 19}) == 1);
    BOOST_TEST(winner(ThreadVote{A, mated_in(6), 20}, ThreadVote{B, mate_in(9), 19}) == 1);
    BOOST_TEST(winner(ThreadVote{A, -700, 20}, ThreadVote{B, mated_in(6), 20}) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

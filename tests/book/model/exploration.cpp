// What a game with a move may teach.
#include "book/model/exploration.h"

#include "book/types.h"

#include <boost/test/unit_test.hpp>

using namespace book;

namespace {

// Two moves after `games` own games, most of them with the first.
std::vector<Candidate> two_moves(double games, double distance) {
    std::vector<Candidate> moves = {{.move = 1, .mean = 0.55, .evidence = 14 + games},
                                    {.move = 2, .mean = 0.55 - distance, .evidence = 3}};
    add_lessons(Model{}, games, std::vector<double>{games, 0}, moves);
    return moves;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exploration)

BOOST_AUTO_TEST_CASE(a_move_seldom_played_teaches_more) {
    const std::vector<Candidate> moves = two_moves(20, 0.01);
    BOOST_TEST(moves[0].lesson >= 0);
    BOOST_TEST(moves[1].lesson > moves[0].lesson + 0.01);  // so that it is played now
}

BOOST_AUTO_TEST_CASE(a_position_seen_often_is_worth_more_lessons) {
    BOOST_TEST(two_moves(0, 0.01)[1].lesson == 0);
    BOOST_TEST(two_moves(1, 0.01)[1].lesson < 0.01);
    BOOST_TEST(two_moves(20, 0.01)[1].lesson > two_moves(4, 0.01)[1].lesson);
}

BOOST_AUTO_TEST_CASE(a_much_worse_move_is_not_tried) {
    for (const double games : {5.0, 50.0, 5000.0})
        BOOST_TEST(two_moves(games, 0.04)[1].lesson < 0.04);
}

BOOST_AUTO_TEST_CASE(a_forbidden_move_does_not_keep_others_from_being_tried) {
    std::vector<Candidate> moves = two_moves(20, 0.01);
    const double lesson = moves[1].lesson;
    moves.push_back({.move = 3, .mean = 0.9, .evidence = 50, .flags = Never});
    add_lessons(Model{}, 20, std::vector<double>{20, 0, 50}, moves);
    BOOST_TEST(moves[1].lesson == lesson);
}

BOOST_AUTO_TEST_CASE(a_single_move_or_none_can_be_looked_at) {
    std::vector<Candidate> one = {{.move = 1, .mean = 0.5, .evidence = 5}};
    add_lessons(Model{}, 10, std::vector<double>{10}, one);
    BOOST_TEST(one[0].lesson < 0.001);
    add_lessons(Model{}, 10, {}, {});
}

BOOST_AUTO_TEST_CASE(a_lesson_is_no_loss) {
    std::vector<Candidate> moves = two_moves(20, 0.01);
    const ChoiceRule best = choice_rule(Model{}, {.spent = 9});
    BOOST_TEST((choose(best, moves, 1).chosen == 1U));
    BOOST_TEST(choose(best, moves, 1).loss == 0);
    moves[1].lesson = 0;
    BOOST_TEST((choose(best, moves, 1).chosen == 0U));
}

BOOST_AUTO_TEST_SUITE_END()

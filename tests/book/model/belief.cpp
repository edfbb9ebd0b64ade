// Beliefs: priors, exits, and values backed up through moves.
#include "book/model/belief.h"

#include <array>

#include <boost/test/unit_test.hpp>

using namespace book;

namespace {

Child child(double evidence, double sum, double frequency, double gained) {
    return {.belief = {.evidence = evidence, .sum = sum, .parent = Model().parent},
            .frequency = frequency,
            .gained = gained};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(belief, *boost::unit_test::tolerance(1e-12))

BOOST_AUTO_TEST_CASE(a_prior_without_knowledge_is_the_parent) {
    const Model model;
    const Belief b = prior(model, {}, std::nullopt);
    BOOST_TEST(b.evidence == model.parent);
    BOOST_TEST(b.mean(0.37) == 0.37);
}

BOOST_AUTO_TEST_CASE(imported_games_are_worth_at_most_six) {
    const Model model;
    const Belief many = prior(model, {.wins = 1e6, .draws = 0, .losses = 0}, std::nullopt);
    BOOST_TEST(many.evidence < model.parent + model.imported);
    BOOST_TEST(many.evidence > model.parent + model.imported - 0.01);
    const Belief one = prior(model, {.wins = 1, .draws = 0, .losses = 0}, std::nullopt);
    BOOST_TEST(one.mean(0.5) > 0.5);
    BOOST_TEST(one.mean(0.5) < 0.52);  // a single win is no certainty
}

BOOST_AUTO_TEST_CASE(a_rare_move_is_expected_to_be_worse) {
    const Model model;
    const Results common{.wins = 30'000, .draws = 20'000, .losses = 20'000};
    const Results lucky{.wins = 10, .draws = 3, .losses = 4, .rarity = rarity(17, 70'000)};
    const Results poor{.wins = 4, .draws = 3, .losses = 10, .rarity = rarity(17, 70'000)};
    const double usual = prior(model, common, std::nullopt).mean(0.55);
    BOOST_TEST(prior(model, lucky, std::nullopt).mean(0.55) < usual - 0.02);
    BOOST_TEST(prior(model, poor, std::nullopt).mean(0.55) <
               prior(model, lucky, std::nullopt).mean(0.55));
    // What searches say of it counts all the same.
    BOOST_TEST(prior(model, lucky, SearchScore{.score = 0.7, .deep = true}).mean(0.55) > 0.6);
}

BOOST_AUTO_TEST_CASE(a_search_score_is_worth_ten_games_however_often) {
    const Model model;
    const Belief before = prior(model, {}, std::nullopt);
    const Belief once =
        posterior(model, before, {.exits = 1, .weight = 0, .score = 0, .exit_score = 0.8});
    const Belief often =
        posterior(model, before, {.exits = 50, .weight = 0, .score = 0, .exit_score = 0.8});
    BOOST_TEST(once.evidence == model.parent + model.exit);
    BOOST_TEST(often.evidence == once.evidence);
    BOOST_TEST(once.mean(0.5) == (2 * 0.5 + 10 * 0.8) / 12);
}

BOOST_AUTO_TEST_CASE(two_searches_of_one_position_count_as_the_better) {
    const Own left{.exits = 3, .weight = 0, .score = 0, .exit_score = 0.6};
    for (const auto& [exit, analysis] : {std::pair(10.0, 4.0), std::pair(4.0, 10.0)}) {
        Model model;
        model.exit = exit;
        model.analysis = analysis;
        const Belief both =
            posterior(model, prior(model, {}, SearchScore{.score = 0.6}, left), left);
        BOOST_TEST(both.evidence == model.parent + 10);
        BOOST_TEST(both.mean(0.6) == 0.6);
    }
    const Model model;
    const SearchScore shallow{.score = 0.6}, deep{.score = 0.6, .deep = true};
    BOOST_TEST(prior(model, {}, shallow, Own{}).evidence == model.parent + model.analysis);
    BOOST_TEST(prior(model, {}, deep, Own{}).evidence == model.parent + model.deep_analysis);
}

BOOST_AUTO_TEST_CASE(results_at_the_exit_add_up) {
    const Model model;
    const Belief b = posterior(model,
                               prior(model, {}, std::nullopt),
                               {.exits = 4, .weight = 4, .score = 1, .exit_score = 0.5});
    BOOST_TEST(b.mean(0.5) == (2 * 0.5 + 10 * 0.5 + 1) / 16);
}

BOOST_AUTO_TEST_CASE(the_value_is_the_visited_moves_by_their_visits) {
    const Model model;
    // With much evidence the parent's share is small: the value is near the weighted mean.
    const std::array children{child(1e6, 0.8e6, 3, 7), child(1e6, 0.4e6, 1, 4)};
    const Backed backed = back_up(model, children, {});
    BOOST_TEST(backed.value == 0.7, boost::test_tools::tolerance(1e-5));
    BOOST_TEST(backed.evidence == 11.0);  // of own games: what else is known is no news above
}

BOOST_AUTO_TEST_CASE(the_value_agrees_with_the_beliefs_it_is_made_of) {
    const Model model;
    const std::array children{child(5, 2, 3, 1), child(14, 8, 2, 12), child(3, 0.4, 0.7, 0)};
    const Backed backed = back_up(model, children, {});
    double sum = 0, frequency = 0;
    for (const Child& c : children) {
        sum += c.frequency * c.belief.mean(backed.value);
        frequency += c.frequency;
    }
    BOOST_TEST(backed.value == sum / frequency);
    BOOST_TEST(backed.evidence == 13.0);
}

BOOST_AUTO_TEST_CASE(nothing_visited_is_no_evidence) {
    const Model model;
    const std::array children{child(5, 2, 0.3, 0)};
    BOOST_TEST(back_up(model, children, {}).evidence == 0);
    BOOST_TEST(back_up(model, {}, {}).value == 0.5);
}

BOOST_AUTO_TEST_CASE(leaving_the_book_is_one_more_move) {
    const Model model;
    const std::array children{child(1e6, 0.5e6, 1, 1)};
    const Own lost{.exits = 9, .weight = 9, .score = 0, .exit_score = 0.2};
    BOOST_TEST(back_up(model, children, lost).value < 0.25);
}

BOOST_AUTO_TEST_SUITE_END()

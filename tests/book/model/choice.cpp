// The choice among candidates.
#include "book/model/choice.h"

#include "book/book.h"

#include <array>

#include <boost/test/unit_test.hpp>

using namespace book;

namespace {

ChoiceRule usual() {
    return choice_rule(Model{}, false, 0);
}

std::vector<Candidate> three() {
    return {{.move = 1, .mean = 0.55, .evidence = 30},
            {.move = 2, .mean = 0.52, .evidence = 10},
            {.move = 3, .mean = 0.30, .evidence = 50}};
}

// How often each candidate is chosen over many seeds.
std::array<int, 3> tally(const ChoiceRule& rule, const std::vector<Candidate>& candidates) {
    std::array<int, 3> count{};
    for (std::uint64_t seed = 1; seed <= 2000; ++seed)
        if (const Choice d = choose(rule, candidates, seed); d.chosen)
            ++count[*d.chosen];
    return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(choice)

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_move) {
    const std::vector<Candidate> candidates = three();
    for (std::uint64_t seed = 1; seed < 200; ++seed) {
        const Choice a = choose(usual(), candidates, seed), b = choose(usual(), candidates, seed);
        BOOST_TEST((a.chosen == b.chosen));
        BOOST_TEST(a.draws == b.draws, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(near_moves_share_and_far_ones_are_out) {
    const auto count = tally(usual(), three());
    BOOST_TEST(count[0] > count[1]);
    BOOST_TEST(count[1] > 200);
    BOOST_TEST(count[2] == 0);  // beyond the slack
}

BOOST_AUTO_TEST_CASE(knowing_less_means_trying_more) {
    std::vector<Candidate> candidates = three();
    const int before = tally(usual(), candidates)[1];
    candidates[1].evidence = 1000;
    candidates[0].evidence = 1000;
    BOOST_TEST(tally(usual(), candidates)[1] < before / 4);
}

BOOST_AUTO_TEST_CASE(a_match_is_narrower) {
    std::vector<Candidate> candidates = three();
    candidates[1].mean = 0.50;
    BOOST_TEST(tally(usual(), candidates)[1] > 0);
    BOOST_TEST(tally(choice_rule(Model{}, true, 0), candidates)[1] == 0);
}

BOOST_AUTO_TEST_CASE(a_spent_budget_makes_greedy) {
    const auto count = tally(choice_rule(Model{}, false, 0.2), three());
    BOOST_TEST(count[0] == 2000);
}

BOOST_AUTO_TEST_CASE(flags_rule) {
    std::vector<Candidate> candidates = three();
    candidates[2].flags = Always;
    BOOST_TEST(tally(usual(), candidates)[2] == 2000);
    candidates = three();
    candidates[0].flags = Never;
    BOOST_TEST(tally(usual(), candidates)[0] == 0);
    candidates = three();
    const int plain = tally(usual(), candidates)[1];
    candidates[1].flags = Prefer;
    BOOST_TEST(tally(usual(), candidates)[1] > plain);
    candidates[1].flags = Avoid;
    BOOST_TEST(tally(usual(), candidates)[1] < plain);
}

BOOST_AUTO_TEST_CASE(a_guarded_line_is_avoided) {
    std::vector<Candidate> candidates = three();
    candidates[0].opponent_penalty = 0.2;
    BOOST_TEST(tally(usual(), candidates)[0] == 0);
}

BOOST_AUTO_TEST_CASE(what_does_badly_or_is_hardly_known_is_left) {
    std::vector<Candidate> bad{{.move = 1, .mean = 0.36, .evidence = 20}};
    BOOST_TEST(!choose(usual(), bad, 1).chosen.has_value());
    bad[0].mean = 0.45;
    BOOST_TEST(choose(usual(), bad, 1).chosen.has_value());
    bad[0].evidence = 2.5;
    BOOST_TEST(!choose(usual(), bad, 1).chosen.has_value());
    bad[0].flags = Prefer;  // the user knows better
    BOOST_TEST(choose(usual(), bad, 1).chosen.has_value());
    BOOST_TEST(!choose(usual(), {}, 1).chosen.has_value());
}

BOOST_AUTO_TEST_CASE(a_record_repeats_the_decision) {
    DrawRecord record{
        .ply = 7, .seed = 0xFFFF'FFFF'FFFF'FFFE, .rule = usual(), .candidates = three()};
    record.candidates[1].mean = 0.519999651234;
    record.candidates[1].opponent_penalty = 1.0 / 3;
    record.candidates[0].flags = Avoid;
    record.candidates[0].move = -1804;
    round_for_record(record.candidates);
    const std::optional<DrawRecord> again = draw_from_text(to_text(record));
    BOOST_TEST_REQUIRE(again.has_value());
    BOOST_TEST(again->ply == 7);
    BOOST_TEST(again->candidates[0].move == -1804);
    for (std::uint64_t seed = 1; seed < 300; ++seed) {
        const Choice a = choose(record.rule, record.candidates, seed),
                     b = choose(again->rule, again->candidates, seed);
        BOOST_TEST((a.chosen == b.chosen));
    }
    BOOST_TEST(again->seed == record.seed);
}

// The probabilities are those at which choose() plays.
void check_probabilities(const ChoiceRule& rule, const std::vector<Candidate>& candidates) {
    constexpr int Seeds = 20'000;
    std::vector<double> shares(candidates.size(), 0);
    for (std::uint64_t seed = 1; seed <= Seeds; ++seed)
        if (const Choice c = choose(rule, candidates, seed * 77); c.chosen)
            shares[*c.chosen] += 1.0 / Seeds;
    const std::vector<double> computed = play_probabilities(rule, candidates);
    BOOST_TEST_REQUIRE(computed.size() == shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i)
        BOOST_TEST(std::abs(computed[i] - shares[i]) < 0.025,
                   "move " << i << ": " << computed[i] << " against " << shares[i]);
}

BOOST_AUTO_TEST_CASE(probabilities_are_the_frequencies_of_choices) {
    check_probabilities(usual(), three());
    check_probabilities(choice_rule(Model{}, true, 0), three());
    check_probabilities(choice_rule(Model{}, false, 9), three());
    for (const int flag : {Always, Prefer, Avoid, Never})
        for (std::size_t i = 0; i < 3; ++i) {
            std::vector<Candidate> candidates = three();
            candidates[i].flags = flag;
            check_probabilities(usual(), candidates);
        }
    std::vector<Candidate> penalised = three();
    penalised[0].opponent_penalty = 0.05;
    check_probabilities(usual(), penalised);
    std::vector<Candidate> many;
    for (int i = 0; i < 40; ++i)
        many.push_back({.move = i, .mean = 0.5 + 0.002 * i, .evidence = 5.0 + i});
    check_probabilities(usual(), many);
}

BOOST_AUTO_TEST_CASE(what_is_left_has_no_probability) {
    std::vector<Candidate> candidates = three();
    for (Candidate& c : candidates)
        c.flags = Never;
    for (const double p : play_probabilities(usual(), candidates))
        BOOST_TEST(p == 0);
    candidates = {{.move = 1, .mean = 0.2, .evidence = 20}};
    BOOST_TEST(play_probabilities(usual(), candidates)[0] == 0);
    candidates[0].flags = Always;
    BOOST_TEST(play_probabilities(usual(), candidates)[0] == 1);
    BOOST_TEST(play_probabilities(usual(), {}).empty());
}

BOOST_AUTO_TEST_CASE(rubbish_is_no_record) {
    for (const char* text :
         {"", "x", "1 2", "1 2 .2 .1 .3 .2 3 .05 | 5", "1 2 .2 .1 .3 .2 3 .05 5 5 5"})
        BOOST_TEST(!draw_from_text(text).has_value());
}

BOOST_AUTO_TEST_CASE(normal_draws_are_normal) {
    Random random(5);
    double sum = 0, squares = 0;
    for (int i = 0; i < 20'000; ++i) {
        const double x = random.normal();
        sum += x;
        squares += x * x;
    }
    BOOST_TEST(std::abs(sum / 20'000) < 0.03);
    BOOST_TEST(std::abs(squares / 20'000 - 1) < 0.05);
}

BOOST_AUTO_TEST_SUITE_END()

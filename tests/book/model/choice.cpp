// The choice among candidates.
#include "book/model/choice.h"

#include "book/book.h"

#include <array>
#include <cmath>

#include <boost/test/unit_test.hpp>

using namespace book;

namespace {

ChoiceRule usual() {
    return choice_rule(Model{}, {});
}

std::vector<Candidate> three() {
    return {{.move = 1, .mean = 0.55, .evidence = 30},
            {.move = 2, .mean = 0.54, .evidence = 10},
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

// 1.e4, d4, Nf3, c4, g3, b3, f4, h3: values in centipawns, and games of masters.
std::vector<Candidate> first_moves() {
    constexpr std::array<std::pair<double, double>, 8> Known = {{{30, 49'000},
                                                                 {28, 38'000},
                                                                 {27, 10'000},
                                                                 {22, 8'000},
                                                                 {15, 1'000},
                                                                 {5, 350},
                                                                 {0, 150},
                                                                 {-20, 8}}};
    std::vector<Candidate> moves;
    for (const auto& [cp, games] : Known)
        moves.push_back({.move = static_cast<StoredMove>(moves.size()),
                         .mean = 1 / (1 + std::pow(10, -cp / 400)),
                         .evidence = 27,
                         .popularity = games / Known[0].second});
    return moves;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(choice)

BOOST_AUTO_TEST_CASE(first_moves_vary_and_are_hardly_ever_offbeat) {
    const std::vector<double> p = play_probabilities(usual(), first_moves());
    for (std::size_t i = 0; i < 4; ++i)
        BOOST_TEST(p[i] > 0.03, "move " << i << ": " << p[i]);
    BOOST_TEST(p[4] + p[5] + p[6] + p[7] < 0.03);
    BOOST_TEST(p[0] > p[1]);
    BOOST_TEST(p[1] > p[2]);
    BOOST_TEST(p[7] == 0);
}

BOOST_AUTO_TEST_CASE(what_is_popular_is_played_more_often) {
    std::vector<Candidate> candidates = three();
    const double before = play_probabilities(usual(), candidates)[1];
    candidates[0].popularity = 0.01;
    const double after = play_probabilities(usual(), candidates)[1];
    BOOST_TEST(after > before + 0.2);
    candidates[1].mean = 0.52;  // but not if it is much worse
    BOOST_TEST(play_probabilities(usual(), candidates)[1] == 0);
}

BOOST_AUTO_TEST_CASE(the_choice_narrows_in_the_first_moves) {
    std::vector<double> best;
    for (const int own_move : {1, 2, 3, 4, 5, 20})
        best.push_back(
            play_probabilities(choice_rule(Model{}, {.own_move = own_move}), first_moves())[0]);
    for (std::size_t i = 1; i < 4; ++i)
        BOOST_TEST(best[i] > best[i - 1]);
    BOOST_TEST(best[4] == best[3]);
    BOOST_TEST(best[5] == best[3]);
}

BOOST_AUTO_TEST_CASE(variety_can_be_set) {
    const auto best = [](double variety) {
        return play_probabilities(choice_rule(Model{}, {.variety = variety}), first_moves())[0];
    };
    BOOST_TEST(best(0) == 1);
    BOOST_TEST(best(25) > best(50));
    BOOST_TEST(best(50) > best(100));
}

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
    BOOST_TEST(tally(usual(), candidates)[1] < before - 100);
}

BOOST_AUTO_TEST_CASE(a_match_is_narrower) {
    const std::vector<Candidate> candidates = three();
    BOOST_TEST(tally(usual(), candidates)[1] > 0);
    BOOST_TEST(tally(choice_rule(Model{}, {.match = true}), candidates)[1] == 0);
}

BOOST_AUTO_TEST_CASE(a_spent_budget_makes_greedy) {
    const auto count = tally(choice_rule(Model{}, {.spent = 0.04}), three());
    BOOST_TEST(count[0] == 2000);
    BOOST_TEST(tally(choice_rule(Model{}, {.spent = 0.039}), three())[0] < 2000);
    std::vector<Candidate> close = three();
    close[1].mean = 0.549;
    BOOST_TEST(tally(choice_rule(Model{}, {.match = true, .spent = 0.009}), close)[1] > 0);
    BOOST_TEST(tally(choice_rule(Model{}, {.match = true, .spent = 0.01}), close)[1] == 0);
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

BOOST_AUTO_TEST_CASE(only_what_is_drawn_by_chance_is_a_loss) {
    std::vector<Candidate> guarded = three();
    guarded[0].opponent_penalty = 0.10;
    std::vector<Candidate> avoided = three();
    avoided[0].flags = Avoid;
    const ChoiceRule best = choice_rule(Model{}, {.spent = 9});
    for (const std::vector<Candidate>& candidates : {guarded, avoided}) {
        BOOST_TEST((choose(best, candidates, 1).chosen == 1U));
        BOOST_TEST(choose(best, candidates, 1).loss == 0);
    }
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Choice drawn = choose(usual(), three(), seed);
        BOOST_TEST(std::abs(drawn.loss - (drawn.chosen == 1U ? 0.01 : 0)) < 1e-9);
    }
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
    record.candidates[2].popularity = 1.0 / 3;
    record.candidates[1].lesson = 1.0 / 3;
    Model model;
    model.sigma = 0.3127;  // as calibrated
    record.rule = choice_rule(model, {.match = true, .own_move = 3, .variety = 37});
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
    check_probabilities(choice_rule(Model{}, {.match = true}), three());
    check_probabilities(choice_rule(Model{}, {.spent = 9}), three());
    for (const int flag : {Always, Prefer, Avoid, Never})
        for (std::size_t i = 0; i < 3; ++i) {
            std::vector<Candidate> candidates = three();
            candidates[i].flags = flag;
            check_probabilities(usual(), candidates);
        }
    std::vector<Candidate> penalised = three();
    penalised[0].opponent_penalty = 0.01;
    check_probabilities(usual(), penalised);
    std::vector<Candidate> many;
    for (int i = 0; i < 40; ++i)
        many.push_back({.move = i, .mean = 0.5 + 0.001 * i, .evidence = 5.0 + i});
    check_probabilities(usual(), many);
    check_probabilities(usual(), first_moves());
    ChoiceRule old = usual();  // as before 0.4.0
    old.temperature = 0;
    check_probabilities(old, many);
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

BOOST_AUTO_TEST_CASE(a_record_of_an_older_version_still_repeats_its_draw) {
    const std::optional<DrawRecord> old =
        draw_from_text("4 99 0.240000 0.100000 0.350000 0.200000 3.000000 0.050000"
                       " | 796 0.550000 30.000 0.000000 0 | 1804 0.520000 10.000 0.010000 2");
    BOOST_TEST_REQUIRE(old.has_value());
    BOOST_TEST(old->ply == 4);
    const Choice choice = choose(old->rule, old->candidates, old->seed);
    Random random(99);
    BOOST_TEST(choice.draws[0] == 0.55 + 0.24 / std::sqrt(30.0) * random.normal());
    BOOST_TEST(choice.draws[1] == 0.52 - 0.01 + 0.05 + 0.24 / std::sqrt(10.0) * random.normal(),
               boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(rubbish_is_no_record) {
    for (const char* text : {"",
                             "x",
                             "1 2",
                             "1 2 .2 .1 .3 .2 3 .05 | 5",
                             "1 2 .2 .1 .3 .2 3 .05 5 5 5",
                             "1 2 .2 .1 .3 .2 3 .05 .01 | 5 .5 9 0 0 0",
                             "1 2 .2 .1 .3 .2 3 .05 .01 | 5 .5 9 0 0 1 x",
                             "1 2 .2 .1 .3 .2 3 .05 .01 | 5 .5 9 0 0 1 0 1"})
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

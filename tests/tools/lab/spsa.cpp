// SPSA: its steps on functions with a known optimum, the file of a tuning, and the program.
#include "engine/platform/file.h"
#include "tests/folder.h"
#include "tests/posix/child.h"
#include "tools/common/files.h"
#include "tools/lab/spsa/tuning_file.h"

#include <cmath>
#include <fstream>
#include <random>

#include <boost/test/unit_test.hpp>

using namespace tools::spsa;  // NOLINT(google-build-using-namespace)

namespace {

// Each with its optimum, which may lie outside its range.
const std::vector<Parameter> Known{
    {.name = "Wide", .start = 20, .min = 0, .max = 100, .c_end = 5, .r_end = 0.02},
    {.name = "Small", .start = 3, .min = 1, .max = 9, .c_end = 0.5, .r_end = 0.02},
    {.name = "Edge", .start = -40, .min = -100, .max = 0, .c_end = 5, .r_end = 0.02}};
constexpr std::array<double, 3> Optimum{70, 6, 30};

Plan plan_of(int pairs, std::uint64_t seed) {
    return {.parameters = Known, .seed = seed, .nodes = 100, .pairs = pairs};
}

// How strong a version is: it loses with the square of the distance from the optimum.
double strength(const std::vector<int>& values) {
    double loss = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        loss += std::pow((values[i] - Optimum[i]) / (Known[i].max - Known[i].min), 2);
    return -2 * loss;
}

// Two games, decided by strength and, mostly, by chance.
int play(const Trial& trial) {
    std::mt19937_64 random(trial.seed);
    const double expected = 1 / (1 + std::exp(strength(trial.minus) - strength(trial.plus)));
    int points = 0;
    for (int game = 0; game < 2; ++game)
        points += std::ldexp(static_cast<double>(random() >> 11), -53) < expected ? 1 : -1;
    return points;
}

void go_on(State& state, int until) {
    while (state.done < until) {
        const Trial trial = make_trial(state, state.done);
        update(state, trial, play(trial));
    }
}

// nutcracker-spsa to its end.
struct Run {
    Run(const std::filesystem::path& file, std::vector<std::string> words) {
        words.insert(words.begin(), {NUTCRACKER_SPSA, "--out", file.string()});
        Child child(words, true);
        code = child.status();
        lines = child.lines();
    }
    int code = 0;
    std::vector<std::string> lines;
};

std::string content(const std::filesystem::path& file) {
    const Result<std::string> bytes = tools::read_bytes(file.string());
    BOOST_TEST_REQUIRE(bytes.has_value());
    return *bytes;
}

const std::vector<std::string> Quick{
    "--params", "RfpMargin,LmrPv,NullBase", "--games", "8", "--nodes", "60"};

}  // namespace

BOOST_AUTO_TEST_SUITE(spsa, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(numbers_come_near_their_optimum_through_noise) {
    State state = begin_tuning(plan_of(10'000, 1));
    go_on(state, 10'000);
    BOOST_TEST(state.done == 10'000);
    BOOST_TEST(std::abs(state.values[0] - Optimum[0]) < 12, "Wide " << state.values[0]);
    BOOST_TEST(std::abs(state.values[1] - Optimum[1]) < 1.2, "Small " << state.values[1]);
    BOOST_TEST(state.values[2] > -8, "Edge " << state.values[2]);
}

BOOST_AUTO_TEST_CASE(a_tuning_measures_the_effect_of_every_number) {
    Plan plan = plan_of(10'000, 1);
    for (Parameter& p : plan.parameters)
        p.r_end = 1e-9;
    State state = begin_tuning(plan);
    go_on(state, 10'000);
    BOOST_TEST(std::abs(state.values[0] - Known[0].start) < 0.01);
    // Half the distance of the two values, as a share of the range, is 0.055 in the mean.
    const tools::Measured wide = effect(state, 0), small = effect(state, 1),
                          edge = effect(state, 2);
    const auto expected = [](double c, double distance) {
        return 400 / std::log(10) * 2 * 4 * c * distance;  // from strength()
    };
    BOOST_TEST(std::abs(wide.mean - expected(0.055, 0.5)) < 4 * wide.error);
    BOOST_TEST(std::abs(small.mean - expected(0.55 / 8, 3.0 / 8)) < 4 * small.error);
    BOOST_TEST(std::abs(edge.mean - expected(0.055, 0.7)) < 4 * edge.error);
    BOOST_TEST(wide.error < 4);
}

BOOST_AUTO_TEST_CASE(versions_lie_around_the_middle_and_inside_the_range) {
    State state = begin_tuning(plan_of(4'000, 1));
    state.values = {50.3, 4.4, -2};
    std::array<double, 2> sums{};
    for (int i = 0; i < 4'000; ++i) {
        const Trial trial = make_trial(state, i);
        for (std::size_t p = 0; p < Known.size(); ++p) {
            for (const int value : {trial.plus[p], trial.minus[p]})
                BOOST_TEST((value >= Known[p].min && value <= Known[p].max));
            BOOST_TEST((trial.plus[p] > trial.minus[p]) == (trial.steps[p] > 0));
            BOOST_TEST(trial.plus[p] != trial.minus[p]);
        }
        for (std::size_t p = 0; p < sums.size(); ++p)
            sums[p] += (trial.plus[p] + trial.minus[p]) / 2.0;
    }
    BOOST_TEST(std::abs(sums[0] / 4'000 - 50.3) < 0.05);
    BOOST_TEST(std::abs(sums[1] / 4'000 - 4.4) < 0.05);
}

BOOST_AUTO_TEST_CASE(distance_and_step_shrink_to_what_was_asked_for) {
    State state = begin_tuning(plan_of(1'000, 1));
    state.values[0] = 50;
    const Trial first = make_trial(state, 0), last = make_trial(state, 999);
    BOOST_TEST(std::abs(last.plus[0] - last.minus[0]) == 10);
    BOOST_TEST(std::abs(first.plus[0] - first.minus[0]) == 20);  // 5 * 1000^0.101 a side
    BOOST_TEST(std::abs(last.steps[0]) == 0.02 * 5, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(std::abs(first.steps[0]) > std::abs(last.steps[0]));
}

BOOST_AUTO_TEST_CASE(a_tuning_goes_on_as_if_it_had_not_been_stopped) {
    State whole = begin_tuning(plan_of(300, 7));
    go_on(whole, 300);
    State half = begin_tuning(plan_of(300, 7));
    go_on(half, 111);
    const Folder folder;
    const std::string file = (folder / "tuning").string();
    BOOST_TEST_REQUIRE(save(half, file).has_value());
    BOOST_TEST_REQUIRE(save(half, file).has_value());  // over the old one
    Result<State> read = state_from_text(content(file));
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST((*read == half));
    go_on(*read, 300);
    BOOST_TEST((*read == whole));
    BOOST_TEST(!save(half, (folder / "no" / "tuning").string()).has_value());
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_refused) {
    State state = begin_tuning(plan_of(300, 7));
    go_on(state, 20);
    const std::string good = to_text(state);
    BOOST_TEST(state_from_text(good).has_value());
    for (std::size_t length = 0; length < good.size(); ++length)
        BOOST_TEST(!state_from_text(good.substr(0, length)).has_value(), length);
    const std::vector<std::pair<std::string, std::string>> damages{{"spsa 3", "spsa 2"},
                                                                   {"seed 7", "seed -7"},
                                                                   {"nodes 100", "nodes 0"},
                                                                   {"clock inf", "clock 0"},
                                                                   {"pairs 300", "pairs 19"},
                                                                   {"done 20", "done"},
                                                                   {"done 20", "done 2e1"},
                                                                   {"Wide 20 0 100", "Wide 20 0"},
                                                                   {"Wide 20 0 100", "Wide 20 0 5"},
                                                                   {"Small 3 1", "Small 3 1.5"},
                                                                   {"Small 3 1 9", "Small 3 1 nan"},
                                                                   {"end\n", "end\nend\n"}};
    for (const auto& [from, to] : damages) {
        std::string bad = good;
        const std::size_t at = bad.find(from);
        BOOST_TEST_REQUIRE(at != std::string::npos, from);
        const Result<State> read = state_from_text(bad.replace(at, from.size(), to));
        BOOST_TEST(!read.has_value(), to);
        if (!read)
            BOOST_TEST(read.error().what.find('\n') == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(parameters_are_chosen_by_name_or_file) {
    BOOST_TEST((choose_parameters("all", Known).value() == Known));
    BOOST_TEST((choose_parameters("Edge,Wide", Known).value() == std::vector{Known[2], Known[0]}));
    const Folder folder;
    const std::string file = (folder / "wanted").string();
    std::ofstream(file) << "# some\nSmall 0.75 0.01\n\n  Edge   2 # wide\nWide";
    const Result<std::vector<Parameter>> chosen = choose_parameters(file, Known);
    BOOST_TEST_REQUIRE(chosen.has_value());
    BOOST_TEST_REQUIRE(chosen->size() == 3);
    BOOST_TEST((*chosen)[0].c_end == 0.75);
    BOOST_TEST((*chosen)[0].r_end == 0.01);
    BOOST_TEST((*chosen)[1].c_end == 2);
    BOOST_TEST((*chosen)[1].r_end == Known[2].r_end);
    BOOST_TEST(((*chosen)[2] == Known[0]));
    for (const char* wrong : {"",
                              "# none",
                              "Other",
                              "Wide\nWide",
                              "Wide 0",
                              "Wide -1",
                              "Wide 1 x",
                              "Wide 1 1 1",
                              "1"}) {
        std::ofstream(file) << wrong;
        const Result<std::vector<Parameter>> none = choose_parameters(file, Known);
        BOOST_TEST(!none.has_value(), wrong);
        if (!none)
            BOOST_TEST(none.error().what.starts_with(file));
        BOOST_TEST(!choose_parameters(wrong, Known).has_value(), wrong);
    }
}

BOOST_AUTO_TEST_CASE(results_are_lines_for_the_table_of_numbers) {
    State state = begin_tuning(
        {.parameters = {{"Large", 15'000, 5'000, 1'000'000}, {"Below", -100, -1'600, 600}},
         .pairs = 1});
    state.values = {16'007.6, -1'234.5001};
    state.done = 400;  // pairs, half of them drawn
    state.squares = 200;
    state.higher_won = {8, -8};
    BOOST_TEST(results(state) ==
               "TUNABLE(Large, 16'008, 5'000, 1'000'000)  // 15'000; up: +3.5 +- 12.0 Elo\n"
               "TUNABLE(Below, -1'235, -1'600, 600)  // -100; up: -3.5 +- 12.0 Elo\n");
    BOOST_TEST(largest_changes(state, 1) == "Below -100 -> -1234.5");
}

BOOST_AUTO_TEST_CASE(equal_seeds_play_equal_games_that_the_numbers_decide) {
    const Folder folder;
    const std::string wanted = (folder / "wanted").string();
    std::ofstream(wanted) << "QuiesceMargin 100\nFutilityBase 100\nFutilitySlope 100\nSeeQuiet 20\n"
                             "SeeCapture 70\nLmpBase 5\nRfpMargin 50\nRazorMargin 150\n";
    const std::vector<std::string> words{"--params", wanted, "--games", "16", "--nodes", "60"};
    const Run run(folder / "one", words);
    BOOST_TEST(run.code == 0);
    BOOST_TEST_REQUIRE(run.lines.size() >= 10U);  // it begins, reports, eight numbers
    BOOST_TEST(std::count_if(run.lines.begin(), run.lines.end(), [](const std::string& line) {
                   return line.starts_with("TUNABLE(");
               }) == 8);
    BOOST_TEST(run.lines.back().starts_with("TUNABLE(RazorMargin, "));
    // Versions that play alike win one game each from every opening, so no value changes.
    const Result<State> after = state_from_text(content(folder / "one"));
    BOOST_TEST_REQUIRE(after.has_value());
    BOOST_TEST(after->done == 8);
    BOOST_TEST((after->values != begin_tuning(after->plan).values));
    BOOST_TEST(Run(folder / "two", words).code == 0);
    BOOST_TEST(content(folder / "two") == content(folder / "one"));
    // A finished tuning does not change.
    const Run again(folder / "one", words);
    BOOST_TEST(again.code == 0);
    BOOST_TEST(again.lines.back() == run.lines.back());
    BOOST_TEST(content(folder / "two") == content(folder / "one"));
}

BOOST_AUTO_TEST_CASE(a_clock_that_runs_by_nodes_tunes_time_management) {
    const Folder folder;
    const std::string wanted = (folder / "wanted").string();
    std::ofstream(wanted) << "TimeShare 100\n";  // of the limit that is set before the search
    const std::vector<std::string> words{
        "--params", wanted, "--games", "12", "--nodes", "2000", "--clock", "2+0.02"};
    BOOST_TEST(Run(folder / "one", words).code == 0);
    const Result<State> after = state_from_text(content(folder / "one"));
    BOOST_TEST_REQUIRE(after.has_value());
    BOOST_TEST(after->done == 6);
    BOOST_TEST((after->values != begin_tuning(after->plan).values));
    BOOST_TEST(Run(folder / "two", words).code == 0);
    BOOST_TEST(content(folder / "two") == content(folder / "one"));
    // Without a clock they decide nothing, and are refused.
    BOOST_TEST(Run(folder / "three", {"--params", "TimeShare", "--games", "2"}).code == 2);
    BOOST_TEST(Run(folder / "four", {"--clock", "2+"}).code == 2);
}

BOOST_AUTO_TEST_CASE(an_interrupted_tuning_ends_as_one_that_was_not) {
    const Folder folder;
    std::vector<std::string> words{NUTCRACKER_SPSA, "--out", (folder / "cut").string()};
    words.insert(words.end(), Quick.begin(), Quick.end());
    Child child(words, true);
    BOOST_TEST(child.line());  // it has begun
    child.interrupt();
    const int status = child.status();
    const Result<State> cut = state_from_text(content(folder / "cut"));
    BOOST_TEST_REQUIRE(cut.has_value());
    BOOST_TEST(status == (cut->done < cut->plan.pairs ? 1 : 0));
    BOOST_TEST(Run(folder / "cut", Quick).code == 0);
    BOOST_TEST(Run(folder / "whole", Quick).code == 0);
    BOOST_TEST(content(folder / "cut") == content(folder / "whole"));
}

BOOST_AUTO_TEST_CASE(a_tuning_is_played_by_one_program_at_a_time) {
    using engine::platform::File;
    const Folder folder;
    const std::filesystem::path lock = folder / "tuning.lock";
    {
        const File other(lock, File::Mode::Create);
        BOOST_TEST_REQUIRE(other.try_lock());
        const Run run(folder / "tuning", Quick);
        BOOST_TEST(run.code == 2);
        BOOST_TEST_REQUIRE(run.lines.size() == 1U);
        BOOST_TEST(run.lines[0].find("is in use") != std::string::npos);
        BOOST_TEST(!std::filesystem::exists(folder / "tuning"));
    }
    BOOST_TEST(Run(folder / "tuning", Quick).code == 0);  // a lock left behind is no lock
    BOOST_TEST(!std::filesystem::exists(lock));
}

BOOST_AUTO_TEST_CASE(several_threads_play_all_pairs) {
    const Folder folder;
    std::vector<std::string> words = Quick;
    words.insert(words.end(), {"--threads", "3"});
    BOOST_TEST(Run(folder / "tuning", words).code == 0);
    const Result<State> after = state_from_text(content(folder / "tuning"));
    BOOST_TEST_REQUIRE(after.has_value());
    BOOST_TEST(after->done == 4);
}

BOOST_AUTO_TEST_CASE(wrong_use_gets_one_line_and_changes_nothing) {
    const Folder folder;
    const std::filesystem::path file = folder / "tuning";
    const auto complaint = [&](const std::vector<std::string>& words) {
        const Run run(file, words);
        BOOST_TEST(run.code == 2);
        BOOST_TEST(run.lines.size() == 1U);
        return run.lines.empty() ? "" : run.lines[0];
    };
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--games", "3"},
                                                  {"--games", "0"},
                                                  {"--nodes", "0"},
                                                  {"--nodes", "-1"},
                                                  {"--threads", "0"},
                                                  {"--r-end", "nan"},
                                                  {"--params", "TimeNodeBase"},
                                                  {"--what"}}) {
        complaint(wrong);
        BOOST_TEST(!std::filesystem::exists(file));
    }
    State other = begin_tuning(plan_of(4, 1));
    for (const std::string& text : {to_text(other), std::string("games of chess\n")}) {
        std::ofstream(file) << text;
        BOOST_TEST(complaint(Quick).find(file.string()) != std::string::npos);
        BOOST_TEST(content(file) == text);
    }
    BOOST_TEST(Run(folder / "no" / "tuning", Quick).code == 2);
    BOOST_TEST(Run("/dev/null", Quick).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()

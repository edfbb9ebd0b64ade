#include "tools/match/match_options.h"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

Words with_engines(Words more) {
    Words words{"--engine", "cmd=a", "--engine", "cmd=b", "--each", "tc=1+0.01"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(match_options)

BOOST_AUTO_TEST_CASE(engines_keep_their_words_apart) {
    const auto options = tools::match::parse_match_options({"--each",
                                                            "tc=40/1:00",
                                                            "memory=32",
                                                            "--engine",
                                                            "cmd=one -x 'a b'",
                                                            "name=One",
                                                            "restart",
                                                            "option.Own Book=false",
                                                            "option.Clear",
                                                            "--engine",
                                                            "cmd=two",
                                                            "proto=uci",
                                                            "st=0.2",
                                                            "init=book off",
                                                            "whitepov"});
    BOOST_REQUIRE(options.has_value());
    const auto& engines = options->plan.engines;
    BOOST_REQUIRE(engines.size() == 2);
    BOOST_CHECK((engines[0].command.words == Words{"one", "-x", "a b"}));
    BOOST_TEST(engines[0].name == "One");
    BOOST_TEST(engines[0].restart);
    BOOST_TEST(engines[0].options.size() == 2);
    BOOST_TEST(engines[0].options[0].first == "Own Book");
    BOOST_TEST(engines[0].options[0].second.value() == "false");
    BOOST_TEST(!engines[0].options[1].second.has_value());
    BOOST_TEST(engines[0].time.moves == 40);
    BOOST_TEST(engines[1].memory_mib.value() == 32);
    BOOST_CHECK(engines[1].protocol == tools::match::Protocol::Uci);
    BOOST_CHECK(engines[1].time.move_time == 200ms);
    BOOST_CHECK(engines[1].init == Words{"book off"});
    BOOST_TEST(engines[1].white_view);
    BOOST_TEST(!engines[1].restart);
}

BOOST_AUTO_TEST_CASE(a_clock_of_its_own_replaces_the_common_exact_time) {
    const auto options = tools::match::parse_match_options(
        {"--each", "st=1", "--engine", "cmd=a", "tc=5+0.1", "--engine", "cmd=b"});
    BOOST_REQUIRE(options.has_value());
    BOOST_TEST(!options->plan.engines[0].time.move_time.has_value());
    BOOST_CHECK(options->plan.engines[0].time.base == 5s);
    BOOST_CHECK(options->plan.engines[1].time.move_time == 1s);
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_a_clock_that_is_replaced) {
    const auto time_of = [](const Words& words) {
        Words all{"cmd=a"};
        all.insert(all.end(), words.begin(), words.end());
        const auto spec = tools::match::parse_engine(all);
        BOOST_REQUIRE(spec.has_value());
        return spec->time;
    };
    const tools::match::TimeControl exact = time_of({"tc=40/60+1", "st=2"});
    BOOST_TEST(exact.moves == 0);
    BOOST_TEST(!exact.has_clock());
    BOOST_CHECK(exact.increment == 0ms);
    BOOST_CHECK(exact.tolerance() == 100ms);
    const tools::match::TimeControl clock = time_of({"st=2", "tc=60"});
    BOOST_TEST(!clock.move_time.has_value());
    BOOST_CHECK(clock.tolerance() == 0ms);
    BOOST_CHECK(time_of({"st=2", "margin=0"}).tolerance() == 0ms);
    BOOST_CHECK(time_of({"margin=0", "st=2"}).tolerance() == 0ms);
    BOOST_CHECK(time_of({"st=2", "tc=60", "margin=30"}).tolerance() == 30ms);
}

BOOST_AUTO_TEST_CASE(rules_and_test_are_read) {
    const auto options =
        tools::match::parse_match_options(with_engines({"--games",
                                                        "100",
                                                        "--sprt",
                                                        "elo0=-5",
                                                        "elo1=5",
                                                        "alpha=0.1",
                                                        "--draw",
                                                        "movenumber=34 movecount=6",
                                                        "--resign",
                                                        "score=450",
                                                        "--max-moves",
                                                        "200",
                                                        "--strict",
                                                        "first"}));
    BOOST_REQUIRE(options.has_value());
    BOOST_TEST(options->test.value().elo0 == -5);
    BOOST_TEST(options->test.value().alpha == 0.1);
    BOOST_TEST(options->test.value().beta == 0.05);
    BOOST_TEST(options->plan.rules.draw_from_move == 34);
    BOOST_TEST(options->plan.rules.draw_moves == 6);
    BOOST_TEST(options->plan.rules.resign_moves == 4);
    BOOST_TEST(options->plan.rules.resign_score == 450);
    BOOST_TEST(options->plan.rules.max_moves == 200);
    BOOST_TEST(options->strict_first);
    BOOST_TEST(!options->strict);
}

BOOST_AUTO_TEST_CASE(watching_means_one_game) {
    const auto options = tools::match::parse_match_options(with_engines({"--watch"}));
    BOOST_REQUIRE(options.has_value());
    BOOST_CHECK(options->watch == tools::match::WatchMode::Auto);
    BOOST_TEST(options->plan.games == 1);
    BOOST_TEST(options->plan.concurrency == 1);
}

BOOST_AUTO_TEST_CASE(wrong_use_is_refused) {
    const std::vector<Words> cases{{},
                                   {"--engine", "cmd=a", "tc=1"},
                                   {"--engine", "cmd=a", "--engine", "cmd=b"},
                                   {"--engine", "name=a", "tc=1", "--engine", "cmd=b", "tc=1"},
                                   with_engines({"--each", "tc=x"}),
                                   with_engines({"--each", "speed=9"}),
                                   with_engines({"--each", "proto=winboard"}),
                                   with_engines({"--each", "memory=0"}),
                                   with_engines({"--each", "tc=1", "nodes=9", "proto=xboard"}),
                                   with_engines({"--each", "st=1", "nodes=9", "proto=xboard"}),
                                   with_engines({"--each", "restart=maybe"}),
                                   with_engines({"--seed", "-1"}),
                                   with_engines({"--games", "0"}),
                                   with_engines({"--games", "many"}),
                                   with_engines({"--sprt", "elo0=5", "elo1=0"}),
                                   with_engines({"--sprt", "alpha=0.7"}),
                                   with_engines({"--sprt", "elo1=inf"}),
                                   with_engines({"--draw", "often"}),
                                   with_engines({"--draw", "movecount=-1"}),
                                   with_engines({"--resign", "score=1e300"}),
                                   with_engines({"--stall-s", "-1"}),
                                   with_engines({"--nonsense"}),
                                   with_engines({"--watch=loudly"}),
                                   with_engines({"--watch", "--concurrency", "2"}),
                                   with_engines({"--random-plies", "4", "--openings", "x.epd"}),
                                   with_engines({"--engine", "cmd='c"}),
                                   with_engines({"--engine", "cmd=c", "--sprt", "elo1=5"})};
    for (const Words& words : cases)
        BOOST_TEST(!tools::match::parse_match_options(words).has_value(),
                   (words.empty() ? "nothing" : words.back()));
}

BOOST_AUTO_TEST_CASE(a_bad_value_is_explained) {
    const auto complaint = [](const std::string& word) {
        return tools::match::parse_match_options(with_engines({"--each", word})).error().what;
    };
    const std::string bad_clock = "bad time control (10+0.1, 40/1:00 or inf): ";
    BOOST_TEST(complaint("tc=0") == bad_clock + "0");
    BOOST_TEST(complaint("tc=x") == bad_clock + "x");
    BOOST_TEST(complaint("tc=x memory=16") == bad_clock + "x");
    BOOST_TEST(complaint("tc=0/60") == "bad number of moves in the time control: 0/60");
    BOOST_TEST(complaint("st=0") == "bad time for a move (0.5, 10 or 1:00): 0");
    BOOST_TEST(complaint("cmd='a b") == "unclosed quote in: 'a b");
    BOOST_TEST(complaint("cmd=") == "no command after cmd=");
    BOOST_TEST(complaint("memory=0") == "not understood: memory=0");
    BOOST_TEST(complaint("toga2") == "not understood: toga2; try cmd=toga2");
    BOOST_TEST(complaint("toga2 -x") == "not understood: toga2 -x; try cmd=toga2 -x");
}

BOOST_AUTO_TEST_CASE(help_explains_and_stops) {
    const auto options = tools::match::parse_match_options({"--help"});
    BOOST_REQUIRE(options.has_value());
    BOOST_TEST(options->help.find("--concurrency") != std::string::npos);
    BOOST_TEST(options->help.find("option.NAME=VALUE") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

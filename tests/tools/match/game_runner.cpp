// Games of engines that misbehave. fake_engine.cpp plays the given moves, then misbehaves.
#include "tools/match/game_runner.h"

#include "engine/board/notation.h"
#include "engine/platform/program.h"
#include "tests/system.h"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using tools::Outcome;
using tools::match::Ending;

namespace {

using Words = std::vector<std::string>;

struct Player {
    std::string protocol, behaviour;
    Words moves;
    std::string time = "inf";
    tools::milliseconds patience = 15s;  // long enough for a busy machine
};

tools::match::EngineSpec spec_of(const Player& player) {
    tools::match::EngineSpec spec;
    spec.protocol =
        player.protocol == "uci" ? tools::match::Protocol::Uci : tools::match::Protocol::Xboard;
    spec.command.words = {FAKE_ENGINE, player.protocol, player.behaviour};
    spec.command.words.insert(spec.command.words.end(), player.moves.begin(), player.moves.end());
    spec.time = *tools::match::parse_time_control(player.time);
    spec.patience = player.patience;
    return spec;
}

// Writing to an engine that has ended must be an error and not kill the test.
struct NoBrokenPipes {
    NoBrokenPipes() { engine::platform::ignore_broken_pipes(); }
};

class Table {
  public:
    Table(const Player& white, const Player& black) : engines_{seat(white), seat(black)} {}

    tools::match::PlayedGame play(const tools::match::Rules& rules = {},
                                  const tools::Opening& opening = {}) {
        return tools::match::play_game(
            {engines_[0].get(), engines_[1].get()}, opening, rules, nullptr, {});
    }
    tools::match::Driver& engine(engine::Color c) { return *engines_[c]; }

  private:
    static std::unique_ptr<tools::match::Driver> seat(const Player& player) {
        auto driver = tools::match::Driver::start(spec_of(player), nullptr, nullptr);
        BOOST_REQUIRE(driver.has_value());
        BOOST_REQUIRE((*driver)->handshake().has_value());
        return std::move(*driver);
    }
    std::array<std::unique_ptr<tools::match::Driver>, 2> engines_;
};

const Words MatingMoves{"e2e4", "d1h5", "f1c4", "h5f7"};
const Words MatedMoves{"e7e5", "b8c6", "g8f6"};
const char* const AfterE4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const Words WhiteShuffle{"g1f3", "f3g1", "g1f3", "f3g1", "g1f3"};
const Words BlackShuffle{"g8f6", "f6g8", "g8f6", "f6g8", "g8f6"};

// A game of an engine with this behaviour, which begins after 1. e4 e5; it plays Black in
// `protocol`.
tools::match::PlayedGame behaving(const std::string& protocol,
                                  const std::string& behaviour,
                                  const std::string& time = "inf",
                                  const tools::match::Rules& rules = {},
                                  tools::milliseconds patience = 15s) {
    Table table({"cecp", "hang", {"e2e4", "g1f3", "f1c4", "d2d3", "c2c3"}, "inf"},
                {protocol, behaviour, {"e7e5"}, time, patience});
    return table.play(rules);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(game_runner, NoBrokenPipes)

BOOST_AUTO_TEST_CASE(a_mate_ends_the_game_in_every_mix_of_protocols) {
    for (const char* white : {"cecp", "uci"})
        for (const char* black : {"cecp", "uci"}) {
            Table table({white, "hang", MatingMoves}, {black, "hang", MatedMoves});
            const tools::match::PlayedGame record = table.play();
            BOOST_CHECK(record.outcome == Outcome::WhiteWins);
            BOOST_CHECK(record.ending == Ending::Checkmate);
            BOOST_TEST(record.reason == "White mates");
            BOOST_REQUIRE(record.moves.size() == 7);
            BOOST_TEST(record.moves.back().san == "Qxf7#");
            BOOST_TEST(record.moves.front().thinking.depth == 7);
            BOOST_TEST(record.moves.front().thinking.score == 35);
            BOOST_TEST(!record.broke_down[0]);
            BOOST_TEST(!record.broke_down[1]);
        }
}

BOOST_AUTO_TEST_CASE(engines_play_a_second_game) {
    Table table({"cecp", "hang", MatingMoves}, {"uci", "hang", MatedMoves});
    for (int i = 0; i < 3; ++i)
        BOOST_CHECK(table.play().ending == Ending::Checkmate);
}

BOOST_AUTO_TEST_CASE(names_come_from_the_engines) {
    Table table({"cecp", "hang", MatingMoves}, {"uci", "hang", MatedMoves});
    const tools::match::PlayedGame record = table.play();
    BOOST_TEST(record.names[0] == "Fake (CECP)");
    BOOST_TEST(record.names[1] == "Fake (UCI)");
}

BOOST_AUTO_TEST_CASE(the_third_repetition_is_a_draw) {
    Table table({"cecp", "hang", WhiteShuffle}, {"uci", "hang", BlackShuffle});
    const tools::match::PlayedGame record = table.play();
    BOOST_CHECK(record.outcome == Outcome::Draw);
    BOOST_CHECK(record.ending == Ending::Repetition);
    BOOST_TEST(record.moves.size() == 8);
}

BOOST_AUTO_TEST_CASE(openings_are_played_before_the_engines_move) {
    tools::Opening opening;
    for (const char* text : {"e2e4", "e7e5"}) {
        engine::Position pos = opening.start;
        for (const engine::Move m : opening.moves)
            pos.make(m);
        opening.moves.push_back(*engine::parse_move(pos, text));
    }
    Table table({"cecp", "hang", {"d1h5", "f1c4", "h5f7"}}, {"uci", "hang", {"b8c6", "g8f6"}});
    const tools::match::PlayedGame record = table.play({}, opening);
    BOOST_CHECK(record.ending == Ending::Checkmate);
    BOOST_TEST(record.moves[1].opening);
    BOOST_TEST(!record.moves[2].opening);
}

BOOST_AUTO_TEST_CASE(a_position_with_black_to_move_starts_with_black) {
    const tools::Opening opening{
        *engine::Position::from_fen(
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"),
        {}};
    Table table({"uci", "hang", {}}, {"cecp", "hang", {"d8h4"}});
    const tools::match::PlayedGame record = table.play({}, opening);
    BOOST_CHECK(record.outcome == Outcome::BlackWins);
    BOOST_CHECK(record.ending == Ending::Checkmate);
}

BOOST_AUTO_TEST_CASE(a_crash_loses) {
    for (const char* protocol : {"cecp", "uci"}) {
        const tools::match::PlayedGame record = behaving(protocol, "crash");
        BOOST_CHECK(record.outcome == Outcome::WhiteWins);
        BOOST_CHECK(record.ending == Ending::Crash);
        BOOST_TEST(record.reason == "Black crashes (exit status 3)");
        BOOST_TEST(record.moves.size() == 3);
        BOOST_TEST(!record.broke_down[engine::Black]);
    }
}

BOOST_AUTO_TEST_CASE(illegal_and_unreadable_moves_lose) {
    for (const char* protocol : {"cecp", "uci"})
        for (const char* behaviour : {"illegal", "nonsense"}) {
            const tools::match::PlayedGame record = behaving(protocol, behaviour);
            BOOST_CHECK(record.outcome == Outcome::WhiteWins);
            BOOST_CHECK(record.ending == Ending::IllegalMove);
        }
    const tools::match::PlayedGame record = behaving("cecp", "garbage");
    BOOST_CHECK(record.ending == Ending::IllegalMove);
    BOOST_TEST(record.reason.find_first_of("{}\033") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_flag_falls_on_the_silent) {
    for (const char* protocol : {"cecp", "uci"}) {
        const tools::match::PlayedGame record = behaving(protocol, "hang", "0.05");
        BOOST_CHECK(record.outcome == Outcome::WhiteWins);
        BOOST_CHECK(record.ending == Ending::TimeForfeit);
        BOOST_TEST(!record.broke_down[engine::Black]);
    }
}

BOOST_AUTO_TEST_CASE(without_a_clock_silence_is_a_stall) {
    tools::match::Rules rules;
    rules.stall = 50ms;
    BOOST_CHECK(behaving("cecp", "hang", "inf", rules).ending == Ending::Stall);
}

BOOST_AUTO_TEST_CASE(an_engine_that_stops_reading_breaks_down) {
    const tools::match::PlayedGame record = behaving("cecp", "deaf", "0.05", {}, 2s);
    BOOST_CHECK(record.ending == Ending::TimeForfeit);
    BOOST_TEST(record.broke_down[engine::Black]);
    BOOST_TEST(!record.broke_down[engine::White]);
}

BOOST_AUTO_TEST_CASE(a_flood_of_words_does_not_hold_up_the_clock) {
    BOOST_CHECK(behaving("cecp", "flood", "0.05").ending == Ending::TimeForfeit);
}

BOOST_AUTO_TEST_CASE(resignation_is_taken_in_both_forms) {
    BOOST_CHECK(behaving("cecp", "resign").ending == Ending::Resignation);
    BOOST_CHECK(behaving("cecp", "resign").outcome == Outcome::WhiteWins);
    // Claiming the opponent's win means resigning.
    BOOST_CHECK(behaving("cecp", "lose").ending == Ending::Resignation);
}

BOOST_AUTO_TEST_CASE(what_comes_with_a_move_is_not_kept_waiting) {
    tools::match::Rules rules;
    rules.stall = 5s;
    Table table({"cecp", "hasty", {"e2e4"}}, {"cecp", "hang", {}});
    const tools::match::PlayedGame record = table.play(rules);
    BOOST_CHECK(record.outcome == Outcome::BlackWins);
    BOOST_CHECK(record.ending == Ending::Resignation);
}

BOOST_AUTO_TEST_CASE(an_old_score_is_not_that_of_the_next_move) {
    Table table({"cecp", "afterthought", MatingMoves}, {"cecp", "hang", MatedMoves});
    const tools::match::PlayedGame record = table.play();
    BOOST_CHECK(record.ending == Ending::Checkmate);
    for (std::size_t i = 0; i < record.moves.size(); ++i)
        BOOST_TEST(record.moves[i].thinking.depth == (i % 2 == 0 ? 0 : 7));
}

BOOST_AUTO_TEST_CASE(an_engine_that_refuses_the_opening_loses) {
    const engine::Position pos = *engine::Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    const engine::Move push = *engine::parse_move(engine::Position(), "e2e4");
    const engine::Move reply = *engine::parse_move(*engine::Position::from_fen(AfterE4), "e7e5");
    for (const tools::Opening& opening :
         {tools::Opening{pos, {}}, tools::Opening{engine::Position(), {push, reply}}}) {
        Table table({"cecp", "hang", {}}, {"cecp", "refuse", {}});
        const tools::match::PlayedGame record = table.play({}, opening);
        BOOST_CHECK(record.outcome == Outcome::WhiteWins);
        BOOST_CHECK(record.ending == Ending::IllegalMove);
        BOOST_TEST(record.reason.starts_with("Black refuses the opening: "), record.reason);
        BOOST_TEST(!record.broke_down[engine::Black]);
    }
}

BOOST_AUTO_TEST_CASE(a_false_claim_loses) {
    const tools::match::PlayedGame record = behaving("cecp", "claim");
    BOOST_CHECK(record.outcome == Outcome::WhiteWins);
    BOOST_CHECK(record.ending == Ending::FalseClaim);
}

BOOST_AUTO_TEST_CASE(a_draw_is_agreed_when_the_offer_is_taken) {
    Table table({"cecp", "offer", {"e2e4", "g1f3"}}, {"cecp", "accept", {"e7e5"}});
    const tools::match::PlayedGame record = table.play();
    BOOST_CHECK(record.outcome == Outcome::Draw);
    BOOST_CHECK(record.ending == Ending::Agreement);
}

BOOST_AUTO_TEST_CASE(an_offer_that_is_not_taken_changes_nothing) {
    Table table({"cecp", "offer", MatingMoves}, {"cecp", "hang", MatedMoves});
    BOOST_CHECK(table.play().ending == Ending::Checkmate);
}

BOOST_AUTO_TEST_CASE(the_arbiter_ends_long_games) {
    tools::match::Rules rules;
    rules.max_moves = 2;
    Table table({"cecp", "hang", MatingMoves}, {"cecp", "hang", MatedMoves});
    const tools::match::PlayedGame record = table.play(rules);
    BOOST_CHECK(record.outcome == Outcome::Draw);
    BOOST_CHECK(record.ending == Ending::MoveLimit);
    BOOST_TEST(record.moves.size() == 4);
}

BOOST_AUTO_TEST_CASE(every_move_is_shown) {
    const auto white =
        tools::match::Driver::start(spec_of({"cecp", "hang", MatingMoves}), nullptr, nullptr);
    const auto black =
        tools::match::Driver::start(spec_of({"uci", "hang", MatedMoves}), nullptr, nullptr);
    BOOST_REQUIRE((*white)->handshake().has_value());
    BOOST_REQUIRE((*black)->handshake().has_value());
    Words seen;
    tools::match::play_game(
        {white->get(), black->get()}, {}, {}, nullptr, [&](const tools::match::View& view) {
            seen.push_back(view.record.moves.back().san);
        });
    BOOST_CHECK((seen == Words{"e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"}));
}

BOOST_AUTO_TEST_CASE(a_refused_option_is_a_warning) {
    for (const auto protocol : {tools::match::Protocol::Xboard, tools::match::Protocol::Uci})
        for (const char* file : {"nowhere.net", "-"}) {
            tools::match::EngineSpec spec;
            spec.protocol = protocol;
            spec.command.words = {NUTCRACKER_BINARY, "--no-book"};
            spec.memory_mib = 1;
            spec.options = {{"EvalFile", file}};
            const auto driver = tools::match::Driver::start(spec, nullptr, nullptr);
            BOOST_REQUIRE(driver.has_value());
            BOOST_REQUIRE((*driver)->handshake().has_value());
            const Words& warnings = (*driver)->warnings();
            const bool refused = file[0] != '-';
            BOOST_REQUIRE(warnings.size() == (refused ? 1 : 0));
            BOOST_TEST((!refused || warnings[0].find("cannot read") != std::string::npos));
        }
}

BOOST_AUTO_TEST_CASE(what_cannot_start_says_so) {
    tools::match::EngineSpec spec;
    spec.command.words = {"/nowhere/engine"};
    const auto driver = tools::match::Driver::start(spec, nullptr, nullptr);
    if (test_system::is_emulated())
        return;
    BOOST_REQUIRE(!driver.has_value());
    BOOST_TEST(driver.error().what.starts_with("cannot start /nowhere/engine"));
}

BOOST_AUTO_TEST_CASE(a_program_that_is_no_engine_is_noticed) {
    tools::match::EngineSpec spec;
    spec.patience = 200ms;
    spec.protocol = tools::match::Protocol::Uci;
    spec.command.words = {FAKE_ENGINE, "uci", "echo"};
    const auto silent = tools::match::Driver::start(spec, nullptr, nullptr);
    BOOST_REQUIRE(silent.has_value());
    BOOST_CHECK((*silent)->handshake().error().kind == Ending::Stall);
    spec.patience = 15s;
    spec.command.words = {FAKE_ENGINE, "uci", "absent"};
    const auto gone = tools::match::Driver::start(spec, nullptr, nullptr);
    BOOST_REQUIRE(gone.has_value());
    BOOST_CHECK((*gone)->handshake().error().kind == Ending::Crash);
}

BOOST_AUTO_TEST_SUITE_END()

#include "tools/match/played_game.h"

#include "engine/board/notation.h"
#include "tools/common/openings.h"
#include "tools/common/pgn_text.h"

#include <sstream>

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

namespace {

tools::match::PlayedGame scholars_mate() {
    tools::match::PlayedGame record;
    record.names = {"White \"A\"", "Black\\B"};
    record.time_controls = {"40/60", "40/60"};
    record.date = "2024.01.31";
    record.round = 3;
    record.outcome = tools::Outcome::WhiteWins;
    record.ending = tools::match::Ending::Checkmate;
    record.reason = "White mates";
    engine::Position pos;
    for (const char* text : {"e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"}) {
        const engine::Move m = *engine::parse_move(pos, text);
        tools::match::PlayedMove played;
        played.move = m;
        played.san = engine::to_san(pos, m);
        played.opening = record.moves.size() < 2;
        played.spent = 1250ms;
        if (record.moves.size() % 2 == 0)
            played.thinking = {12, 35, "e4"};
        record.moves.push_back(played);
        pos.make(m);
    }
    record.moves.back().thinking.score = tools::match::MateBase - 1;
    return record;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(played_game)

BOOST_AUTO_TEST_CASE(tags_moves_and_comments_are_there) {
    const std::string text = tools::match::to_pgn(scholars_mate());
    BOOST_TEST(contains(text, "[Date \"2024.01.31\"]\n[Round \"3\"]\n"));
    BOOST_TEST(contains(text, "[White \"White \\\"A\\\"\"]\n[Black \"Black\\\\B\"]\n"));
    BOOST_TEST(contains(text, "[Result \"1-0\"]\n"));
    BOOST_TEST(contains(text, "[Termination \"normal\"]\n[TimeControl \"40/60\"]\n"));
    BOOST_TEST(
        contains(text, "1. e4 {book} 1... e5 {book} 2. Bc4 {+0.35/12 1.25s} 2... Nc6 {1.25s} 3."));
    BOOST_TEST(contains(text, "{+M1/12 1.25s} {White mates} 1-0\n\n"));
    BOOST_TEST(!contains(text, "[FEN"));
}

BOOST_AUTO_TEST_CASE(no_line_is_too_long) {
    tools::Movetext text;
    std::string words;
    for (std::size_t length = 1; length < 80; ++length) {
        text.add(std::string(length, 'x'));
        words += std::string(length, 'x') + ' ';
    }
    std::istringstream lines(text.text());
    std::string read;
    for (std::string line; std::getline(lines, line) && !line.empty(); read += line + ' ')
        BOOST_TEST(line.size() < 80);
    BOOST_TEST(read == words);
}

BOOST_AUTO_TEST_CASE(what_is_written_can_be_read) {
    const tools::match::PlayedGame record = scholars_mate();
    const auto games =
        tools::parse_pgn(tools::match::to_pgn(record) + tools::match::to_pgn(record), 0);
    BOOST_REQUIRE(games.has_value());
    BOOST_REQUIRE(games->size() == 2);
    for (const tools::Opening& game : *games) {
        BOOST_REQUIRE(game.moves.size() == record.moves.size());
        for (std::size_t i = 0; i < game.moves.size(); ++i)
            BOOST_CHECK(game.moves[i] == record.moves[i].move);
    }
}

BOOST_AUTO_TEST_CASE(a_start_with_black_to_move_is_numbered_rightly) {
    tools::match::PlayedGame record;
    record.start = *engine::Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 5 40");
    record.names = {"a", "b"};
    record.time_controls = {"10+0.1", "5+0.05"};
    const engine::Move m = *engine::parse_move(record.start, "Kd7");
    record.moves.push_back({m, "Kd7", {}, 0ms, false});
    record.outcome = tools::Outcome::BlackWins;
    record.ending = tools::match::Ending::TimeForfeit;
    const std::string text = tools::match::to_pgn(record);
    BOOST_TEST(contains(text, "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n"));
    BOOST_TEST(contains(text, "[Termination \"time forfeit\"]\n"));
    BOOST_TEST(contains(text, "[WhiteTimeControl \"10+0.1\"]\n[BlackTimeControl \"5+0.05\"]\n"));
    BOOST_TEST(contains(text, "\n40... Kd7 {0s} 0-1\n"));
}

BOOST_AUTO_TEST_SUITE_END()

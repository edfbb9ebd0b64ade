#include "protocol/game/thinking.h"

#include "engine/board/movegen.h"
#include "engine/board/notation.h"

#include <boost/test/unit_test.hpp>

using namespace protocol;
using std::chrono::milliseconds;

namespace {

struct Screen {
    std::vector<std::string> lines;
    Output out{[this](std::string_view line) {
        lines.emplace_back(line.substr(0, line.size() - 1));
        return true;
    }};
    Thinking thinking{out};
    Time start = engine::Clock::now();

    Screen() {
        thinking.post(true);
        thinking.begin(engine::Position());
    }
    void add(int depth, int ms, const char* move, int line = 1) {
        engine::SearchInfo info{};
        info.line = line;
        info.depth = depth;
        info.bound = engine::Bound::Exact;
        info.spent = milliseconds(ms);
        info.pv = {*engine::parse_move(engine::Position(), move)};
        thinking.add(info, start + milliseconds(ms));
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(thinking)

BOOST_AUTO_TEST_CASE(mate_scores_count_moves_from_100000) {
    BOOST_TEST(xboard_score(-35) == -35);
    BOOST_TEST(xboard_score(engine::mate_in(1)) == 100'001);
    BOOST_TEST(xboard_score(engine::mate_in(3)) == 100'002);
    BOOST_TEST(xboard_score(engine::mated_in(0)) == -100'000);
    BOOST_TEST(xboard_score(engine::mated_in(2)) == -100'001);
    BOOST_TEST(xboard_score(engine::mated_in(6)) == -100'003);
}

BOOST_AUTO_TEST_CASE(a_flood_of_lines_is_thinned_and_the_last_comes_with_the_move) {
    Screen screen;
    for (int depth = 1; depth <= 10; ++depth)
        screen.add(depth, depth, "e2e4");
    BOOST_TEST(screen.lines.size() == 1U);
    engine::SearchResult result;
    result.best = *engine::parse_move(engine::Position(), "e2e4");
    result.depth = 10;
    screen.thinking.finish(result, screen.start + milliseconds(11));
    BOOST_TEST_REQUIRE(screen.lines.size() == 2U);
    BOOST_TEST(screen.lines[1] == "10 0 1 0 e4");
}

BOOST_AUTO_TEST_CASE(lines_far_enough_apart_are_all_shown) {
    Screen screen;
    for (int depth = 1; depth <= 10; ++depth)
        screen.add(depth, 100 * depth, "e2e4");
    BOOST_TEST(screen.lines.size() == 10U);
    BOOST_TEST(screen.lines[9] == "10 0 100 0 e4");
}

BOOST_AUTO_TEST_CASE(a_bound_of_their_score_is_the_opposite_bound_of_ours) {
    Screen screen;
    screen.thinking.begin_pondering(engine::Position(), engine::Move());
    engine::SearchInfo info{};
    info.depth = 7;
    info.score = 80;
    info.bound = engine::Bound::Lower;
    info.pv = {*engine::parse_move(engine::Position(), "e2e4")};
    screen.thinking.add(info, screen.start + milliseconds(500));
    BOOST_TEST_REQUIRE(screen.lines.size() == 1U);
    BOOST_TEST(screen.lines[0] == "7 -80 0 0 e4?");
}

BOOST_AUTO_TEST_CASE(a_line_stays_within_the_clients_buffer) {
    engine::Position pos;
    std::vector<engine::Move> line;
    for (int i = 0; i < 60; ++i)
        for (const char* const move : {"g1f3", "g8f6", "f3g1", "f6g8"}) {
            line.push_back(*engine::parse_move(pos, move));
            pos.make(line.back());
        }
    const std::string text = line_text(engine::Position(), line, 400);
    BOOST_TEST(text.size() <= 400U);
    BOOST_TEST(text.size() > 380U);
    BOOST_TEST(text.starts_with("Nf3 Nf6 Ng1 Ng8 Nf3"));
}

BOOST_AUTO_TEST_CASE(a_line_stops_at_a_move_that_is_not_legal) {
    const engine::Move e4 = *engine::parse_move(engine::Position(), "e2e4");
    BOOST_TEST(line_text(engine::Position(), {e4, e4}, 400) == "e4");
}

BOOST_AUTO_TEST_CASE(hits_in_endgame_tables_come_with_depth_and_speed_before_a_tab) {
    Screen screen;
    engine::SearchInfo info{};
    info.depth = 5;
    info.seldepth = 9;
    info.bound = engine::Bound::Exact;
    info.spent = milliseconds(100);
    info.nodes = 1'000;
    info.tbhits = 7;
    info.pv = {*engine::parse_move(engine::Position(), "e2e4")};
    screen.thinking.add(info, screen.start);
    BOOST_TEST(screen.lines.at(0) == "5 0 10 1000 9 10000 7\te4");
}

BOOST_AUTO_TEST_CASE(the_books_expected_score_is_printed_in_centipawns) {
    Screen screen;
    const engine::Move move = *engine::parse_move(engine::Position(), "e2e4");
    screen.thinking.book_move(move, "e4", 0.5);
    screen.thinking.book_move(move, "d4", 0.64);
    screen.thinking.book_move(move, "c4", 0.0);
    BOOST_TEST(screen.lines[0] == "0 0 0 0 (e4)");
    BOOST_TEST(screen.lines[1] == "0 100 0 0 (d4)");
    BOOST_TEST(screen.lines[2] == "0 -798 0 0 (c4)");
}

BOOST_AUTO_TEST_CASE(lines_of_one_depth_are_shown_together) {
    Screen screen;
    screen.add(1, 0, "e2e4", 1);
    screen.add(1, 0, "d2d4", 2);
    BOOST_TEST_REQUIRE(screen.lines.size() == 2U);
    for (const int depth : {2, 3}) {  // too soon; those of depth 3 replace those of depth 2
        screen.add(depth, depth, "d2d4", 1);
        screen.add(depth, depth, "c2c4", 2);
    }
    BOOST_TEST(screen.lines.size() == 2U);
    screen.thinking.print_due(screen.start + milliseconds(500));
    BOOST_TEST_REQUIRE(screen.lines.size() == 4U);
    BOOST_TEST(screen.lines[2] == "3 0 0 0 d4");
    BOOST_TEST(screen.lines[3] == "3 0 0 0 c4");
    screen.add(4, 501, "c2c4", 1);
    screen.thinking.halt();
    BOOST_TEST(!screen.thinking.alarm().has_value());
}

BOOST_AUTO_TEST_CASE(the_last_line_has_all_nodes_where_they_stand_for_time) {
    Screen screen;
    screen.thinking.count_nodes(1'000);
    engine::SearchInfo info{};
    info.depth = 7;
    info.nodes = 300;
    info.bound = engine::Bound::Exact;
    info.pv = {*engine::parse_move(engine::Position(), "e2e4")};
    screen.thinking.add(info, screen.start);
    engine::SearchResult result;
    result.best = info.pv[0];
    result.depth = 7;
    result.nodes = 450;
    screen.thinking.finish(result, screen.start + milliseconds(20));
    BOOST_TEST_REQUIRE(screen.lines.size() == 2U);
    BOOST_TEST(screen.lines[1] == "7 0 45 450 e4");
}

BOOST_AUTO_TEST_SUITE_END()

#include "tools/match/watch.h"

#include "engine/board/notation.h"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

namespace {

struct Scene {
    engine::Game game;
    tools::match::PlayedGame record;
    Scene() {
        record.names = {"Hare", "Tortoise"};
        play("e2e4", 40);
        play("c7c5", -30);
    }
    void play(const char* text, int score) {
        const engine::Move m = *engine::parse_move(game.position(), text);
        tools::match::PlayedMove move;
        move.move = m;
        move.san = engine::to_san(game.position(), m);
        move.thinking = {11, score, "c5 Nf3"};
        move.spent = 1500ms;
        record.moves.push_back(move);
        game.play(m);
    }
    [[nodiscard]] std::string picture(const tools::match::WatchStyle& style) const {
        return tools::match::picture({game, record, {59s, 58500ms}}, style);
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(watch)

BOOST_AUTO_TEST_CASE(a_line_has_move_score_time_and_clocks) {
    BOOST_TEST(Scene().picture({}) ==
               "1... c5       -0.30/11                  1.5s     clocks 0:59 - 0:58\n");
}

BOOST_AUTO_TEST_CASE(the_board_shows_pieces_and_the_last_move) {
    const std::string text = Scene().picture({true, false, false});
    BOOST_TEST(text.find("  7  p  p [.] p  p  p  p  p \n") != std::string::npos);
    BOOST_TEST(text.find("  5  .  . [p] .  .  .  .  . \n") != std::string::npos);
    BOOST_TEST(text.find("  4  .  .  .  .  P  .  .  . \n") != std::string::npos);
    BOOST_TEST(text.find("White  Hare                     0:59  to move") != std::string::npos);
    BOOST_TEST(text.find("+0.30 for White") != std::string::npos);
    BOOST_TEST(text.find('\033') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_terminal_is_drawn_over) {
    const std::string text = Scene().picture({true, true, true});
    BOOST_TEST(text.starts_with("\033[H"));
    BOOST_TEST(text.ends_with("\033[J"));
    BOOST_TEST(text.find("[♟]") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_bar_grows_with_the_score) {
    BOOST_TEST(tools::match::bar_text(0, 10, false) == "#####-----");
    BOOST_TEST(tools::match::bar_text(tools::match::MateBase - 1, 10, false) == "##########");
    BOOST_TEST(tools::match::bar_text(-tools::match::MateBase + 1, 10, false) == "----------");
    BOOST_TEST(tools::match::bar_text(100, 10, false) == "######----");
}

BOOST_AUTO_TEST_SUITE_END()

// Game: the rules that end it, and undo.
#include "engine/board/game.h"

#include "engine/board/notation.h"

#include <initializer_list>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

void play(Game& game, std::initializer_list<const char*> moves) {
    for (const char* text : moves) {
        const auto m = parse_move(game.position(), text);
        BOOST_TEST_REQUIRE(m.has_value(), text);
        game.play(*m);
    }
}

Game from(const char* fen) {
    return Game(Position::from_fen(fen).value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(game)

BOOST_AUTO_TEST_CASE(mate_and_stalemate_end_it) {
    Game fools_mate;
    play(fools_mate, {"f3", "e5", "g4"});
    BOOST_TEST((fools_mate.status() == Status::Ongoing));
    BOOST_TEST((fools_mate.status_after(parse_move(fools_mate.position(), "Qh4").value()) ==
                Status::Checkmate));
    play(fools_mate, {"Qh4"});
    BOOST_TEST((fools_mate.status() == Status::Checkmate));
    BOOST_TEST((from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").status() == Status::Stalemate));
}

BOOST_AUTO_TEST_CASE(threefold_repetition_is_a_draw) {
    Game game;
    play(game, {"Nf3", "Nf6", "Ng1", "Ng8"});
    BOOST_TEST(game.repetitions() == 2);
    play(game, {"Nf3", "Nf6", "Ng1"});
    BOOST_TEST((game.status() == Status::Ongoing));
    play(game, {"Ng8"});
    BOOST_TEST(game.repetitions() == 3);
    BOOST_TEST((game.status() == Status::Repetition));
    game.undo();
    BOOST_TEST((game.status() == Status::Ongoing));
}

BOOST_AUTO_TEST_CASE(positions_with_other_castling_rights_differ) {
    Game game = from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(game, {"Ke2", "Ke7", "Ke1", "Ke8"});
    BOOST_TEST(game.repetitions() == 1);
}

BOOST_AUTO_TEST_CASE(fifty_moves_end_it_unless_it_is_mate) {
    Game game = from("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    play(game, {"Ra3"});
    BOOST_TEST((game.status() == Status::FiftyMoves));
    Game mate = from("7k/R7/6K1/8/8/8/8/8 w - - 99 80");
    play(mate, {"Ra8"});
    BOOST_TEST((mate.status() == Status::Checkmate));
}

BOOST_AUTO_TEST_CASE(bare_kings_end_it) {
    Game game = from("8/8/8/3k4/3P4/8/8/K7 b - - 0 1");
    play(game, {"Kxd4"});
    BOOST_TEST((game.status() == Status::DeadPosition));
}

BOOST_AUTO_TEST_CASE(undo_returns_to_the_start) {
    Game game;
    play(game, {"e4", "d5", "exd5", "Nf6", "Nf3", "Nxd5", "Be2", "g6", "O-O"});
    const std::string castled = "rnbqkb1r/ppp1pp1p/6p1/3n4/8/5N2/PPPPBPPP/RNBQ1RK1 b kq - 1 5";
    BOOST_TEST(game.position().fen() == castled);
    while (game.ply() > 0)
        game.undo();
    BOOST_TEST(game.position().fen() == StartFen);
    BOOST_TEST(game.keys().size() == 1);
    BOOST_TEST(game.starts_normally());
}

BOOST_AUTO_TEST_SUITE_END()

// Basic endings, won by the search in actual play.
#include "engine/eval/endings.h"

#include "engine/engine.h"

#include <fstream>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

struct Engine {
    std::unique_ptr<Searcher> searcher = make_searcher();
};

Game game_from(const char* fen) {
    const Result<Position> pos = Position::from_fen(fen);
    BOOST_TEST_REQUIRE(pos.has_value(), fen);
    return Game(*pos);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(endings, Engine)

BOOST_AUTO_TEST_CASE(bare_kings_are_mated_over_the_board) {
    for (const char* fen : {"8/8/8/4k3/8/8/8/3Q1K2 w - - 0 1",
                            "8/8/8/4k3/8/8/8/3R1K2 w - - 0 1",
                            "8/8/8/3k4/8/8/8/2BBK3 w - - 0 1",
                            "8/8/8/3k4/8/8/8/2BNK3 w - - 0 1"}) {
        Game game = game_from(fen);
        Limits limits;
        limits.nodes = 20'000;
        while (game.status() == Status::Ongoing)
            game.play(searcher->search(game, limits).best);
        BOOST_TEST((game.status() == Status::Checkmate), fen);
    }
}

BOOST_AUTO_TEST_CASE(draws_against_a_bare_king_are_known) {
    for (const char* fen :
         {"8/8/8/4k3/8/8/8/3NNK2 w - - 0 1",   // two knights
          "k7/8/8/8/P7/8/3B4/4K3 w - - 0 1",   // a bishop of the wrong colour
          "4k3/4b3/8/7p/8/8/6K1/8 b - - 0 1",  // the same with the colours exchanged
          "1k6/8/8/P7/P7/P7/8/K7 w - - 0 1",   // three pawns on one rook file
          "7k/8/8/7P/8/8/4B3/K4B2 w - - 0 1",  // two bishops of the same, wrong colour
          "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"})  // a pawn
        BOOST_TEST(searcher->evaluate(game_from(fen).position()) == Draw, fen);
}

BOOST_AUTO_TEST_CASE(the_same_men_win_where_the_bare_king_is_too_far_or_the_bishop_is_right) {
    for (const char* fen : {"8/8/8/4k3/P7/8/3B4/4K3 w - - 0 1",
                            "k7/8/8/8/P7/8/4B3/4K3 w - - 0 1",
                            "k7/8/8/8/1P6/8/3B4/4K3 w - - 0 1",
                            "k7/8/8/8/P6P/8/3B4/4K3 w - - 0 1",
                            "8/8/8/4k3/8/8/8/2NNNK2 w - - 0 1"})
        BOOST_TEST(searcher->evaluate(game_from(fen).position()) > Draw, fen);
}

// Of each kind there are ten positions in the file, which a solver of endings has found drawn.
BOOST_AUTO_TEST_CASE(drawish_endings_are_worth_little) {
    std::ifstream file(std::string(DATA_DIR) + "/drawn.epd");
    int positions = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#'))
            continue;
        ++positions;
        BOOST_TEST(std::abs(searcher->evaluate(game_from(line.c_str()).position())) <= 60, line);
    }
    BOOST_TEST(positions == 50);
    // Much the same, but won.
    for (const char* fen : {"8/8/3k4/8/3r4/8/3K4/4Q3 w - - 0 1",     // queen against rook
                            "8/8/4k3/1r6/P7/8/3K4/R3B3 w - - 0 1",   // a pawn, too
                            "8/4k3/8/2bPPP2/8/3B4/3K4/8 w - - 0 1",  // three pawns more
                            "8/1k6/8/7P/6K1/8/4B3/n7 w - - 0 1",     // the king is far
                            "8/8/3k4/2b1n3/8/8/4K3/Q7 w - - 0 1",  // queen against two minor pieces
                            "8/3r4/3k4/4p3/8/8/4K3/Q7 w - - 0 1"})  // nothing protects the rook
        BOOST_TEST(searcher->evaluate(game_from(fen).position()) > 100, fen);
}

BOOST_AUTO_TEST_CASE(a_won_pawn_is_worth_more_the_further_it_is_and_less_than_its_queen) {
    const auto value = [&](const char* fen) {
        return searcher->evaluate(game_from(fen).position());
    };
    const Score fifth = value("1k6/8/4K3/4P3/8/8/8/8 w - - 0 1");
    const Score sixth = value("1k6/8/4P3/4K3/8/8/8/8 w - - 0 1");
    BOOST_TEST(fifth > PawnWins);
    BOOST_TEST(sixth > fifth);
    BOOST_TEST(value("1k6/4Q3/8/4K3/8/8/8/8 w - - 0 1") > sixth + 1'000);
    BOOST_TEST(value("8/8/8/8/4p3/4k3/8/1K6 b - - 0 1") == fifth);
    BOOST_TEST(value("8/8/8/8/4p3/4k3/8/1K6 w - - 0 1") < -PawnWins);
}

BOOST_AUTO_TEST_SUITE_END()

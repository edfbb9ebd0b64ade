// Basic endings, won by the search in actual play.
#include "engine/engine.h"

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
            game.play(think(*searcher, game, limits).best);
        BOOST_TEST((game.status() == Status::Checkmate), fen);
    }
}

BOOST_AUTO_TEST_SUITE_END()

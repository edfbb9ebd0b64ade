// Static exchange evaluation, against exchanges calculated by hand.
#include "engine/board/see.h"

#include "engine/board/movegen.h"
#include "engine/board/notation.h"

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

struct Case {
    const char* fen;
    const char* move;
    int gain;  // centipawns, by SeeValue
};

constexpr Case Cases[] = {
    {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100},
    {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", 100 - 320},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100},
    {"4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 0},
    {"4k3/8/2p5/3p4/8/5B2/8/4K3 w - - 0 1", "Bxd5", 100 - 330},
    {"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100},  // X-ray attack of doubled rooks
    {"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100 - 500},
    {"4k3/8/8/8/8/8/1r6/R3K3 w - - 0 1", "Ra2", 0 - 500},  // a quiet move to an attacked square
    {"8/8/8/3k4/4p3/8/8/4RK2 w - - 0 1", "Rxe4", 100 - 500},
    {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", 950 - 100},
    {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "exf6", 0},
    // The defending knight is pinned, so it cannot recapture.
    {"4k3/4n3/8/3p4/8/8/4R3/3R2K1 w - - 0 1", "Rxd5", 100},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(see)

BOOST_AUTO_TEST_CASE(the_threshold_is_met_up_to_the_gain_and_not_beyond) {
    for (const Case& c : Cases) {
        const auto pos = Position::from_fen(c.fen);
        const auto m = parse_move(*pos, c.move);
        BOOST_TEST_REQUIRE(m.has_value(), c.fen);
        BOOST_TEST(see_ge(*pos, *m, c.gain), c.fen);
        BOOST_TEST(!see_ge(*pos, *m, c.gain + 1), c.fen);
    }
}

BOOST_AUTO_TEST_SUITE_END()

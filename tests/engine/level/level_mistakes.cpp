// The mistakes of levels: a better player keeps his queen. Not part of the suite "level": it takes
// many searches, which are slow under ThreadSanitizer, and starts no threads.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/board/see.h"
#include "tests/engine/level/levels.h"

#include <array>

using namespace engine;
using levels::limits_of;
using levels::position;

namespace {

// The queen of the side to move is attacked and can save itself.
constexpr auto AttackedQueens = std::to_array<const char*>({
    "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3",
    "r1bqkb1r/pppp1ppp/2n5/4p3/4n1Q1/2N1P3/PPPP1PPP/R1B1KBNR w KQkq - 0 5",
    "rnbqkb1r/ppp2ppp/3p1n2/4p1Q1/4P3/2N5/PPPP1PPP/R1B1KBNR w KQkq - 0 4",
    "r1b1k2r/ppppqppp/2n2n2/2b5/2BNP3/2N1B3/PPP2PPP/R2QK2R w KQkq - 5 8",
    "r2qkb1r/ppp2ppp/2np1n2/4p3/2B1P1b1/2N1QN2/PPPP1PPP/R1B1K2R b KQkq - 1 6",
    "2r3k1/pp3ppp/4b3/3q4/8/1P2B3/P1R2PPP/3Q2K1 w - - 0 20",
});

// True if the side to move wins the enemy's queen for much less.
bool queen_is_en_prise(const Position& pos) {
    for (const Move m : legal_moves(pos))
        if (pos.captured(m) == Queen && see_ge(pos, m, SeeValue[Rook]))
            return true;
    return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(level_mistakes)

BOOST_AUTO_TEST_CASE(above_1400_no_queen_is_left_en_prise) {
    const auto searcher = make_searcher();
    int left_by_beginners = 0;
    for (const char* const fen : AttackedQueens)
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Game game(position(fen));
            for (const int elo : {MinElo, 1'401, 1'800}) {
                searcher->clear();
                const Move move = searcher->search(game, limits_of(elo, seed)).best;
                if (game.position().captured(move) == Queen)
                    continue;  // an exchange
                Position after = game.position();
                after.make(move);
                if (elo == MinElo)
                    left_by_beginners += queen_is_en_prise(after) ? 1 : 0;
                else
                    BOOST_TEST(!queen_is_en_prise(after),
                               fen << ' ' << elo << ": " << to_coordinates(move));
            }
        }
    BOOST_TEST(left_by_beginners > 0);
}

BOOST_AUTO_TEST_SUITE_END()

// Levels: what is overlooked and misjudged, and that the same seed gives the same moves.
#include "engine/level/level.h"

#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "tests/engine/level/levels.h"

using namespace engine;
using namespace std::chrono_literals;
using levels::limits_of;
using levels::position;

namespace {

constexpr const char* Middlegame =
    "r1bq1rk1/pp1nbppp/2p1pn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 4 9";
// Sharp, many pieces attacked.
constexpr const char* Sharp =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

std::string self_play(Searcher& searcher, int elo, std::uint64_t seed) {
    Game game;
    std::string moves;
    for (int ply = 0; ply < 16 && game.status() == Status::Ongoing; ++ply) {
        const Move move = searcher.search(game, limits_of(elo, seed)).best;
        moves += to_coordinates(move) + ' ';
        game.play(move);
    }
    return moves;
}

int overlooked(const Level& level, const Position& pos, int ply, bool captures) {
    int count = 0;
    for (const Move m : legal_moves(pos))
        count += pos.is_capture(m) == captures && level.overlooks(pos, m, ply, NoMove) ? 1 : 0;
    return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(level, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(a_higher_level_searches_more_and_errs_less) {
    for (int elo = MinElo; elo < MaxElo; elo += 50) {
        const LevelParameters low = level_parameters(elo), high = level_parameters(elo + 50);
        BOOST_TEST(low.nodes < high.nodes, elo);
        BOOST_TEST(low.blindness >= high.blindness, elo);
        BOOST_TEST(low.noise >= high.noise, elo);
    }
    BOOST_TEST(level_parameters(100).nodes == level_parameters(MinElo).nodes);
    BOOST_TEST(level_parameters(9'999).nodes == level_parameters(MaxElo).nodes);
}

BOOST_AUTO_TEST_CASE(the_same_seed_plays_the_same_moves) {
    const auto one = make_searcher(), two = make_searcher();
    const std::string moves = self_play(*one, 1'200, 5);
    BOOST_TEST(self_play(*two, 1'200, 5) == moves);
    two->clear();
    BOOST_TEST(self_play(*two, 1'200, 6) != moves);
    two->clear();
    BOOST_TEST(two->set_threads(3) == 3);
    BOOST_TEST(self_play(*two, 1'200, 5) == moves, "one thread searches, however many there are");
}

BOOST_AUTO_TEST_CASE(pondering_makes_no_level_stronger) {
    const auto searcher = make_searcher();
    const Game game(position(Middlegame));
    const SearchResult direct = searcher->search(game, limits_of(1'600, 1));
    searcher->clear();
    Limits limits = limits_of(1'600, 1);
    limits.ponder = true;
    SearchResult pondered;
    searcher->start(
        game, limits, {}, [&pondered](const SearchResult& result) { pondered = result; });
    limits.ponder = false;
    searcher->ponder_hit(limits);
    searcher->wait();
    BOOST_TEST((pondered.best == direct.best));
    BOOST_TEST(pondered.nodes == direct.nodes);
}

BOOST_AUTO_TEST_CASE(a_level_and_full_strength_know_nothing_of_each_other) {
    const auto fresh = make_searcher(), used = make_searcher();
    const Game game(position(Sharp));
    const auto at_level = [&game](Searcher& searcher, int elo = 1'200) {
        return searcher.search(game, limits_of(elo, 1));
    };
    const auto at_full_strength = [&game](Searcher& searcher) {
        Limits limits;
        limits.depth = 8;
        return searcher.search(game, limits);
    };
    const SearchResult level = at_level(*fresh);
    fresh->clear();
    const SearchResult full = at_full_strength(*fresh);
    at_level(*used);
    BOOST_TEST(at_full_strength(*used).nodes == full.nodes);
    const SearchResult level_after = at_level(*used);
    BOOST_TEST(level_after.nodes == level.nodes);
    BOOST_TEST(level_after.score == level.score);
    at_level(*used, MaxElo);
    BOOST_TEST(at_level(*used).nodes == level.nodes, "a stronger level is forgotten, too");
}

BOOST_AUTO_TEST_CASE(what_is_overlooked_near_is_overlooked_far) {
    const Position pos = position(Sharp);
    const Level level(1'200, 3);
    for (const Move m : legal_moves(pos))
        for (int ply = 0; ply < 8; ++ply)
            BOOST_TEST((!level.overlooks(pos, m, ply, NoMove) ||
                        level.overlooks(pos, m, ply + 1, NoMove)));
}

BOOST_AUTO_TEST_CASE(the_far_and_the_quiet_are_overlooked_most) {
    const Position pos = position(Sharp);
    int near = 0, far = 0, quiet = 0, captures = 0, better = 0, quiets = 0;
    for (const Move m : legal_moves(pos))
        quiets += pos.is_capture(m) ? 0 : 1;
    const int others = static_cast<int>(legal_moves(pos).size()) - quiets;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Level level(1'000, seed);
        near += overlooked(level, pos, 1, false);
        far += overlooked(level, pos, 6, false);
        quiet += overlooked(level, pos, 4, false);
        captures += overlooked(level, pos, 4, true);
        better += overlooked(Level(2'000, seed), pos, 6, false);
    }
    BOOST_TEST(near < far);
    BOOST_TEST(better < far);
    BOOST_TEST(captures * quiets < quiet * others);
    const Move capture(12, 40);  // e2a6
    BOOST_TEST_REQUIRE(pos.is_legal(capture));
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        BOOST_TEST(!Level(MinElo, seed).overlooks(pos, capture, 6, Move(50, 40)), "a recapture");
}

BOOST_AUTO_TEST_CASE(misjudgment_grows_with_the_danger_and_is_bounded) {
    const Position quiet, sharp = position(Sharp);
    BOOST_TEST(danger(quiet) == 0);
    BOOST_TEST(danger(sharp) > danger(position(Middlegame)));
    int of_quiet = 0, of_sharp = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Level level(MinElo, seed);
        of_quiet += std::abs(level.misjudgment(quiet));
        of_sharp += std::abs(level.misjudgment(sharp));
        BOOST_TEST(std::abs(level.misjudgment(sharp)) <= 300);
        BOOST_TEST(level.pace(sharp, 40) <= 90);
        BOOST_TEST(level.pace(quiet, 1) == 5);
    }
    BOOST_TEST(of_quiet < of_sharp);
}

BOOST_AUTO_TEST_CASE(a_beginner_mates_a_bare_king) {
    const auto searcher = make_searcher();
    for (const char* const fen : {"8/8/8/4k3/8/8/8/2KQ4 w - - 0 1",
                                  "8/8/2k5/8/8/8/8/KQ6 w - - 0 1",
                                  "8/8/8/4k3/8/8/8/1RKR4 w - - 0 1",
                                  "4rqk1/8/8/8/8/8/8/K7 b - - 0 1"})
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            searcher->clear();
            Game game(position(fen));
            while (game.status() == Status::Ongoing)
                game.play(searcher->search(game, limits_of(MinElo, seed)).best);
            BOOST_TEST((game.status() == Status::Checkmate), fen << ' ' << seed);
        }
}

// A person's time: the result waits for it, and for nothing else.
BOOST_AUTO_TEST_CASE(the_time_of_a_level_ends_with_a_part_of_the_clock_or_a_stop) {
    const auto searcher = make_searcher();
    const Game game;
    Limits limits = limits_of(1'000, 1);
    limits.strength->takes_time = true;
    limits.move_time = 100ms;
    const Clock::time_point start = Clock::now();
    searcher->search(game, limits);
    BOOST_TEST((Clock::now() - start >= 6ms), "a tenth, less what is kept back");
    limits.move_time = 10h;
    limits.depth = 9;  // no person's game
    searcher->search(game, limits);
    limits.depth.reset();
    bool answered = false;
    searcher->start(game, limits, {}, [&answered](const SearchResult&) { answered = true; });
    searcher->stop();
    searcher->wait();
    BOOST_TEST(answered);
}

BOOST_AUTO_TEST_SUITE_END()

// The move picker: every legal move once, in the order of its stages.
#include "engine/search/movepick.h"

#include "engine/board/notation.h"

#include <memory>
#include <vector>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

constexpr const char* Middlegame =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

struct Pieces {
    std::unique_ptr<Histories> histories = std::make_unique<Histories>();
    ContinuationHistory context{&histories->no_continuation(),
                                &histories->no_continuation(),
                                &histories->no_continuation()};
    Position pos = *Position::from_fen(Middlegame);

    Move move(const char* text) const { return *parse_move(pos, text); }
    static std::vector<Move> drain(MovePicker& picker) {
        std::vector<Move> all;
        while (const Move m = picker.next())
            all.push_back(m);
        return all;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(movepick, Pieces)

BOOST_AUTO_TEST_CASE(every_legal_move_comes_once) {
    for (const char* fen : {Middlegame,
                            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"}) {
        pos = *Position::from_fen(fen);
        const MoveList legal = legal_moves(pos);
        MovePicker picker(pos,
                          *histories,
                          context,
                          Threats(pos, ~pos.side_to_move()),
                          legal[3],
                          legal[5],
                          MaxPly);
        const std::vector<Move> given = drain(picker);
        BOOST_TEST(given.size() == legal.size());
        for (const Move m : legal)
            BOOST_TEST(std::count(given.begin(), given.end(), m) == 1);
        BOOST_TEST((given[0] == legal[3]));
    }
}

BOOST_AUTO_TEST_CASE(good_captures_then_the_killer_then_quiets_then_bad_captures) {
    const Move killer = move("a2a4");
    MovePicker picker(
        pos, *histories, context, Threats(pos, ~pos.side_to_move()), NoMove, killer, MaxPly);
    const std::vector<Move> given = drain(picker);
    const auto at = [&](Move m) {
        return std::find(given.begin(), given.end(), m) - given.begin();
    };
    BOOST_TEST(at(move("e2a6")) < at(killer));
    BOOST_TEST(at(killer) < at(move("O-O")));
    BOOST_TEST(at(move("O-O")) < at(move("f3f6")));  // a queen for a knight
}

BOOST_AUTO_TEST_CASE(history_orders_the_quiets) {
    const Move liked = move("a1b1");
    histories->add_quiet(White, liked, Threats(pos, Black).all, 8'000);
    MovePicker picker(
        pos, *histories, context, Threats(pos, ~pos.side_to_move()), NoMove, NoMove, MaxPly);
    for (const Move m : drain(picker))
        if (!is_noisy(pos, m)) {
            BOOST_TEST((m == liked));
            break;
        }
}

BOOST_AUTO_TEST_CASE(threats_are_the_attacked_squares) {
    for (const Color c : {White, Black}) {
        const Threats threats(pos, c);
        for (Square s = 0; s < 64; ++s)
            BOOST_TEST(((threats.all & bit(s)) != 0) == pos.is_attacked(s, c));
        BOOST_TEST((threats.by_pawn & ~threats.by_minor) == 0);
        BOOST_TEST((threats.by_minor & ~threats.by_rook) == 0);
        BOOST_TEST((threats.by_rook & ~threats.all) == 0);
    }
    const Threats black(pos, Black);
    BOOST_TEST((black.by_pawn & bit(make_square(6, 1))) != 0);   // the pawn on h3 attacks g2
    BOOST_TEST((black.by_minor & bit(make_square(4, 1))) != 0);  // the bishop on a6 attacks e2
    BOOST_TEST((black.by_minor & bit(make_square(7, 3))) == 0);  // only the rook attacks h4
    BOOST_TEST((black.by_rook & bit(make_square(7, 3))) != 0);
}

BOOST_AUTO_TEST_CASE(history_knows_whether_a_square_is_attacked) {
    const Move m = move("a1b1");
    const Bitboard attacked = bit(B1);
    histories->add_quiet(White, m, attacked, 1'000);
    const int there = histories->quiet_of(White, m, attacked);
    const int elsewhere = histories->quiet_of(White, m, 0);
    BOOST_TEST(there > elsewhere);
    BOOST_TEST(elsewhere > 0);  // half of it is shared
}

BOOST_AUTO_TEST_CASE(near_the_root_its_own_history_orders_quiet_moves) {
    const Move wanted = move("a2a4");
    const auto first_quiet = [&](int ply) {
        MovePicker picker(
            pos, *histories, context, Threats(pos, ~pos.side_to_move()), NoMove, NoMove, ply);
        for (const Move m : drain(picker))
            if (!is_noisy(pos, m))
                return m;
        return NoMove;
    };
    BOOST_TEST((first_quiet(0) != wanted));
    histories->low_ply[0][wanted.from()][wanted.to()].add(16'000);
    BOOST_TEST((first_quiet(0) == wanted));
    BOOST_TEST((first_quiet(1) != wanted));
    BOOST_TEST((first_quiet(Histories::LowPlies) != wanted));
}

BOOST_AUTO_TEST_CASE(quiets_can_be_skipped) {
    MovePicker picker(
        pos, *histories, context, Threats(pos, ~pos.side_to_move()), NoMove, move("a2a4"), MaxPly);
    picker.skip_quiets();
    for (const Move m : drain(picker))
        BOOST_TEST(is_noisy(pos, m));
}

BOOST_AUTO_TEST_CASE(illegal_hints_are_ignored) {
    MovePicker picker(pos,
                      *histories,
                      context,
                      Threats(pos, ~pos.side_to_move()),
                      Move(A1, H8),
                      Move(B1, H8),
                      MaxPly);
    BOOST_TEST(drain(picker).size() == legal_moves(pos).size());
}

BOOST_AUTO_TEST_CASE(quiescence_sees_captures_or_every_evasion) {
    MovePicker captures(pos, *histories, context, move("O-O"));
    for (const Move m : drain(captures))
        BOOST_TEST(is_noisy(pos, m));
    pos = *Position::from_fen("4k3/8/8/8/7b/8/3P4/3RKR2 w - - 0 1");
    MovePicker evasions(pos, *histories, context, NoMove);
    BOOST_TEST(drain(evasions).size() == legal_moves(pos).size());
}

BOOST_AUTO_TEST_CASE(a_threshold_leaves_only_what_wins_enough) {
    MovePicker picker(pos, *histories, NoMove, 300);
    const std::vector<Move> given = drain(picker);
    BOOST_TEST_REQUIRE(given.size() == 1U);
    BOOST_TEST((given[0] == move("e2a6")));
}

BOOST_AUTO_TEST_SUITE_END()

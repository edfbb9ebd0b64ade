// Position: FEN, keys, incremental state, and rules of a single position.
#include "engine/board/checks.h"
#include "engine/board/cuckoo.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"

#include <random>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

Position fen(const char* text) {
    auto pos = Position::from_fen(text);
    BOOST_TEST_REQUIRE(pos.has_value(), text);
    return *pos;
}

Position after(const char* moves) {
    Position pos;
    std::string_view rest = moves;
    while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        pos.make(parse_move(pos, word).value());
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
    return pos;
}

constexpr const char* Middlegame =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

// True if m can be taken back by the same piece.
bool is_reversible(const Position& pos, Move m) {
    return m.kind() == MoveKind::Normal && !pos.is_capture(m) &&
           type_of(pos.piece_on(m.from())) != Pawn;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(position)

BOOST_AUTO_TEST_CASE(in_chess_only_its_own_castling_rights_count) {
    const auto rights = [](const char* fen, CastlingStyle style) {
        return Position::from_fen(fen, Material::Possible, style)->castling_rights();
    };
    for (const char* fen : {"4k3/8/8/8/8/8/8/2K4R w K - 0 1",
                            "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
                            "1r2k3/8/8/8/8/8/8/4K3 b q - 0 1"}) {
        BOOST_TEST(rights(fen, CastlingStyle::Chess960) != 0);
        BOOST_TEST(rights(fen, CastlingStyle::Standard) == 0);
    }
    for (const char* fen :
         {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"})
        BOOST_TEST(rights(fen, CastlingStyle::Standard) == rights(fen, CastlingStyle::Chess960));
}

// Source: F. Letouzey, "PolyGlot book format", 2007: the published keys.
BOOST_AUTO_TEST_CASE(keys_are_those_of_the_polyglot_format) {
    BOOST_TEST(after("").key() == 0x463b96181691fc9cULL);
    BOOST_TEST(after("e2e4").key() == 0x823c9b50fd114196ULL);
    BOOST_TEST(after("e2e4 d7d5").key() == 0x0756b94461c50fb0ULL);
    BOOST_TEST(after("e2e4 d7d5 e4e5").key() == 0x662fafb965db29d4ULL);
    BOOST_TEST(after("e2e4 d7d5 e4e5 f7f5").key() == 0x22a48b5a8e47ff78ULL);
    BOOST_TEST(after("e2e4 d7d5 e4e5 f7f5 e1e2").key() == 0x652a607ca3f242c1ULL);
    BOOST_TEST(after("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7").key() == 0x00fdd303c946bdd9ULL);
    BOOST_TEST(after("a2a4 b7b5 h2h4 b5b4 c2c4").key() == 0x3c8123ea7b067637ULL);
    BOOST_TEST(after("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3").key() == 0x5c3f9b829b279560ULL);
}

BOOST_AUTO_TEST_CASE(fens_are_written_as_they_were_read) {
    for (const char* text : {StartFen,
                             Middlegame,
                             "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                             "8/8/8/8/8/8/1k6/7K b - - 99 120",
                             "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
                             "1r2k1r1/8/8/8/8/8/8/RR2K2R w HBgb - 3 9"})
        BOOST_TEST(fen(text).fen() == (std::string_view(text).find("HBgb") != std::string::npos
                                           ? "1r2k1r1/8/8/8/8/8/8/RR2K2R w KBkq - 3 9"
                                           : text));
}

BOOST_AUTO_TEST_CASE(missing_fields_get_their_defaults) {
    BOOST_TEST(fen("8/8/8/8/8/8/1k6/7K b").fen() == "8/8/8/8/8/8/1k6/7K b - - 0 1");
    BOOST_TEST(fen("4k3/8/8/8/8/8/8/4K2R w KQkq").fen() == "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    // No pawn can capture en passant, so the square is ignored.
    BOOST_TEST(fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").ep_square() == NoSquare);
}

BOOST_AUTO_TEST_CASE(illegal_positions_are_refused) {
    for (const char* text : {"",
                             "x",
                             "8/8/8/8/8/8/8/8 w - - 0 1",
                             "kkkkkkkk/8/8/8/8/8/8/K7 w - - 0 1",
                             "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
                             "4k2R/8/8/8/8/8/8/4K3 w - - 0 1",
                             "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
                             "4k3/8/8/8/8/8/8 w - - 0 1",
                             "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1",
                             "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
                             "4k3/8/8/8/8/8/8/4K3 w z - 0 1",
                             "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
                             "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
                             "4k3/8/8/8/8/8/8/4K3 w - - 0 x",
                             "4k3/8/8/8/8/8/8/4K3 w - - 0 1 more",
                             "qqqqkqqq/qqqqqqqq/8/8/8/8/8/4K3 w - - 0 1",
                             "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
                             "44k3/8/8/8/8/8/8/4K3 w - - 0 1"}) {
        const auto pos = Position::from_fen(text);
        BOOST_TEST(!pos.has_value(), text);
        if (!pos.has_value())
            BOOST_TEST(!pos.error().what.empty());
    }
}

BOOST_AUTO_TEST_CASE(unmake_restores_the_position) {
    std::mt19937 random(1);
    for (const char* start :
         {StartFen, Middlegame, "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1"})
        for (int game = 0; game < 20; ++game) {
            Position pos = fen(start);
            std::vector<std::pair<Move, Undo>> made;
            std::vector<std::string> fens;
            for (int ply = 0; ply < 120; ++ply) {
                const MoveList moves = legal_moves(pos);
                if (moves.empty())
                    break;
                const Move m = moves[random() % moves.size()];
                fens.push_back(pos.fen());
                const bool check = Checks(pos).by(pos, m);
                made.emplace_back(m, Undo{});
                pos.make(m, made.back().second);
                BOOST_TEST(pos.in_check() == check);
                BOOST_TEST_REQUIRE(pos.is_consistent());
                BOOST_TEST(fen(pos.fen().c_str()).key() == pos.key());
            }
            while (!made.empty()) {
                pos.unmake(made.back().first, made.back().second);
                BOOST_TEST(pos.fen() == fens.back());
                BOOST_TEST(pos.is_consistent());
                made.pop_back();
                fens.pop_back();
            }
        }
}

BOOST_AUTO_TEST_CASE(a_null_move_passes_the_turn_and_nothing_else) {
    Position pos = fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    const std::string before = pos.fen();
    Undo undo;
    pos.make_null(undo);
    BOOST_TEST(pos.side_to_move() == Black);
    BOOST_TEST(pos.ep_square() == NoSquare);
    BOOST_TEST(pos.is_consistent());
    pos.unmake_null(undo);
    BOOST_TEST(pos.fen() == before);
}

BOOST_AUTO_TEST_CASE(only_material_that_cannot_mate_is_dead) {
    for (const char* text : {"8/8/8/8/8/8/1k6/7K w - -",
                             "8/8/8/8/8/8/1k6/6NK w - -",
                             "8/8/8/8/8/8/1k6/6BK w - -",
                             "8/8/8/8/8/b7/1k6/4B2K w - -"})
        BOOST_TEST(fen(text).is_dead(), text);
    for (const char* text : {"8/8/8/8/8/7P/1k6/7K w - -",
                             "8/8/8/8/8/8/1k6/5NNK w - -",
                             "8/8/8/8/8/8/1k4b1/4B2K w - -",
                             "8/8/8/8/8/8/1k5n/6NK w - -",
                             "8/8/8/8/8/8/1k6/6RK w - -"})
        BOOST_TEST(!fen(text).is_dead(), text);
}

BOOST_AUTO_TEST_CASE(the_prefetch_key_is_exact_for_plain_moves) {
    const Position pos = fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    for (const Move m : {Move(5, 26), Move(21, 36), Move(11, 19)}) {  // Bc4, Nxe5, d3
        Position next = pos;
        next.make(m);
        BOOST_TEST(pos.key_after(m) == next.key());
    }
}

BOOST_AUTO_TEST_CASE(a_reversible_move_is_known_by_its_keys) {
    std::mt19937 random(3);
    int reversible = 0;
    for (int game = 0; game < 20; ++game) {
        Position pos;
        for (int ply = 0; ply < 60; ++ply) {
            const MoveList moves = legal_moves(pos);
            if (moves.empty())
                break;
            for (const Move m : moves) {
                Position next = pos;
                next.make(m);
                // The loss of a castling right or of an en passant square cannot be taken back.
                const bool same_rights =
                    next.castling_rights() == pos.castling_rights() && pos.ep_square() == NoSquare;
                const bool expected = is_reversible(pos, m) && same_rights;
                reversible += expected;
                BOOST_TEST(is_one_move_away(pos, next.key()) == expected);
                BOOST_TEST(is_one_move_away(next, pos.key()) == expected);
            }
            pos.make(moves[random() % moves.size()]);
        }
    }
    BOOST_TEST(reversible > 10'000);
}

BOOST_AUTO_TEST_CASE(a_blocked_way_is_no_move) {
    const Position here = fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    BOOST_TEST(is_one_move_away(here, fen("R3k3/8/8/8/8/8/8/4K3 b - - 0 1").key()));
    const Position blocked = fen("4k3/8/8/p7/8/8/8/R3K3 w - - 0 1");
    BOOST_TEST(!is_one_move_away(blocked, fen("R3k3/8/8/p7/8/8/8/4K3 b - - 0 1").key()));
    BOOST_TEST(!is_one_move_away(here, here.key()));
}

BOOST_AUTO_TEST_SUITE_END()

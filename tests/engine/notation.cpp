// Move notation, read and written.
#include "engine/board/notation.h"

#include "engine/board/movegen.h"

#include <random>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

// The move in coordinates, or the reason why `text` is none.
std::string read(const char* fen, const char* text) {
    const auto pos = Position::from_fen(fen);
    BOOST_TEST_REQUIRE(pos.has_value(), fen);
    const auto m = parse_move(*pos, text);
    if (m)
        return to_coordinates(*m, pos->is_chess960());
    return m.error() == NoMoveBecause::NotAMove  ? "no move"
           : m.error() == NoMoveBecause::Illegal ? "illegal"
                                                 : "ambiguous";
}

std::string write(const char* fen, const char* coordinates) {
    const auto pos = Position::from_fen(fen);
    return to_san(*pos, parse_move(*pos, coordinates).value());
}

constexpr const char* Castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
constexpr const char* Promotion = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
constexpr const char* Twins = "4k3/8/8/1N3N2/8/8/8/1N2K3 w - - 0 1";
constexpr const char* EnPassant = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";

}  // namespace

BOOST_AUTO_TEST_SUITE(notation)

BOOST_AUTO_TEST_CASE(coordinates_are_read) {
    BOOST_TEST(read(StartFen, "e2e4") == "e2e4");
    BOOST_TEST(read(StartFen, "g1f3") == "g1f3");
    BOOST_TEST(read(Castling, "e1g1") == "e1g1");
    BOOST_TEST(read(Castling, "e1h1") == "e1g1");
    BOOST_TEST(read(Castling, "e1c1") == "e1c1");
    BOOST_TEST(read(Promotion, "a7a8q") == "a7a8q");
    BOOST_TEST(read(Promotion, "a7b8n") == "a7b8n");
    BOOST_TEST(read(EnPassant, "e5f6") == "e5f6");
}

BOOST_AUTO_TEST_CASE(algebraic_notation_is_read_as_people_write_it) {
    for (const char* text : {"Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3!", "Nf3+", "Nf3?!"})
        BOOST_TEST(read(StartFen, text) == "g1f3", text);
    for (const char* text : {"O-O", "0-0", "o-o", "OO", "O-O+"})
        BOOST_TEST(read(Castling, text) == "e1g1", text);
    BOOST_TEST(read(Castling, "O-O-O") == "e1c1");
    for (const char* text : {"a8=Q", "a8Q", "a8(Q)", "a8/Q", "a8=Q+", "a7-a8=Q", "a8=q"})
        BOOST_TEST(read(Promotion, text) == "a7a8q", text);
    for (const char* text : {"axb8=N", "ab8N", "axb8N", "a7xb8=N"})
        BOOST_TEST(read(Promotion, text) == "a7b8n", text);
    for (const char* text : {"exf6", "ef6", "exf6e.p.", "e5xf6"})
        BOOST_TEST(read(EnPassant, text) == "e5f6", text);
    BOOST_TEST(read(Twins, "Nbd4") == "b5d4");
    BOOST_TEST(read(Twins, "N1a3") == "b1a3");
}

BOOST_AUTO_TEST_CASE(a_bishop_is_not_a_b_pawn) {
    const char* both = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
    BOOST_TEST(read(both, "bxc3") == "b2c3");
    BOOST_TEST(read(both, "Bxc3") == "d2c3");
    BOOST_TEST(read(both, "bc3") == "b2c3");
    BOOST_TEST(read(both, "be3") == "illegal");
}

BOOST_AUTO_TEST_CASE(a_small_b_that_was_typed_may_be_a_bishop) {
    const auto typed = [](const char* fen, const char* text) {
        const auto m = parse_typed_move(*Position::from_fen(fen), text);
        return m ? to_coordinates(*m) : "none";
    };
    const char* both = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
    BOOST_TEST(typed(both, "bxc3") == "b2c3");
    BOOST_TEST(typed(both, "be3") == "d2e3");
    BOOST_TEST(typed(both, "bd3") == "none");
    BOOST_TEST(typed(both, "b2b5") == "none");
    BOOST_TEST(typed(both, "b2e3") == "none");
    BOOST_TEST(typed(both, "b") == "none");
    BOOST_TEST(typed(both, "") == "none");
    // The bishop could go there, too.
    BOOST_TEST(typed("4k3/8/8/8/1P6/3B4/8/4K3 w - - 0 1", "bb5") == "b4b5");
}

BOOST_AUTO_TEST_CASE(pieces_may_be_small_letters_and_figurines) {
    for (const char* text : {"nf3", "ngf3", "ng1-f3", "\u2658f3", "\u265Ef3!", "\u2658gf3"})
        BOOST_TEST(read(StartFen, text) == "g1f3", text);
    BOOST_TEST(read(StartFen, "\u2659e4") == "e2e4");
    BOOST_TEST(read(Castling, "ke2") == "e1e2");
    BOOST_TEST(read(Castling, "rxa8+") == "a1a8");
    BOOST_TEST(read(Promotion, "a8=\u2655+") == "a7a8q");
    BOOST_TEST(read(Twins, "nd4") == "ambiguous");
    for (const char* text : {"\u2653f3", "\u2660f3", "\xE2\x99", "\u2658"})
        BOOST_TEST(read(StartFen, text) == "no move", text);
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_legal_move_gives_the_reason) {
    BOOST_TEST(read(StartFen, "e2e5") == "illegal");
    BOOST_TEST(read(StartFen, "Qd4") == "illegal");
    BOOST_TEST(read(StartFen, "O-O") == "illegal");
    BOOST_TEST(read(Promotion, "a7a8") == "illegal");
    BOOST_TEST(read(Promotion, "a7a8k") == "illegal");
    BOOST_TEST(read(Twins, "Nd4") == "ambiguous");
    for (const char* text : {"", "e", "xyzzy", "e9e4", "--", "e2", "0000", "@@@@", "Zz9", "e2e4e6"})
        BOOST_TEST((read(StartFen, text) == "no move" || read(StartFen, text) == "illegal"), text);
    BOOST_TEST(read(StartFen, "xyzzy") == "no move");
}

BOOST_AUTO_TEST_CASE(san_has_minimal_disambiguation) {
    BOOST_TEST(write(StartFen, "g1f3") == "Nf3");
    BOOST_TEST(write(Twins, "b5d4") == "Nbd4");
    BOOST_TEST(write(Twins, "b1c3") == "N1c3");
    BOOST_TEST(write(EnPassant, "e5f6") == "exf6");
    BOOST_TEST(write(Promotion, "a7b8q") == "axb8=Q+");
    BOOST_TEST(write("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8") == "Ra8#");
    BOOST_TEST(write("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1") == "O-O-O");
    // The other knight is pinned, so the move is not ambiguous.
    BOOST_TEST(write("4r1k1/8/8/8/4N3/8/8/1N2K3 w - - 0 1", "b1d2") == "Nd2");
    BOOST_TEST(write("k7/8/8/2Q3Q1/8/8/7K/2Q5 w - - 0 1", "c5e3") == "Qc5e3");
}

BOOST_AUTO_TEST_CASE(every_move_written_is_read_back) {
    std::mt19937 random(7);
    for (int game = 0; game < 30; ++game) {
        auto pos = *Position::from_fen(
            game % 2 == 0 ? StartFen : "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1");
        for (int ply = 0; ply < 100; ++ply) {
            const MoveList moves = legal_moves(pos);
            if (moves.empty())
                break;
            for (const Move m : moves) {
                const std::string san = to_san(pos, m);
                BOOST_TEST((parse_move(pos, san) == m), pos.fen() << ' ' << san);
                const std::string plain = to_coordinates(m, game % 2 == 1);
                BOOST_TEST((parse_move(pos, plain) == m), pos.fen() << ' ' << plain);
            }
            pos.make(moves[random() % moves.size()]);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

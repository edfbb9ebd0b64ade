// Static evaluation: symmetric for both colours, and right in simple positions.
#include "engine/eval/evaluate.h"

#include <array>
#include <cctype>
#include <sstream>
#include <vector>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

constexpr auto Positions = std::to_array<const char*>({
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp1nbppp/2p1pn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 4 9",
    "r2q1rk1/1b1nbppp/pp1ppn2/8/2PNP3/1PN1BP2/P3B1PP/R2Q1RK1 b - - 2 13",
    "2kr3r/ppp1qppp/2nb1n2/3pp1B1/3P2b1/2P1PN2/PP1NBPPP/R2Q1RK1 w - - 6 9",
    "8/2p2pk1/1p1p2p1/p2Pb2p/P1P1B2P/1P3PK1/6P1/8 w - - 2 40",
    "8/P5k1/8/6p1/7p/6K1/8/r7 w - - 0 62",
    "8/2k5/8/2KBN3/8/8/8/8 w - - 0 1",
    "6k1/1p3p1p/p3r1p1/8/3P4/2P2Q2/P5PP/6K1 b - - 0 30",
    "r1bqk2r/pppp1Npp/8/2b5/2BnP1n1/8/PPPP1PPP/RNBQK2R b KQkq - 0 6",
});

// The same position with the colours exchanged.
std::string exchanged(const std::string& fen) {
    std::istringstream fields(fen);
    std::string board, side, castling, rest;
    fields >> board >> side >> castling;
    std::getline(fields, rest);
    std::vector<std::string> ranks(1);
    for (const char c : board) {
        if (c == '/')
            ranks.emplace_back();
        else
            ranks.back() +=
                static_cast<char>(std::isupper(c) != 0 ? std::tolower(c) : std::toupper(c));
    }
    std::string result;
    for (auto rank = ranks.rbegin(); rank != ranks.rend(); ++rank)
        result += (result.empty() ? "" : "/") + *rank;
    for (char& c : castling)
        c = static_cast<char>(std::isupper(c) != 0 ? std::tolower(c) : std::toupper(c));
    return result + (side == "w" ? " b " : " w ") + castling + rest;
}

Score value(const std::string& fen) {
    const Result<Position> pos = Position::from_fen(fen);
    BOOST_TEST_REQUIRE(pos.has_value(), fen);
    return Evaluator(nullptr).evaluate(*pos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(evaluation)

BOOST_AUTO_TEST_CASE(the_evaluation_is_symmetric_for_both_colours) {
    for (const std::string fen : Positions)
        BOOST_TEST(value(fen) == value(exchanged(fen)), fen);
}

BOOST_AUTO_TEST_CASE(an_evaluation_does_not_depend_on_earlier_ones) {
    Evaluator used(nullptr);
    for (int round = 0; round < 2; ++round)
        for (const char* fen : Positions)
            BOOST_TEST(used.evaluate(*Position::from_fen(fen)) == value(fen), fen);
}

BOOST_AUTO_TEST_CASE(the_start_is_nearly_even) {
    BOOST_TEST(std::abs(value(Positions[0])) < 60);
}

BOOST_AUTO_TEST_CASE(a_piece_more_is_worth_a_piece) {
    BOOST_TEST(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1") < -600);
    BOOST_TEST(value("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 200);
    BOOST_TEST(value("4k3/4p3/8/8/8/8/3PP3/4K3 w - - 0 1") > 30);
}

BOOST_AUTO_TEST_CASE(a_bare_king_is_driven_where_it_can_be_mated) {
    // A dark-squared bishop mates in the corners a1 and h8 only.
    const Score right = value("7k/8/5K2/8/8/8/8/B5N1 b - - 0 1");
    const Score wrong = value("k7/8/2K5/8/8/8/8/B5N1 b - - 0 1");
    BOOST_TEST(right < wrong);
    BOOST_TEST(wrong < -1'000);
    BOOST_TEST(value("k7/8/1K6/8/8/8/8/7R w - - 0 1") > value("8/8/3k4/8/8/8/1K6/7R w - - 0 1"));
}

BOOST_AUTO_TEST_CASE(endings_that_cannot_be_won_score_little) {
    BOOST_TEST(std::abs(value("8/8/3k4/8/8/3K4/3NN3/8 w - - 0 1")) < 120);
    BOOST_TEST(std::abs(value("8/8/3k4/3r4/8/3K4/3R1N2/8 w - - 0 1")) < 150);
    const Score same = value("8/5p1k/3b2p1/8/8/2B2PP1/4KP2/8 w - - 0 1");
    const Score opposite = value("8/5p1k/3b2p1/8/8/3B1PP1/4KP2/8 w - - 0 1");
    BOOST_TEST(opposite < same);
}

BOOST_AUTO_TEST_CASE(an_uncatchable_passed_pawn_is_worth_a_queen) {
    BOOST_TEST(value("8/8/8/P6k/8/8/8/K7 w - - 0 1") > 250);
    BOOST_TEST(value("8/8/2k5/P7/8/8/8/K7 w - - 0 1") < 250);
}

BOOST_AUTO_TEST_CASE(the_table_of_terms_ends_in_the_evaluation) {
    for (const char* fen : Positions) {
        const Position pos = *Position::from_fen(fen);
        const std::string table = Evaluator(nullptr).explain(pos);
        const Score white = pos.side_to_move() == White ? value(fen) : -value(fen);
        BOOST_TEST(table.find("total " + std::to_string(white) + " centipawns for White") !=
                       std::string::npos,
                   table);
    }
}

BOOST_AUTO_TEST_SUITE_END()

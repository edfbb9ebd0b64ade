// Perft: the move generator against the known counts in data/perft.epd.
#include "engine/board/perft.h"

#include "engine/board/movegen.h"

#include <fstream>
#include <sstream>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

struct Case {
    std::string fen;
    int depth;
    std::uint64_t leaves;
};

// Lines of the form: FEN ;D1 n ;D2 n …, kept if low < n <= high.
std::vector<Case> read_cases(std::uint64_t low, std::uint64_t high) {
    std::ifstream in(DATA_DIR "/perft.epd");
    std::vector<Case> cases;
    for (std::string text; std::getline(in, text);) {
        std::istringstream line(text);
        std::string fen;
        if (text.starts_with('#') || !std::getline(line, fen, ';'))
            continue;
        char d = 0;
        char semicolon = 0;
        for (Case c{fen, 0, 0}; line >> d >> c.depth >> c.leaves; line >> semicolon)
            if (low < c.leaves && c.leaves <= high)
                cases.push_back(c);
    }
    BOOST_TEST_REQUIRE(!cases.empty(), "no cases in data/perft.epd");
    return cases;
}

void check(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        auto pos = Position::from_fen(c.fen);
        BOOST_TEST_REQUIRE(pos.has_value(), c.fen);
        BOOST_TEST(perft(*pos, c.depth) == c.leaves, c.fen << " depth " << c.depth);
    }
}

// is_legal() must agree with the generator for all 16-bit patterns.
std::size_t count_legal_patterns(const Position& pos) {
    std::size_t legal = 0;
    for (unsigned raw = 0; raw < 65'536; ++raw)
        legal += pos.is_legal(Move::from_raw(static_cast<std::uint16_t>(raw))) ? 1U : 0U;
    return legal;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(perft)

BOOST_AUTO_TEST_CASE(counts_leaves) {
#ifdef NDEBUG
    check(read_cases(0, 2'000'000));
#else
    check(read_cases(0, 20'000));  // make() asserts that the position is consistent
#endif
}

// Counts by python-chess.
BOOST_AUTO_TEST_CASE(any_number_of_men_is_counted) {
    for (const Case& c :
         {Case{"kBQQQQQQ/BNQQQQQQ/QQQQQQQQ/QQQnQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQK w - - 0 1",
               1,
               8},
          Case{"kBQQQQQQ/BNQQQQQQ/QQQQQQQQ/QQQnQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQK b - - 0 1",
               3,
               432},
          Case{"QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q5qn/KQQQQQnk w - - 0 1", 2, 1389},  // 258 moves
          Case{"rnbqkbnr/rnbqqbnr/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/RNBQQBNR/RNBQKBNR w KQkq - 0 "
               "1",
               3,
               3012}}) {
        BOOST_TEST(!Position::from_fen(c.fen).has_value());
        auto pos = Position::from_fen(c.fen, Material::Any);
        BOOST_TEST_REQUIRE(pos.has_value(), c.fen);
        BOOST_TEST(pos->fen() == c.fen);
        BOOST_TEST(engine::perft(*pos, c.depth) == c.leaves, c.fen << " depth " << c.depth);
    }
}

BOOST_AUTO_TEST_CASE(counts_many_leaves, *boost::unit_test::label("slow")) {
#ifdef NDEBUG
    check(read_cases(2'000'000, 200'000'000));
#else
    check(read_cases(20'000, 500'000));
#endif
}

BOOST_AUTO_TEST_CASE(legality_of_any_pattern_agrees_with_the_generator) {
    for (const Case& c : read_cases(0, 300)) {
        if (c.depth != 1)
            continue;
        const auto pos = Position::from_fen(c.fen);
        BOOST_TEST_REQUIRE(pos.has_value(), c.fen);
        BOOST_TEST(count_legal_patterns(*pos) == c.leaves, c.fen);
    }
}

BOOST_AUTO_TEST_CASE(captures_and_quiets_are_all_moves_once) {
    for (const Case& c : read_cases(0, 300)) {
        const auto pos = Position::from_fen(c.fen);
        MoveList both;
        generate<Moves::Captures>(*pos, both);
        for (const Move m : both)
            BOOST_TEST(
                (pos->is_capture(m) || (m.kind() == MoveKind::Promotion && m.promoted() == Queen)));
        generate<Moves::Quiets>(*pos, both);
        const MoveList all = legal_moves(*pos);
        BOOST_TEST(both.size() == all.size(), c.fen);
        for (const Move m : all)
            BOOST_TEST(both.contains(m), c.fen);
    }
}

BOOST_AUTO_TEST_SUITE_END()

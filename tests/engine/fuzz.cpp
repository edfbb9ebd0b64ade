// Randomly damaged FENs and move texts, from a fixed seed: nothing crashes, and accepted positions
// and moves are valid. With sanitizers this also finds reads out of bounds.
#include "engine/board/game.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"

#include <random>

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

constexpr std::string_view FenAlphabet = "pnbrqkPNBRQK12345678/ wb-KQkqHAha36 0";
constexpr std::string_view MoveAlphabet = "abcdefgh12345678NBRQKOxo0-=+#()/q!?e.p ";

// Replaces, inserts or removes one or two characters.
std::string damaged(std::string text, std::string_view alphabet, std::mt19937& random) {
    const unsigned changes = 1 + random() % 2;
    for (unsigned i = 0; i < changes; ++i) {
        const std::size_t place = random() % (text.size() + 1);
        const char letter = random() % 16 == 0 ? static_cast<char>(random() % 256)
                                               : alphabet[random() % alphabet.size()];
        switch (random() % 3) {
        case 0:
            text.insert(place, 1, letter);
            break;
        case 1:
            text.erase(place, 1);
            break;
        default:
            text.replace(place, 1, 1, letter);
        }
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fuzz)

BOOST_AUTO_TEST_CASE(a_damaged_fen_is_refused_or_sound) {
    std::mt19937 random(11);
    int accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        const char* const starts[] = {
            StartFen,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w HAha f6 0 3",
            "8/8/1k6/8/2pP4/8/8/4K2R b K d3 99 80"};
        const std::string text = damaged(starts[i % 4], FenAlphabet, random);
        auto pos = Position::from_fen(text);
        if (!pos)
            continue;
        ++accepted;
        BOOST_TEST_REQUIRE(pos->is_consistent(), text);
        BOOST_TEST(Position::from_fen(pos->fen())->key() == pos->key(), text);
        Game game(*pos);
        for (const Move m : legal_moves(*pos)) {
            BOOST_TEST_REQUIRE(pos->is_legal(m), text);
            game.play(m);
            const Position& next = game.position();
            BOOST_TEST(!next.is_attacked(next.king(~next.side_to_move()), next.side_to_move()));
            game.undo();
        }
    }
    BOOST_TEST(accepted > 1'000);
    BOOST_TEST(accepted < 19'000);
}

BOOST_AUTO_TEST_CASE(a_damaged_move_is_refused_or_legal) {
    std::mt19937 random(13);
    const Position pos =
        Position::from_fen("r3k2r/pPppqpb1/bn2pnp1/4N3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
            .value();
    for (int i = 0; i < 50'000; ++i) {
        const char* const starts[] = {"e1g1", "Nxd7", "b7xa8=Q+", "O-O-O", "Qf3-h3!?"};
        const std::string text = damaged(starts[i % 5], MoveAlphabet, random);
        if (const auto m = parse_move(pos, text))
            BOOST_TEST_REQUIRE(pos.is_legal(*m), text);
    }
}

BOOST_AUTO_TEST_SUITE_END()

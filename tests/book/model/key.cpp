// Stored moves, hashes, and the order of positions.
#include "book/model/key.h"

#include "engine/board/movegen.h"
#include "tests/book/helpers.h"

namespace {

std::string hex(const std::string& bytes) {
    std::string text;
    for (const char c : bytes) {
        constexpr const char* Digits = "0123456789abcdef";
        text += {Digits[c >> 4 & 15], Digits[c & 15]};
    }
    return text;
}

std::string blake(std::size_t bytes, std::string_view text) {
    book::Digest digest(bytes);
    digest.add(text);
    return hex(digest.finish());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(key)

BOOST_AUTO_TEST_CASE(the_digest_is_blake2b) {
    // RFC 7693, appendix A.
    BOOST_TEST(blake(64, "abc") ==
               "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
               "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
    BOOST_TEST(blake(64, "").substr(0, 32) == "786a02f742015903c6c6fd852552d272");
}

BOOST_AUTO_TEST_CASE(the_digest_does_not_care_for_pieces) {
    const std::string text(1000, 'x');
    book::Digest digest;
    for (std::size_t at = 0; at < text.size(); at += 128)
        digest.add(std::string_view(text).substr(at, 128));
    BOOST_TEST(hex(digest.finish()) == blake(16, text));
}

BOOST_AUTO_TEST_CASE(a_stored_move_knows_its_side) {
    const book::Move m(12, 28);
    BOOST_TEST(book::mover(book::store(m, engine::White)) == engine::White);
    BOOST_TEST(book::mover(book::store(m, engine::Black)) == engine::Black);
    BOOST_TEST(book::stored_move(book::store(m, engine::Black)).raw() == m.raw());
    BOOST_TEST(book::store(m, engine::White) != book::store(m, engine::Black));
}

BOOST_AUTO_TEST_CASE(progress_never_falls_and_rises_when_there_is_no_way_back) {
    std::uint64_t state = 1;
    for (int round = 0; round < 40; ++round) {
        engine::Position pos;
        for (int ply = 0; ply < 200; ++ply) {
            const engine::MoveList moves = engine::legal_moves(pos);
            if (moves.empty())
                break;
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            const book::Move m = moves[(state >> 33) % moves.size()];
            const bool pawn = engine::type_of(pos.piece_on(m.from())) == engine::Pawn;
            const int rights = pos.castling_rights();
            const bool capture = pos.is_capture(m);
            const int before = book::progress(pos);
            pos.make(m);
            BOOST_TEST_REQUIRE(book::progress(pos) >= before);
            if (pawn || capture || pos.castling_rights() != rights)
                BOOST_TEST_REQUIRE(book::progress(pos) > before);
        }
    }
}

BOOST_AUTO_TEST_CASE(check_bits_tell_positions_apart) {
    const engine::Game game = helpers::play("e4 e5");
    engine::Position other = game.position();
    BOOST_TEST(book::check_bits(other) == book::check_bits(helpers::play("e4 e5").position()));
    other.make(helpers::move(game, "Nf3"));
    BOOST_TEST(book::check_bits(other) != book::check_bits(game.position()));
}

BOOST_AUTO_TEST_SUITE_END()

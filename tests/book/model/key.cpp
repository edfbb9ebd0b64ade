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

// Books hold such digests. The sizes lie around multiples of the block size, 128 bytes.
BOOST_AUTO_TEST_CASE(digests_stay_what_they_were) {
    struct Known {
        std::size_t size;
        const char* bytes;
        std::uint64_t word;
    };
    for (const auto& [size, bytes, word] :
         {Known{0, "cae66941d9efbd404e4d88758ea67670", 4665148505410102986},
          Known{1, "27c35e6e9373877f29e562464e46497e", 9189440641721877287},
          Known{127, "6538c0188abc07f3600268cf8f528301", 17512172977360222309U},
          Known{128, "b17466a99e866eaf42b6c806c9df5be2", 12641189220080579761U},
          Known{129, "e3c5e473ad83883b794eec135dee4685", 4289823426067351011},
          Known{256, "3e2002790daa334fe2473b4084cfbb95", 5707092127650029630},
          Known{257, "5a872f2cf222924394ca9b0d84d51100", 4868992570659669850},
          Known{1000, "3aa6e59e7fbb8728c8e454ea2221cde2", 2920509040174147130}}) {
        std::string text;
        for (std::size_t i = 0; i < size; ++i)
            text += static_cast<char>('a' + i % 26);
        BOOST_TEST(blake(16, text) == bytes);
        book::Digest digest;
        digest.add(text);
        BOOST_TEST(digest.finish_word() == word);
    }
    BOOST_TEST(blake(8, "nutcracker") == "bb8b6f8ed00182ad");
    BOOST_TEST(blake(32, "nutcracker") ==
               "25e01394de8ea6ba6c78915c1b4af3a01a5b3f96ec59b7fc89ec8537acd2050b");
}

BOOST_AUTO_TEST_CASE(keys_and_hashes_of_games_stay_what_they_were) {
    struct Known {
        const char* moves;
        book::Key key;
        std::uint32_t bits;
        int progress;
        std::int64_t content;  // of a drawn game
    };
    for (const auto& [moves, key, bits, progress, content] :
         {Known{"", 0x463b96181691fc9c, 0x440c29e8, 107, 7816235346607032870},
          Known{"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
                0x09a2250f4dfc8f82,
                0xa7c7a77f,
                127,
                -5239333577166888888},
          Known{"e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4",
                0xd33f7739a5c9d388,
                0x449f40e5,
                119,
                -1092065887171342098},
          Known{"d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4",
                0x3a469e6b28127b47,
                0xfa90554a,
                118,
                -3025076949409523101}}) {
        const engine::Game game = helpers::play(moves);
        BOOST_TEST(game.position().key() == key);
        BOOST_TEST(book::check_bits(game.position()) == bits);
        BOOST_TEST(book::progress(game.position()) == progress);
        BOOST_TEST(book::content_hash(game.start(), game.moves(), 0.5) == content);
    }
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

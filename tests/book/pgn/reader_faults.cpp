// One fault each: what files of games have been seen to contain, and texts changed at random.
#include "book/model/utf8.h"
#include "book/pgn/reader.h"
#include "tests/book/helpers.h"

#include <algorithm>
#include <cstring>
#include <random>

using book::PgnGame;
using book::PgnReader;

namespace {

struct Counts {
    std::int64_t games = 0, bad = 0, moves = 0;
    std::uint64_t all = 0;  // a hash of what was read and where
    friend bool operator==(const Counts&, const Counts&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Counts& c) {
        return out << c.games << " games, " << c.bad << " bad, " << c.moves << " moves";
    }
};

Counts count(const std::string& text, std::size_t piece = 1 << 20) {
    PgnReader reader(helpers::pieces(text, piece));
    Counts c;
    const auto mix = [&c](std::uint64_t n) { c.all = (c.all ^ n) * 0x9E37'79B9'7F4A'7C15; };
    for (PgnGame game; reader.next(game);) {
        ++c.games;
        c.bad += game.trouble.empty() ? 0 : 1;
        c.moves += game.trouble.empty() ? static_cast<std::int64_t>(game.moves.size()) : 0;
        mix(static_cast<std::uint64_t>(game.line));
        mix(static_cast<std::uint64_t>(game.trouble_line));
        if (!game.trouble.empty() && (game.trouble_line < game.line || game.line < 1))
            BOOST_ERROR("trouble at line " << game.trouble_line);
        engine::Position pos = game.start;
        for (std::size_t i = 0; i < game.moves.size(); ++i) {
            if (game.keys[i] != pos.key() || !pos.is_legal(game.moves[i]))
                BOOST_ERROR("an illegal move in " << pos.fen());
            pos.make(game.moves[i]);
            mix(game.keys[i]);
        }
    }
    if (!reader.lost_text())
        BOOST_TEST(reader.bytes_read() == static_cast<std::int64_t>(text.size()));
    return c;
}

std::string game(const std::string& tags, const std::string& moves) {
    return "[Event \"E\"]\n" + tags + "\n" + moves + "\n\n";
}
const std::string Before = game("[Round \"1\"]\n", "1. d4 d5 2. c4 1-0");
const std::string After = game("[Round \"2\"]\n", "1. c4 e5 0-1");

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

struct Case {
    std::string name, text;
    bool bad;
    int moves;  // of the game in the middle, if it is clean
};

std::vector<Case> cases() {
    const std::string promotion = "[SetUp \"1\"]\n[FEN \"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n";
    return {
        {"a semicolon comment", game("", "1. e4 ; (a {comment\n e5 2. Nf3 1-0"), false, 3},
        {"an escaped line", game("", "1. e4\n% 1... Ke7 } ( nonsense\ne5 1-0"), false, 2},
        {"Black begins",
         game("[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"]\n",
              "1... e5 2. Nf3 *"),
         false,
         2},
        {"Chess960",
         game("[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/1K1R4 w D - 0 1\"]\n",
              "1. O-O Ke7 *"),
         false,
         2},
        {"another variant", game("[Variant \"Atomic\"]\n", "1. e4 e5 1-0"), true, 0},
        {"no result", game("", "1. e4 e5 2. Nf3"), false, 3},
        {"half a result", game("", "1. e4 e5 1/2"), false, 2},
        {"an illegal move", game("", "1. e4 e5 2. Ke3 1-0"), true, 0},
        {"an ambiguous move", game("", "1. Nf3 e5 2. d3 d6 3. Nd2 1-0"), true, 0},
        {"a byte order mark", "\xEF\xBB\xBF" + game("", "1. e4 e5 1-0"), false, 2},
        {"Latin-1", game("[White \"M\xFCller\"]\n", "1. e4 {\xE4\xF6} e5 1-0"), false, 2},
        {"no empty line", "[Event \"E\"]\n1. e4 e5 1-0\n", false, 2},
        {"empty lines among the moves", game("", "1. e4\n\n\ne5\n\n2. Nf3 1-0"), false, 3},
        {"prose in front", "Round two:\n\n" + game("", "1. e4 e5 1-0"), false, 2},
        {"castling with zeros",
         game("", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 1-0"),
         false,
         8},
        {"coordinates", game("", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 1-0"), false, 7},
        {"e8Q", game(promotion, "1. axb8Q *"), false, 1},
        {"e8(N)", game(promotion, "1. a8(N) *"), false, 1},
        {"e8/R", game(promotion, "1. a8/R *"), false, 1},
        {"long algebraic", game("", "1. e2-e4 e7-e5 2. Ng1-f3 1-0"), false, 3},
        {"a null move", game("", "1. e4 -- 2. d4 1-0"), false, 1},
        {"no numbers", game("", "e4 e5 Nf3 1-0"), false, 3},
        {"no spaces", game("", "1.e4 e5 2.Nf3 Nc6 1-0"), false, 4},
        {"marks of their own", game("", "1. e4 ! e5 ?! $6 2. Nf3 $1$2 += 1-0"), false, 3},
        {"an open variation", game("", "1. e4 (1. d4 d5 1-0"), true, 0},
        {"an open tag value", game("[White \"A\n[Black \"B\"]\n", "1. e4 e5 1-0"), false, 2},
        {"no such position", game("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n", "1. e4 1-0"), true, 0},
        {"zero bytes", game("", "1. e4 " + std::string(3, '\0') + "e5 1-0"), false, 2},
        {"a word of 200,000 letters",
         game("", "1. e4 " + std::string(200'000, 'N') + " 1-0"),
         true,
         0},
        {"a number of 200,000 digits",
         game("", std::string(200'000, '1') + ". e4 e5 1-0"),
         true,
         0},
        {"a comment of 1.2 MB",
         game("", "1. e4 {" + std::string(1'200'000, '(') + "} e5 1-0"),
         false,
         2},
        {"a tag of 300,000 letters",
         game("[Site \"" + std::string(300'000, '\\') + "\"]\n", "e4 1-0"),
         false,
         1},
        {"5000 variations in each other",
         game("", "1. e4 " + repeated("(1. d4 ", 5000) + repeated(")", 5000) + " e5 1-0"),
         false,
         2},
        {"5000 tags", game(repeated("[A \"b\"]\n", 5000), "1. e4 e5 1-0"), false, 2},
        {"3000 plies", game("", repeated("Nf3 Nf6 Ng1 Ng8 ", 750) + "1-0"), false, 3000},
        {"mark-up", game("", "<b>1. e4</b> <i>e5</i> 1-0"), false, 2},
        {"the end of a file of DOS", game("", "1. e4 e5 1-0\x1A"), false, 2},
        {"the same behind a move", game("", "1. e4 e5\x1A"), false, 2},
        {"no moves", game("", "*"), false, 0},
        {"no moves and no result", game("", ""), false, 0},
    };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reader_faults)

BOOST_AUTO_TEST_CASE(one_fault_harms_no_other_game) {
    for (const Case& c : cases()) {
        BOOST_TEST_CONTEXT(c.name) {
            const Counts whole = count(Before + c.text + After);
            BOOST_TEST(whole.games == 3);
            BOOST_TEST(whole.bad == (c.bad ? 1 : 0));
            BOOST_TEST(whole.moves == 3 + c.moves + 2);
            BOOST_TEST(count(Before + c.text + After, 1000) == whole);
        }
    }
}

BOOST_AUTO_TEST_CASE(line_ends_make_no_difference) {
    for (const Case& c : cases()) {
        if (c.text.size() > 100'000)
            continue;
        const Counts unix_way = count(Before + c.text + After);
        for (const char* end : {"\r\n", "\r"}) {
            std::string text;
            for (const char letter : Before + c.text + After)
                text += letter == '\n' ? end : std::string(1, letter);
            const Counts other = count(text);
            BOOST_TEST(other == unix_way, c.name);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_comment_without_end_costs_its_game_alone) {
    const Counts c = count(Before + game("", "1. e4 {no end") + After);
    BOOST_TEST(c.games == 3);
    BOOST_TEST(c.bad == 1);
    BOOST_TEST(c.moves == 3 + 2);
}

BOOST_AUTO_TEST_CASE(tags_in_latin_1_are_converted) {
    const auto white = [](const std::string& value) {
        const std::string text = game("[White \"" + value + "\"]\n", "1. e4 e5 1-0");
        PgnReader reader(helpers::pieces(text, 1 << 20));
        PgnGame read;
        BOOST_TEST_REQUIRE(reader.next(read));
        return read.white;
    };
    BOOST_TEST(white("M\xFCller") == "M\xC3\xBCller");
    BOOST_TEST(white("M\xC3\xBCller") == "M\xC3\xBCller");
    BOOST_TEST(white("Ren\xE9") == "Ren\xC3\xA9");
    BOOST_TEST(white("a \\\"M\xFCller\\\"") == "a \"M\xC3\xBCller\"");
    BOOST_TEST(white("\xE2\x99\x94 \xF0\x9F\x98\x80") == "\xE2\x99\x94 \xF0\x9F\x98\x80");
    for (const char* const bad : {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xE9"}) {
        BOOST_TEST(!book::is_utf8(bad));
        BOOST_TEST(book::utf8_to_latin1(white(bad)).value() == bad);
    }
    // A long value is not cut inside a character.
    BOOST_TEST(white("x" + repeated("\xC3\xBC", 200)) == "x" + repeated("\xC3\xBC", 127));
    BOOST_TEST(white(repeated("\xC3\xBC", 200)) == repeated("\xC3\xBC", 127));
    BOOST_TEST(!book::utf8_to_latin1("\xE2\x99\x94"));
}

BOOST_AUTO_TEST_CASE(texts_changed_at_random_are_read_the_same_in_any_pieces) {
    std::mt19937_64 random(5);  // NOLINT(cert-msc*): the same texts every time
    const std::array<std::string, 22> parts{"{",
                                            "}",
                                            "(",
                                            ")",
                                            "[",
                                            "]",
                                            "\"",
                                            "\\",
                                            "\r",
                                            "\n",
                                            std::string(1, '\0'),
                                            "--",
                                            "O-O-O",
                                            "e8=Q",
                                            "1-0",
                                            "*",
                                            "[Event \"x\"]\n",
                                            "\n%",
                                            ";",
                                            "$1",
                                            "<b>",
                                            "\xEF\xBB\xBF"};
    std::vector<std::string> seeds;
    for (const Case& c : cases())
        if (c.text.size() < 2000)
            seeds.push_back(Before + c.text + After);
    for (int i = 0; i < 1500; ++i) {
        std::string text = seeds[random() % seeds.size()];
        for (std::uint64_t changes = 1 + random() % 6; changes > 0 && !text.empty(); --changes) {
            const std::size_t at = random() % text.size();
            switch (random() % 5) {
            case 0:
                text[at] = static_cast<char>(random());
                break;
            case 1:
                text.erase(at, 1 + random() % 20);
                break;
            case 2:
                text.insert(at, parts[random() % parts.size()]);
                break;
            case 3:
                text.insert(at, text.substr(random() % text.size(), random() % 100));
                break;
            default:
                text.insert(at, random() % 600, "({[a1e4"[random() % 7]);
            }
        }
        const Counts whole = count(text);
        BOOST_TEST_REQUIRE(count(text, 1 + random() % 300) == whole, text);
    }
}

BOOST_AUTO_TEST_SUITE_END()

// Reading games from PGN as programs and people write it.
#include "book/pgn/reader.h"

#include "tests/book/helpers.h"

#include <algorithm>
#include <cstring>

using book::Outcome;
using book::PgnGame;
using book::PgnReader;

namespace {

struct Read {
    std::vector<PgnGame> games;
    std::int64_t other_lines = 0;
};

// With pieces of any size, as a file or a pipe gives them.
Read read(const std::string& text, std::size_t piece = 1 << 20) {
    PgnReader reader(helpers::pieces(text, piece));
    Read all;
    for (PgnGame game; reader.next(game);)
        all.games.push_back(game);
    all.other_lines = reader.other_lines();
    return all;
}

std::string moves_of(const PgnGame& game) {
    engine::Position pos = game.start;
    std::string text;
    for (const engine::Move m : game.moves) {
        text += (text.empty() ? "" : " ") + to_san(pos, m);
        pos.make(m);
    }
    return text;
}

const std::string Tags = "[Event \"E\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n";

// The moves of one clean game with this text.
std::string clean(const std::string& text) {
    const Read all = read(Tags + text);
    BOOST_TEST_REQUIRE(all.games.size() == 1U);
    BOOST_TEST(all.games[0].trouble == "");
    return moves_of(all.games[0]);
}

std::string trouble(const std::string& text) {
    const Read all = read(Tags + text);
    BOOST_TEST_REQUIRE(!all.games.empty());
    return all.games[0].trouble;
}

std::string with_fen(const std::string& fen, const std::string& moves) {
    const Read all = read("[Event \"E\"]\n[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n\n" + moves);
    BOOST_TEST_REQUIRE(all.games.size() == 1U);
    return all.games[0].trouble.empty() ? moves_of(all.games[0])
                                        : "trouble: " + all.games[0].trouble;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reader)

BOOST_AUTO_TEST_CASE(tags_and_moves_are_read) {
    const Read all = read("[Event \"World \\\"Cup\\\"\"]\n[White \"Anand, V\"]\n[WhiteElo "
                          "\"2788\"]\n[BlackElo \"?\"]\n"
                          "[Date \"2007.09.13\"]\n[ECO \"C42\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 "
                          "2. Nf3 Nf6 1/2-1/2\n");
    BOOST_TEST_REQUIRE(all.games.size() == 1U);
    const PgnGame& g = all.games[0];
    BOOST_TEST(g.event == "World \"Cup\"");
    BOOST_TEST(g.white == "Anand, V");
    BOOST_TEST(g.white_rating == 2788);
    BOOST_TEST(g.black_rating == 0);
    BOOST_TEST((g.outcome == Outcome::Draw));
    BOOST_TEST(moves_of(g) == "e4 e5 Nf3 Nf6");
    BOOST_TEST(g.keys.size() == 4U);
    BOOST_TEST(g.keys[0] == engine::Position().key());
    BOOST_TEST(g.line == 1);
}

BOOST_AUTO_TEST_CASE(pieces_of_any_size_give_the_same) {
    std::string text;
    for (int i = 0; i < 30; ++i)
        text +=
            Tags +
            "1. e4 {a comment (with) ; things} e5 2. Nf3 (2. f4 exf4 {x}) Nc6 $1 3. Bb5!? 1-0\n\n";
    const Read whole = read(text);
    BOOST_TEST_REQUIRE(whole.games.size() == 30U);
    for (const std::size_t piece : {1U, 2U, 7U, 64U, 300U}) {
        const Read parts = read(text, piece);
        BOOST_TEST_REQUIRE(parts.games.size() == 30U);
        for (const PgnGame& g : parts.games)
            BOOST_TEST_REQUIRE(moves_of(g) == "e4 e5 Nf3 Nc6 Bb5");
        BOOST_TEST(parts.games.back().line == whole.games.back().line);
    }
}

BOOST_AUTO_TEST_CASE(comments_variations_and_marks_are_skipped) {
    BOOST_TEST(clean("1. e4 {x {y} e5 ; rest d4\n2. Nf3! $14 Nc6?! 1-0") == "e4 e5 Nf3 Nc6");
    BOOST_TEST(clean("1. e4 e5 (1... c5 2. Nf3 (2. c3 (2. d4) d5) 2... d6) 2. Nf3 1-0") ==
               "e4 e5 Nf3");
    BOOST_TEST(clean("1. e4 (1. d4 {a ) in a comment}) e5 1-0") == "e4 e5");
    BOOST_TEST(clean("1. e4 { [%clk 0:01:00] } 1... c5 { [%eval #-4] } 1-0") == "e4 c5");
    BOOST_TEST(clean("% 1. d4 d5\n1. e4 e5\n%x\n1-0") == "e4 e5");
    std::string deep = "1. e4 ";
    for (int i = 0; i < 5000; ++i)
        deep += "(1. d4 ";
    deep += std::string(5000, ')');
    BOOST_TEST(clean(deep + " e5 1-0") == "e4 e5");
}

BOOST_AUTO_TEST_CASE(a_comment_of_megabytes_is_skipped) {
    BOOST_TEST(clean("1. e4 {" + std::string(3'000'000, 'x') + "} e5 1-0") == "e4 e5");
}

BOOST_AUTO_TEST_CASE(moves_are_read_however_people_write_them) {
    BOOST_TEST(clean("e4 e5 Nf3 Nc6 1-0") == "e4 e5 Nf3 Nc6");
    BOOST_TEST(clean("1.e4 e5 2.Nf3 Nc6 1-0") == "e4 e5 Nf3 Nc6");
    BOOST_TEST(clean("1.e2e4 e7e5 2.Ng1f3 Nb8-c6 3.Bf1-b5 a7-a6 1-0") == "e4 e5 Nf3 Nc6 Bb5 a6");
    BOOST_TEST(clean("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 5. d3 o-o 1-0") ==
               "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O");
    BOOST_TEST(clean("1. e2\u2013e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0\u20130 Nf6 5. d3 O\u2013O 1-0") ==
               "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O");
    BOOST_TEST(clean("1. e4 d5 2. ed5 Qxd5 3. d4 e5 4. de5 1-0") == "e4 d5 exd5 Qxd5 d4 e5 dxe5");
    BOOST_TEST(clean("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 4. Nf3+ 1-0") ==
               "e4 a6 e5 d5 exd6 cxd6 Nf3");
    BOOST_TEST(clean("1. f3 e5 2. g4 Qh4mate 1-0") == "f3 e5 g4 Qh4#");
    BOOST_TEST(clean("1. ... e4 1... e5 1-0") == "e4 e5");
    BOOST_TEST(clean("1.e4 e5 2.\u2658f3 \u265Ec6 3. \u2657b5 1-0") == "e4 e5 Nf3 Nc6 Bb5");
    BOOST_TEST(clean("1. e4 e5 2. nf3 nc6 3. Bb5 1-0") == "e4 e5 Nf3 Nc6 Bb5");
}

BOOST_AUTO_TEST_CASE(signs_of_the_informator_are_skipped) {
    for (const char* text : {"1. e4 \u00B1 e5\u221E 2. Nf3\u2A72 \u25A1 Nc6! 3. Bb5 +- 1-0",
                             "1. e4 \xB1 e5 2. Nf3\xB1 Nc6 3. Bb5 1-0"}) {
        const Read all = read(std::string("[Event \"E\"]\n\n") + text);
        BOOST_TEST_REQUIRE(all.games.size() == 1U);
        BOOST_TEST(all.games[0].trouble == "");
        BOOST_TEST(all.games[0].moves.size() == 5U);
    }
    const Read figurine =
        read("[Event \"E\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=\u2655+ *");
    BOOST_TEST(figurine.games.at(0).moves.size() == 1U);
}

BOOST_AUTO_TEST_CASE(pinned_pieces_need_no_telling_apart) {
    BOOST_TEST(with_fen("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "1. Ne2") == "Ne2");
    BOOST_TEST(with_fen("6k1/8/8/8/R6R/8/8/R5K1 w - - 0 1", "1. R1a3 Kg7 2. Rad4 Kf6 3. Rhe4") ==
               "R1a3 Kg7 Rad4 Kf6 Rhe4");
    BOOST_TEST(with_fen("6k1/8/8/8/R6R/8/8/R5K1 w - - 0 1", "1. Rd4")
                   .starts_with("trouble: 1. \"Rd4\" is ambiguous"));
}

BOOST_AUTO_TEST_CASE(promotions_are_read) {
    constexpr const char* Fen = "1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1";
    for (const char* text :
         {"1. axb8=Q+", "1. axb8Q", "1. axb8(Q)", "1. axb8/Q", "1. a7b8q", "1. ab8=Q"})
        BOOST_TEST(with_fen(Fen, text) == "axb8=Q+", text);
    BOOST_TEST(with_fen(Fen, "1. a8=N") == "a8=N");
    BOOST_TEST(with_fen(Fen, "1. a8").starts_with("trouble"));
    BOOST_TEST(with_fen(Fen, "1. axb8=K").starts_with("trouble"));
}

BOOST_AUTO_TEST_CASE(an_illegal_move_is_told_with_its_place) {
    const Read all =
        read(Tags + "1. d4 d5 1-0\n\n" + Tags +
             "1. e4 e5\n2. Nf3 Nc6 3. Bb5 a6\n4. Bxh8 Nf6 1-0\n\n" + Tags + "1. c4 1-0\n");
    BOOST_TEST_REQUIRE(all.games.size() == 3U);
    BOOST_TEST(all.games[0].trouble == "");
    BOOST_TEST(all.games[1].trouble == "4. \"Bxh8\" is not legal");
    BOOST_TEST(all.games[1].trouble_line == 15);
    BOOST_TEST(all.games[1].number == 2);
    BOOST_TEST(all.games[2].trouble == "");
    BOOST_TEST(trouble("1. e4 hello 1-0") == "1... \"hello\" is not a move");
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_is_told) {
    BOOST_TEST(trouble("1. e4 e5 2. Nx") == "2. \"Nx\" is not a move");
    BOOST_TEST(trouble("1. e4 {no end") == "a comment that is not closed");
    BOOST_TEST(trouble("1. e4 (1. d4 d5\n") == "a variation that is not closed");
    BOOST_TEST(trouble("1. e4 " + std::string(200'000, 'x') + " e5 1-0")
                   .starts_with("a word that is too long"));
    const Read all = read(Tags + "1. e4 (1. d4 d5\n\n" + Tags + "1. c4 1-0\n");
    BOOST_TEST_REQUIRE(all.games.size() == 2U);
    BOOST_TEST(all.games[0].trouble != "");
    BOOST_TEST(moves_of(all.games[1]) == "c4");
}

BOOST_AUTO_TEST_CASE(a_null_move_ends_the_line) {
    for (const std::string null : {"--", "0000"}) {
        const Read all =
            read(Tags + "1. e4 " + null + " 2. d4 nonsense 1-0\n" + Tags + "1. c4 1-0\n");
        BOOST_TEST_REQUIRE(all.games.size() == 2U);
        BOOST_TEST(all.games[0].trouble == "");
        BOOST_TEST(all.games[0].note.starts_with("null move"));
        BOOST_TEST(moves_of(all.games[0]) == "e4");
    }
}

BOOST_AUTO_TEST_CASE(results_are_found_in_tag_or_text) {
    const auto outcome = [](const std::string& tag, const std::string& text) {
        const Read all = read("[Event \"E\"]\n" + tag + "\n1. e4 e5 " + text);
        BOOST_TEST_REQUIRE(all.games.size() == 1U);
        BOOST_TEST(all.games[0].trouble == "");
        return all.games[0].outcome;
    };
    BOOST_TEST((outcome("", "0-1") == Outcome::Black));
    BOOST_TEST((outcome("", "1/2") == Outcome::Draw));
    BOOST_TEST((outcome("", "1\u20130") == Outcome::White));
    BOOST_TEST((outcome("", "1/2\u20131/2") == Outcome::Draw));
    BOOST_TEST((outcome("", "*") == Outcome::Unknown));
    BOOST_TEST((outcome("", "") == Outcome::Unknown));
    const std::string tag_alone = "[Event \"E\"]\n[Result \"1-0\"]\n\n1. e4 e5\n\n";
    for (const PgnGame& game : read(tag_alone + tag_alone).games)
        BOOST_TEST((game.outcome == Outcome::White && game.trouble.empty()));
    BOOST_TEST((outcome("[Result \"*\"]\n", "0-1") == Outcome::Black));
    BOOST_TEST((outcome("[Result \"1-0\"]\n", "*") == Outcome::White));
}

BOOST_AUTO_TEST_CASE(the_result_behind_the_moves_counts_more_than_the_tag) {
    const auto outcome = [](const std::string& tag, const std::string& end) {
        return read("[Event \"E\"]\n[Result \"" + tag + "\"]\n\n1. e4 e5 " + end)
            .games.at(0)
            .outcome;
    };
    BOOST_TEST((outcome("1-0", "0-1") == Outcome::Black));
    BOOST_TEST((outcome("1/2-1/2", "1-0") == Outcome::White));
    BOOST_TEST((outcome("0-1", "1/2") == Outcome::Draw));
}

BOOST_AUTO_TEST_CASE(numbers_of_moves_are_read_however_people_write_them) {
    BOOST_TEST(clean("1 .d4 d5 2 . c4 e6 3 ...Nc3 1-0") == "d4 d5 c4 e6 Nc3");
    BOOST_TEST(clean("1) d4 d5 2)c4 e6 3, Nc3 1-0") == "d4 d5 c4 e6 Nc3");
    BOOST_TEST(clean("1- d4 d5 2-c4 e6 3- Nc3 1-0") == "d4 d5 c4 e6 Nc3");
    BOOST_TEST(trouble("1. d4 d5 1-1/2") == "\"1-1/2\" is not a move");
    BOOST_TEST(trouble("1. d4 d5 1-5") == "\"1-5\" is not a move");
}

BOOST_AUTO_TEST_CASE(quotation_marks_inside_a_value_belong_to_it) {
    const Read all = read("[Event \"The \"Masters\"\"]\n[White \"Smith \"Joe\" A.\"]\n"
                          "[Black \"\"Bo\"\" ]\n[Site \"a \\\"b\\\"]\n"
                          "[WhiteElo \"2400\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    BOOST_TEST_REQUIRE(all.games.size() == 1U);
    BOOST_TEST(all.games[0].trouble == "");
    BOOST_TEST(all.games[0].event == "The \"Masters\"");
    BOOST_TEST(all.games[0].white == "Smith \"Joe\" A.");
    BOOST_TEST(all.games[0].black == "\"Bo\"");
    BOOST_TEST(all.games[0].white_rating == 2400);
    // Two tags on a line, and a bracket that is missing.
    const Read more = read("[Event \"E\"] [White \"A\"][Black \"B\"\n[ECO \"C20\" \n\n1. e4 1-0\n");
    BOOST_TEST_REQUIRE(more.games.size() == 1U);
    BOOST_TEST(more.games[0].white == "A");
    BOOST_TEST(more.games[0].black == "B");
    BOOST_TEST(more.games[0].eco == "C20");
}

BOOST_AUTO_TEST_CASE(games_without_tags_are_read_or_told) {
    BOOST_TEST(moves_of(read("{ x } 1. e4 e5 *\n").games.at(0)) == "e4 e5");
    BOOST_TEST(moves_of(read("{ x\ny }\n{ z } 1. e4 e5 *\n").games.at(0)) == "e4 e5");
    BOOST_TEST(moves_of(read("1. d4 * {a} {b} \n} 1. e4 e5 *\n").games.at(1)) == "e4 e5");
    for (const char* text : {"\n1. e4 hello e5 2. Nf3 *\n", "\n{ a { b } } 1. e4 hello e5 *\n"}) {
        const Read odd = read(text);
        BOOST_TEST_REQUIRE(odd.games.size() == 1U);
        BOOST_TEST(odd.games[0].trouble == "1... \"hello\" is not a move");
        BOOST_TEST(odd.games[0].trouble_line == 2);
        BOOST_TEST(odd.other_lines == 0);
    }
    BOOST_TEST(read("e4 is the best move\na5 and b5 are pages\n").games.empty());
}

BOOST_AUTO_TEST_CASE(a_comment_that_nobody_closed_ends_before_the_next_game) {
    const std::string next = "\n\n" + Tags + "1. c4 e5 1-0\n";
    for (const char* end : {"\n", "\r\n", "\r"})
        for (const std::string before :
             {"{ no end", "1-0 { no end", "1-0\n\n{ no end\nin\nlines"}) {
            std::string text;
            for (const char c : Tags + "1. e4 e5 " + before + next + "{ closed } 1. d4 d5 *\n")
                text += c == '\n' ? end : std::string(1, c);
            for (const std::size_t piece : {1U, 5U, 100'000U}) {
                const Read all = read(text, piece);
                BOOST_TEST_REQUIRE(all.games.size() == 3U);
                BOOST_TEST(all.games[0].trouble.empty() == before.starts_with("1-0"));
                BOOST_TEST(moves_of(all.games[1]) == "c4 e5");
                BOOST_TEST(moves_of(all.games[2]) == "d4 d5");
            }
        }
    // Closed much later, behind many games.
    const Read late = read(Tags + "1. e4 {open" + next + next + "{ closed }" + next);
    BOOST_TEST(late.games.size() == 4U);
    BOOST_TEST(late.games[0].trouble == "a comment that is not closed");
    BOOST_TEST(late.games[0].trouble_line == 6);
    // Not after an empty line, or not at the beginning of one: it is a comment.
    BOOST_TEST(clean("1. e4 {see\n[Event \"x\"]\n\n and [Event \"x\"]} e5 1-0") == "e4 e5");
    BOOST_TEST(clean("1. e4 {see\n\n[Eventful]\n\nx\n[Event \"x\"]} e5 1-0") == "e4 e5");
    BOOST_TEST(clean("1. e4 {\n\n" + std::string(600'000, 'x') + "\n\n} e5 1-0") == "e4 e5");
}

BOOST_AUTO_TEST_CASE(games_run_together_or_apart_are_told_apart) {
    const std::string game = "[Event \"E\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0";
    BOOST_TEST(read(game + "\n" + game).games.size() == 2U);
    BOOST_TEST(read(game + "\n\n\n\n" + game).games.size() == 2U);
    BOOST_TEST(read("[Event \"E\"]\n\n1. e4 e5\n\n[Event \"F\"]\n\n1. d4\n").games.size() == 2U);
    BOOST_TEST(read("[Event \"E\"]\n\n1. e4\n\ne5\n\n2. Nf3 1-0\n").games.size() == 1U);
    BOOST_TEST(read("[Event \"E\"]\n\n[Result \"1-0\"]\n\n1. e4 1-0\n").games.size() == 1U);
    BOOST_TEST(read("[Event \"E\"]\n[Result \"*\"]\n\n[Event \"F\"]\n\n*\n").games.size() == 2U);
    BOOST_TEST(read("1. e4 e5 1-0\n\n1. d4 d5 0-1\n").games.size() == 2U);
    for (const std::string end : {"\n", "\n\n"}) {  // lists of lines, and one with a fault
        const Read lines =
            read("1. e4 e5 2. Nf3" + end + "1. e4 e6 2. Ne3" + end + "1. d4 d5" + end);
        BOOST_TEST_REQUIRE(lines.games.size() == 3U);
        BOOST_TEST(moves_of(lines.games[0]) == "e4 e5 Nf3");
        BOOST_TEST(lines.games[1].trouble == "2. \"Ne3\" is not legal");
        BOOST_TEST(moves_of(lines.games[2]) == "d4 d5");
    }
    BOOST_TEST(moves_of(read("1. e4\n1... e5\n2. Nf3 *\n").games.at(0)) == "e4 e5 Nf3");
}

BOOST_AUTO_TEST_CASE(line_ends_of_all_systems_and_a_byte_order_mark) {
    const std::string game =
        "[Event \"E\"]\n[Result \"1-0\"]\n\n1. e4 ; a comment\ne5 2. Xx 1-0\n\n";
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        std::string text = "\xEF\xBB\xBF";
        for (const char c : game + game)
            text += c == '\n' ? end : std::string(1, c);
        const Read all = read(text);
        BOOST_TEST_REQUIRE(all.games.size() == 2U);
        BOOST_TEST(all.games[1].line == 7);
        BOOST_TEST(all.games[1].trouble_line == 11);
    }
}

BOOST_AUTO_TEST_CASE(other_text_is_skipped_and_counted) {
    const Read all = read("Dear friend,\nhere are my games. 1. The first one:\n\n" + Tags +
                          "1. e4 e5 1-0\n\nand one more\n\n" + Tags + "1. d4 1-0\nBye\n");
    BOOST_TEST(all.games.size() == 2U);
    BOOST_TEST(all.other_lines == 4);
    BOOST_TEST(read("1. This is no game at all\n2. Neither is this\n").games.empty());
}

BOOST_AUTO_TEST_CASE(rubbish_neither_stops_nor_hurts) {
    std::string rubbish;
    std::uint64_t state = 7;
    for (int i = 0; i < 65'536; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        rubbish += static_cast<char>(state >> 56);
    }
    for (const std::size_t piece : {std::size_t{3}, std::size_t{1} << 20}) {
        const Read all =
            read(Tags + "1. e4 1-0\n\n" + rubbish + "\n\n" + Tags + "1. d4 d5 1-0\n", piece);
        BOOST_TEST_REQUIRE(all.games.size() >= 1U);
        BOOST_TEST(moves_of(all.games[0]) == "e4");
    }
    std::string zeros = Tags + "1. e4 e5 1-0\n";
    zeros.insert(60, 10, '\0');
    BOOST_TEST(read(zeros).games.size() == 1U);
}

BOOST_AUTO_TEST_CASE(long_tags_are_cut) {
    const Read all = read("[Event \"" + std::string(300'000, 'x') +
                              "\"]\n[White \"A\n[Black \"B\"]\n\n1. e4 1-0\n",
                          1000);
    BOOST_TEST_REQUIRE(all.games.size() == 1U);
    BOOST_TEST(all.games[0].event.size() == 255U);
    BOOST_TEST(all.games[0].white == "A");
    BOOST_TEST(all.games[0].black == "B");
    BOOST_TEST(moves_of(all.games[0]) == "e4");
}

BOOST_AUTO_TEST_CASE(other_rules_are_left_out_and_chess960_is_not) {
    const auto variant = [](const std::string& tags) {
        return read("[Event \"E\"]\n" + tags + "\n\n1. d4 d5 1-0\n").games.at(0);
    };
    BOOST_TEST(
        variant("[Variant \"Crazyhouse\"]").trouble.starts_with("a game of another chess variant"));
    BOOST_TEST(variant("[Variant \"Standard\"]").trouble == "");
    BOOST_TEST(variant("[Variant \"Chess960\"]\n[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN "
                       "w KQkq - 0 1\"]")
                   .trouble == "");
    BOOST_TEST(variant("[FEN \"no position\"]").trouble.starts_with("the start position"));
}

BOOST_AUTO_TEST_CASE(a_game_of_thousands_of_moves_is_read) {
    std::string text;
    for (int i = 0; i < 750; ++i)
        text += "Nf3 Nf6 Ng1 Ng8 ";
    const Read all = read(Tags + text + "1-0");
    BOOST_TEST_REQUIRE(all.games.size() == 1U);
    BOOST_TEST(all.games[0].moves.size() == 3000U);
}

BOOST_AUTO_TEST_SUITE_END()

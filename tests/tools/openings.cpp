#include "tools/common/openings.h"

#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/platform/program.h"
#include "tools/match/played_game.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <boost/test/unit_test.hpp>

namespace {

const auto AcceptAll = [](const engine::Position&) { return true; };

// A temporary file with this text.
class File {
  public:
    File(const char* name, const std::string& text)
        : path_(std::filesystem::temp_directory_path() /
                (std::to_string(engine::platform::process_number()) + name)) {
        std::ofstream(path_) << text;
    }
    ~File() { std::filesystem::remove(path_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

std::string coordinates(const tools::Opening& opening) {
    std::string text;
    for (const engine::Move m : opening.moves)
        text += engine::to_coordinates(m) + ' ';
    return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(openings)

BOOST_AUTO_TEST_CASE(pgn_gives_the_main_line_only) {
    const auto games = tools::parse_pgn("[Event \"a [b] { c\"]\n[Result \"1-0\"]\n\n"
                                        "1.e4 {good; 1. d4 (is} e5 ; rest e6\n"
                                        "2. Nf3 $1 (2. f4 exf4 (2... d5)) 2... Nc6!? 1-0\n\n"
                                        "[Event \"b\"]\n\n1. d4 d5 *\n",
                                        0);
    BOOST_REQUIRE(games.has_value());
    BOOST_REQUIRE(games->size() == 2);
    BOOST_TEST(coordinates((*games)[0]) == "e2e4 e7e5 g1f3 b8c6 ");
    BOOST_TEST(coordinates((*games)[1]) == "d2d4 d7d5 ");
}

BOOST_AUTO_TEST_CASE(annotation_signs_that_stand_alone_are_skipped) {
    const auto game = tools::parse_pgn("1. e4 !? e5 ?! 2.Nf3 += Nc6 +/- 3.Bb5 \xC2\xB1 = a6 *", 0);
    BOOST_REQUIRE(game.has_value());
    BOOST_TEST(coordinates(game->front()) == "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 ");
    BOOST_TEST(!tools::parse_pgn("1. e4 -- 2. d4 *", 0).has_value());  // a null move
}

BOOST_AUTO_TEST_CASE(pgn_can_start_from_a_position_and_be_cut) {
    const auto games =
        tools::parse_pgn("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 2. e5 *\n", 2);
    BOOST_REQUIRE(games.has_value());
    BOOST_TEST(games->front().start.fen() == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    BOOST_TEST(coordinates(games->front()) == "e2e4 e8d7 ");
}

BOOST_AUTO_TEST_CASE(a_bad_move_is_quoted) {
    const auto games = tools::parse_pgn("[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n", 0);
    BOOST_REQUIRE(!games.has_value());
    BOOST_TEST(games.error().what == "game 1: bad move in an opening: Ke3");
}

BOOST_AUTO_TEST_CASE(epd_fen_and_table_lines_are_read) {
    const File epd("o.epd",
                   "# two\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5;\n"
                   "4k3/8/8/8/8/8/4P3/4K3 w - - 12 34\n");
    const auto positions = tools::read_openings(epd.path(), 0);
    BOOST_REQUIRE(positions.has_value());
    BOOST_REQUIRE(positions->size() == 2);
    BOOST_TEST((*positions)[0].start.side_to_move() == engine::Black);
    BOOST_TEST((*positions)[1].start.halfmove_clock() == 12);

    const File table("o.tsv", "eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n");
    const auto lines = tools::read_openings(table.path(), 0);
    BOOST_REQUIRE(lines.has_value());
    BOOST_TEST(coordinates(lines->front()) == "e2e4 e7e5 ");
}

BOOST_AUTO_TEST_CASE(the_case_of_a_name_does_not_matter) {
    const File games("O.PGN", "[Event \"a\"]\n\n1. e4 *\n");
    BOOST_TEST(coordinates(tools::read_openings(games.path(), 0).value().front()) == "e2e4 ");
    const File table("O.Tsv", "ECO\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n");
    BOOST_TEST(coordinates(tools::read_openings(table.path(), 0).value().front()) == "e2e4 e7e5 ");
}

BOOST_AUTO_TEST_CASE(a_compressed_file_is_named_as_such) {
    for (const auto& [bytes, packer] : {std::pair("\x1F\x8B\x08\x08", "gzip"),
                                        std::pair("BZh91AY", "bzip2"),
                                        std::pair("\x28\xB5\x2F\xFD$", "zstd"),
                                        std::pair("\xFD\x37zXZ", "xz"),
                                        std::pair("PK\x03\x04", "zip")}) {
        const File file("o.pgn.gz", bytes);
        const auto openings = tools::read_openings(file.path(), 0);
        BOOST_REQUIRE_MESSAGE(!openings.has_value(), packer);
        BOOST_TEST(openings.error().what ==
                   file.path() + " is packed by " + packer + "; unpack it first");
    }
}

BOOST_AUTO_TEST_CASE(bad_files_get_one_clear_line) {
    BOOST_TEST(!tools::read_openings("/nowhere/at.epd", 0).has_value());
    const File empty("e.epd", "# nothing\n");
    BOOST_TEST(tools::read_openings(empty.path(), 0).error().what.ends_with("no openings"));
    const File bad("b.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\nrubbish\n");
    BOOST_TEST(tools::read_openings(bad.path(), 0).error().what.find("line 2") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_opening_must_leave_a_game_to_play) {
    const auto complaint = [](const char* name, const std::string& text) {
        const File file(name, text);
        const auto openings = tools::read_openings(file.path(), 0);
        BOOST_REQUIRE_MESSAGE(!openings.has_value(), text);
        return openings.error().what.substr(file.path().size());
    };
    const std::string over = "the game is over after this opening";
    BOOST_TEST(complaint("o.tsv", "eco\tname\tpgn\nC20\tOpen Game\n") ==
               ": line 2: fewer than three columns");
    BOOST_TEST(complaint("o.tsv", "A00\tFool's Mate\t1. f3 e5 2. g4 Qh4#\n") ==
               ": line 1: " + over);
    BOOST_TEST(complaint("o.pgn", "1. e4 *\n\n[Event \"b\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n") ==
               ": game 2: " + over);
    BOOST_TEST(complaint("o.epd", "4k3/8/8/8/8/8/8/4K3 w - -\n") == ": line 1: " + over);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_skipped) {
    const std::string mark = "\xEF\xBB\xBF";
    BOOST_TEST(coordinates(tools::parse_pgn(mark + "1. e4 *\n", 0).value().front()) == "e2e4 ");
    const File table("o.tsv", mark + "eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n");
    BOOST_TEST(tools::read_openings(table.path(), 0).value().size() == 1);
}

BOOST_AUTO_TEST_CASE(random_lines_repeat_with_their_seed) {
    const auto first = tools::random_openings(20, 8, 7, AcceptAll);
    const auto again = tools::random_openings(20, 8, 7, AcceptAll);
    const auto other = tools::random_openings(20, 8, 8, AcceptAll);
    BOOST_REQUIRE(first.size() == 20);
    bool differs = false;
    for (std::size_t i = 0; i < first.size(); ++i) {
        BOOST_TEST(coordinates(first[i]) == coordinates(again[i]));
        differs = differs || coordinates(first[i]) != coordinates(other[i]);
        BOOST_TEST(first[i].moves.size() == 8);
    }
    BOOST_TEST(differs);
}

BOOST_AUTO_TEST_CASE(random_lines_are_legal_different_and_accepted) {
    std::set<engine::Key> ends;
    const auto white_to_trade = [](const engine::Position& pos) {
        return engine::count_legal_moves(pos) > 25;
    };
    for (const tools::Opening& line : tools::random_openings(30, 6, 3, white_to_trade)) {
        engine::Position pos = line.start;
        for (const engine::Move m : line.moves) {
            BOOST_REQUIRE(pos.is_legal(m));
            pos.make(m);
        }
        BOOST_TEST(!pos.in_check());
        BOOST_TEST(engine::count_legal_moves(pos) > 25);
        BOOST_TEST(ends.insert(pos.key()).second);
    }
    BOOST_TEST(ends.size() == 30);
}

BOOST_AUTO_TEST_CASE(impossible_wishes_end) {
    const auto none = tools::random_openings(1, 2, 1, [](const auto&) { return false; });
    BOOST_TEST(none.empty());
    BOOST_TEST(tools::random_openings(5, 0, 1, AcceptAll).size() == 1);
}

BOOST_AUTO_TEST_CASE(a_read_error_is_not_the_end_of_the_file) {
    const std::string folder = (std::filesystem::temp_directory_path() /
                                (std::to_string(engine::platform::process_number()) + "folder.pgn"))
                                   .string();
    std::filesystem::create_directory(folder);
    const auto openings = tools::read_openings(folder, 0);
    std::filesystem::remove(folder);
    BOOST_REQUIRE(!openings.has_value());
    BOOST_TEST(openings.error().what == "cannot read \"" + folder + '"');
}

BOOST_AUTO_TEST_SUITE_END()

// Files that end too early, cannot be read to their end, or hold more than games: what is whole is
// imported, what is lost is reported, and a second import takes the rest.
#include "book/import/importer.h"
#include "book/store/failure.h"
#include "tests/book/helpers.h"
#include "tests/book/import/packed.h"
#include "tests/system.h"

#include <fstream>

using namespace book;

namespace {

namespace io = boost::iostreams;

// Games that differ in their comments' text, so that compressed data grows with their number.
std::string games(int first, int last) {
    std::string text;
    std::uint64_t state = 7;
    for (int i = first; i < last; ++i) {
        text +=
            "[Event \"E\"]\n[Round \"" + std::to_string(i) + "\"]\n[Result \"1-0\"]\n\n1. e4 { ";
        for (int word = 0; word < 8; ++word) {
            state = state * std::uint64_t{6364136223846793005} + static_cast<std::uint64_t>(i);
            text += std::to_string(state >> 20) + " ";
        }
        text += "} e5 2. Nf3 Nc6 1-0\n\n";
    }
    return text;
}

std::string packed(const std::string& kind, const std::string& text) {
    if (kind == "gz")
        return helpers::packed(io::gzip_compressor(), text);
    if (kind == "bz2")
        return helpers::packed(io::bzip2_compressor(io::bzip2_params(1)), text);
    return helpers::packed(io::zstd_compressor(), text);
}
const std::vector<std::string> Kinds{"gz", "bz2", "zst"};

struct Done {
    ImportReport report;
    std::vector<ImportTrouble> troubles;
    [[nodiscard]] bool says(std::string_view what, std::int64_t line = -1) const {
        return std::any_of(troubles.begin(), troubles.end(), [&](const ImportTrouble& t) {
            return t.what.find(what) != std::string::npos && (line < 0 || t.line == line);
        });
    }
    [[nodiscard]] bool lost() const {
        return std::any_of(
            troubles.begin(), troubles.end(), [](const ImportTrouble& t) { return t.left_out; });
    }
};

const ImportOptions Keep{.duplicates = Duplicates::Keep};

Done take(Store& store, const std::filesystem::path& file, const ImportOptions& options = Keep) {
    Done done;
    Importer importer(store, ":memory:", options, {.trouble = [&](const ImportTrouble& t) {
                          done.troubles.push_back(t);
                      }});
    const std::int64_t known = importer.known_bytes(open_games(file));
    importer.read(open_games(file), known);
    done.report = importer.finish();
    return done;
}

Done take_text(const std::string& bytes) {
    helpers::Folder folder;
    std::ofstream(folder / "games.pgn", std::ios::binary) << bytes;
    Store store(":memory:", true);
    return take(store, folder / "games.pgn");
}

std::string messages(const Done& done) {
    std::string all;
    for (const ImportTrouble& t : done.troubles)
        all += std::to_string(t.line) + " " + t.what + "\n";
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(broken_files)

BOOST_AUTO_TEST_CASE(a_packed_file_that_ends_too_early_is_told_and_the_cut_game_is_left_out) {
    const std::string text = games(0, 6000);
    for (const std::string& kind : Kinds) {
        const std::string whole = packed(kind, text);
        BOOST_TEST(take_text(whole).report.imported == 6000);
        BOOST_TEST(take_text(whole).troubles.empty());
        for (const std::size_t cut : {whole.size() / 2, std::size_t{20}, std::size_t{2}}) {
            const Done done = take_text(whole.substr(0, whole.size() - cut));
            BOOST_TEST_CONTEXT(kind << " without its last " << cut << " bytes") {
                BOOST_TEST(done.says("ends too early"), messages(done));
                BOOST_TEST(done.lost());
                // Every move of what was imported is of a whole game.
                BOOST_TEST(done.report.moves == 4 * done.report.imported);
                BOOST_TEST(done.report.imported >= (cut > 20 ? 1000 : cut == 20 ? 4000 : 5999));
                BOOST_TEST(done.report.imported <= (cut > 20 ? 5000 : 6000));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(several_packed_parts_and_parts_of_nothing_are_one_file) {
    for (const std::string& kind : Kinds) {
        const std::string parts = packed(kind, games(0, 10)) + packed(kind, "") +
                                  packed(kind, games(10, 20)) + packed(kind, "");
        const Done done = take_text(parts);
        BOOST_TEST(done.report.imported == 20, kind);
        BOOST_TEST(done.troubles.empty(), kind << ": " << messages(done));
        BOOST_TEST(take_text(packed(kind, "")).troubles.empty(), kind);
        const Done cut = take_text(parts.substr(0, parts.size() - 3));
        BOOST_TEST(cut.report.imported == 20, kind);
        BOOST_TEST(cut.says("ends too early"), kind << ": " << messages(cut));
    }
    // A frame of zstd that is to be skipped, at the beginning, between and at the end.
    const std::string skipped = std::string("\x53\x2a\x4d\x18\x05\0\0\0", 8) + "12345";
    const std::string one = packed("zst", games(0, 10));
    const Done done = take_text(skipped + one + skipped + one + skipped);
    BOOST_TEST(done.report.imported == 20);
    BOOST_TEST(done.troubles.empty(), messages(done));
    BOOST_TEST(take_text(one + skipped.substr(0, 10)).says("ends too early"));
}

BOOST_AUTO_TEST_CASE(bytes_behind_the_packed_games_cost_no_game) {
    for (const std::string& kind : Kinds) {
        const std::string one = packed(kind, games(0, 2));
        const Done padded = take_text(one + std::string(1000, '\0'));
        BOOST_TEST(padded.report.imported == 2, kind);
        BOOST_TEST(padded.says("zero bytes"), kind << ": " << messages(padded));
        BOOST_TEST(!padded.lost(), kind);
        for (const std::string& rubbish :
             {std::string("this is no packed text"), std::string("x")}) {
            const Done done = take_text(one + rubbish);
            BOOST_TEST(done.report.imported == 2, kind);
            BOOST_TEST(done.says("other bytes"), kind << ": " << messages(done));
            BOOST_TEST(done.lost(), kind);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_games_before_a_damaged_place_are_imported) {
    const std::string text = games(0, 6000);
    for (const std::string& kind : Kinds) {
        std::string bytes = packed(kind, text);
        for (std::size_t i = 0; i < 40; ++i)
            bytes[bytes.size() / 2 + i] = static_cast<char>(i * 77);
        const Done done = take_text(bytes);
        BOOST_TEST(done.says("damaged"), kind << ": " << messages(done));
        BOOST_TEST(done.lost(), kind);
        BOOST_TEST((2000 < done.report.imported && done.report.imported < 6000),
                   kind << ": " << done.report.imported);
    }
}

BOOST_AUTO_TEST_CASE(a_file_that_was_cut_off_is_read_on_when_it_is_whole) {
    const std::string text = games(0, 6000);
    for (const std::string& kind : Kinds) {
        helpers::Folder folder;
        const std::filesystem::path file = folder / "games.pgn.packed";
        const std::string whole = packed(kind, text);
        Store store(":memory:", true);
        std::ofstream(file, std::ios::binary) << whole.substr(0, whole.size() / 2);
        const std::int64_t half = take(store, file).report.imported;
        BOOST_TEST((0 < half && half < 6000));
        // The same broken file again gives nothing, and is still reported.
        const Done again = take(store, file);
        BOOST_TEST(again.report.imported == 0, kind);
        BOOST_TEST(again.lost(), kind);
        std::ofstream(file, std::ios::binary) << whole;
        const Done rest = take(store, file);
        BOOST_TEST(rest.report.imported == 6000 - half, kind);
        BOOST_TEST(!rest.lost(), kind << ": " << messages(rest));
    }
}

BOOST_AUTO_TEST_CASE(a_plain_file_that_was_cut_off_is_read_on_when_it_is_whole) {
    const std::string text = games(0, 3), last = games(3, 4);
    // Inside a tag, behind the tags, inside a comment, behind a move, inside a move, before and
    // inside the result.
    for (const std::size_t part : {std::size_t{30},
                                   last.find("1. e4"),
                                   last.find('{') + 9,
                                   last.find("} e5") + 4,
                                   last.find("Nf3") + 2,
                                   last.find(" 1-0\n"),
                                   last.find(" 1-0\n") + 3}) {
        helpers::Folder folder;
        const std::filesystem::path file = folder / "games.pgn";
        Store store(":memory:", true);
        for (const bool first : {true, false}) {  // the second time nothing is new
            std::ofstream(file, std::ios::binary) << text + last.substr(0, part);
            const Done cut = take(store, file);
            BOOST_TEST_CONTEXT("cut off after \"" << last.substr(0, part) << '"') {
                BOOST_TEST(cut.report.imported == (first ? 3 : 0));
                BOOST_TEST(cut.report.bad == 1);
                BOOST_TEST(cut.says("the file is cut off"), messages(cut));
                BOOST_TEST(cut.lost());
                BOOST_TEST(store.games.sources().size() == 1U);
            }
        }
        std::ofstream(file, std::ios::binary) << text + last + games(4, 5);
        const Done rest = take(store, file);
        BOOST_TEST(rest.report.imported == 2);
        BOOST_TEST(rest.troubles.size() == 1U, messages(rest));
        BOOST_TEST(rest.says("imported before up to this line"));
    }
}

BOOST_AUTO_TEST_CASE(the_only_game_is_cut_off_if_its_tag_has_a_result_and_its_moves_have_not) {
    const Done cut = take_text("[Event \"E\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3\n");
    BOOST_TEST((cut.report.imported == 0 && cut.lost()), messages(cut));
    for (const char* const whole : {"[Event \"E\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3\n",
                                    "1. e4 e5 2. Nf3\n",
                                    "[Event \"E\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0"}) {
        const Done done = take_text(whole);
        BOOST_TEST((done.report.imported == 1 && done.troubles.empty()), messages(done));
    }
}

BOOST_AUTO_TEST_CASE(files_without_results_behind_the_moves_are_whole) {
    const std::string one = "[Event \"E\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3\n\n";
    helpers::Folder folder;
    const std::filesystem::path file = folder / "games.pgn";
    Store store(":memory:", true);
    std::ofstream(file, std::ios::binary) << one << one;
    const Done done = take(store, file);
    BOOST_TEST((done.report.imported == 2 && done.troubles.empty()), messages(done));
    std::ofstream(file, std::ios::binary) << one << one << one;  // it has grown
    const Done grown = take(store, file);
    BOOST_TEST((grown.report.imported == 1 && !grown.lost()), messages(grown));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_no_empty_file, *test_system::needs_posix()) {
    Store store(":memory:", true);
    const Done done = take(store, "/proc/self/mem");  // can be opened, but not read from 0 on
    BOOST_TEST(done.lost());
    BOOST_TEST(done.says("Input/output error"), messages(done));
}

BOOST_AUTO_TEST_CASE(a_read_error_is_not_the_end_of_the_file, *test_system::needs_posix()) {
    const test_system::BrokenInput input(games(0, 3) + "[Event \"E\"]\n\n1. d4 d5 2. c4");
    Done done;
    Store store(":memory:", true);
    Importer importer(store, ":memory:", Keep, {.trouble = [&](const ImportTrouble& t) {
                          done.troubles.push_back(t);
                      }});
    importer.read(open_games("-"));
    done.report = importer.finish();
    BOOST_TEST(done.report.imported == 3);
    BOOST_TEST(done.report.bad == 1);
    BOOST_TEST(done.lost());
    BOOST_TEST(done.says("Input/output error"), messages(done));
    BOOST_TEST(done.troubles.front().file == "standard input");
}

BOOST_AUTO_TEST_CASE(reading_goes_on_behind_the_last_whole_game_before_an_error) {
    const std::string text = games(0, 5000);
    const auto file = [&](std::size_t bytes) {
        GamesFile games{
            .name = "games.pgn", .read = {}, .size = static_cast<std::int64_t>(text.size())};
        games.read = [&text, bytes, trouble = games.trouble, at = std::size_t{0}](
                         std::span<char> to) mutable {
            const std::size_t n = std::min(to.size(), bytes - at);
            text.copy(to.data(), n, at);
            at += n;
            if (n == 0 && bytes < text.size())
                *trouble = {.what = "reading broke off", .lost = true};
            return n;
        };
        return games;
    };
    const auto whole_games = [&](std::size_t bytes) {
        std::int64_t n = 0;
        for (std::size_t at = 0; (at = text.find(" 1-0\n", at)) < bytes - 3; ++at)
            ++n;
        return n;
    };
    Store store(":memory:", true);
    std::int64_t imported = 0;
    // Breaks inside comments, tags and moves, some of them far behind the beginning of a buffer.
    for (const std::size_t part : {10U, 300'000U, 524'288U, 600'001U, 600'002U, 900'000U}) {
        Importer importer(store, ":memory:", Keep, {});
        const std::int64_t known = importer.known_bytes(file(part));
        importer.read(file(part), known);
        const ImportReport report = importer.finish();
        BOOST_TEST(report.bad == 1);
        imported += report.imported;
        BOOST_TEST(imported == whole_games(part));
    }
    Importer importer(store, ":memory:", Keep, {});
    importer.read(file(text.size()), importer.known_bytes(file(text.size())));
    BOOST_TEST(imported + importer.finish().imported == 5000);
}

BOOST_AUTO_TEST_CASE(archives_of_other_kinds_are_named) {
    using namespace std::string_literals;
    const Folder folder;
    for (const auto& [begin, name] : {std::pair("PK\x03\x04\x0A\0"s, "a zip archive"),
                                      std::pair("7z\xBC\xAF\x27\x1C"s, "a 7z archive"),
                                      std::pair("Rar!\x1A\x07\x01\0"s, "a rar archive"),
                                      std::pair("\xFD\x37zXZ\0"s, "an xz file")}) {
        std::ofstream(folder / "games.pgn", std::ios::binary) << begin << games(0, 2);
        const Result<GamesFile> file = guarded([&] { return open_games(folder / "games.pgn"); });
        BOOST_TEST_REQUIRE(!file);
        BOOST_TEST(file.error().what ==
                   "\"" + (folder / "games.pgn").string() + "\" is " + name + ": unpack it first");
    }
    std::ofstream(folder / "games.pgn", std::ios::binary) << "PK played Rar in 1907.\n\n"
                                                          << games(0, 2);
    BOOST_TEST(guarded([&] { return open_games(folder / "games.pgn"); }).has_value());
}

BOOST_AUTO_TEST_CASE(text_of_wide_characters_is_read) {
    const std::u32string text =
        U"[Event \"E\"]\n[White \"M\u00FCller \u2654 \U0001F600\"]\n\n1. e4 e5 *\n";
    for (const std::size_t unit : {2U, 4U})
        for (const bool big_endian : {false, true})
            for (const bool marked : {true, false}) {
                if (unit == 4 && !marked)
                    continue;
                std::string bytes;
                const auto add = [&](char32_t c) {
                    for (std::size_t i = 0; i < unit; ++i)
                        bytes += static_cast<char>(c >> 8 * (big_endian ? unit - 1 - i : i));
                };
                if (marked)
                    add(0xFEFF);
                for (const char32_t c : text)
                    if (unit == 2 && c > 0xFFFF) {
                        add(0xD800 + ((c - 0x10000) >> 10));
                        add(0xDC00 + ((c - 0x10000) & 0x3FF));
                    } else {
                        add(c);
                    }
                for (const std::string& kind : {std::string(), std::string("gz")}) {
                    helpers::Folder folder;
                    std::ofstream(folder / "games.pgn", std::ios::binary)
                        << (kind.empty() ? bytes : packed(kind, bytes));
                    PgnReader reader(open_games(folder / "games.pgn").read);
                    PgnGame game;
                    BOOST_TEST_REQUIRE(reader.next(game));
                    BOOST_TEST(game.white == "M\xC3\xBCller \xE2\x99\x94 \xF0\x9F\x98\x80");
                    BOOST_TEST(game.moves.size() == 2U);
                    BOOST_TEST(game.trouble == "");
                    BOOST_TEST(!reader.next(game));
                    BOOST_TEST(reader.remarks().empty());
                }
            }
}

BOOST_AUTO_TEST_CASE(open_comments_between_games_are_told_with_their_line) {
    const Done done =
        take_text(games(0, 1) + "{ open\n\n" + games(1, 3) + "{ open\n\n" + games(3, 4));
    BOOST_TEST(done.report.imported == 4);
    BOOST_TEST(done.says("unclosed", 7), messages(done));
    BOOST_TEST(!done.lost());
    const Done end = take_text(games(0, 1) + "1-0 { open\n1. e4 e5 1-0\n");
    BOOST_TEST(end.report.imported == 1);
    BOOST_TEST(end.says("unclosed", 7), messages(end));
    BOOST_TEST(end.lost());
}

BOOST_AUTO_TEST_CASE(text_that_is_no_game_is_told_with_its_first_line) {
    const Done done = take_text(games(0, 1) + "Hello\nand\n" + games(1, 2) + "goodbye\n");
    BOOST_TEST(done.report.imported == 2);
    BOOST_TEST(done.says("outside games, which were skipped: 3", 7), messages(done));
}

BOOST_AUTO_TEST_CASE(contradicting_results_are_told_once_a_file) {
    const std::string odd = "[Event \"E\"]\n[Result \"1-0\"]\n\n1. c4 c5 0-1\n\n";
    Store store(":memory:", true);
    const Done done = take_text(games(0, 1) + odd + odd + games(1, 2));
    BOOST_TEST(done.report.imported == 4);
    BOOST_TEST(done.says("contradicts the result after the moves, which is used: 2", 7),
               messages(done));
    BOOST_TEST(!done.lost());
}

BOOST_AUTO_TEST_SUITE_END()

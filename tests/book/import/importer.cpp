// Imports: exact counts, each game once, filters, packed files, and books that survive.
#include "book/import/importer.h"

#include "book/import/polyglot.h"
#include "book/store/failure.h"
#include "tests/book/helpers.h"
#include "tests/system.h"

#include <fstream>

using namespace book;
using helpers::check_verifies;
using helpers::edge_table;

namespace {

const std::filesystem::path Data = TEST_DIR "/data";

struct Done {
    ImportReport report;
    std::vector<ImportTrouble> troubles;
};

Done take(Store& store,
          const std::vector<std::filesystem::path>& files,
          const ImportOptions& options = {}) {
    Done result;
    Importer importer(store, ":memory:", options, {.trouble = [&](const ImportTrouble& t) {
                          result.troubles.push_back(t);
                      }});
    for (const std::filesystem::path& file : files) {
        const std::int64_t known = importer.known_bytes(open_games(file));
        importer.read(open_games(file), known);
    }
    result.report = importer.finish();
    return result;
}

Store new_store() {
    return Store(":memory:", true);
}

std::int64_t occurrences(Store& store) {
    return store.positions.counts().occurrences;
}

Edge edge_at(Store& store, const std::string& before, const std::string& san) {
    const engine::Game game = helpers::play(before);
    const StoredMove wanted = book::store(helpers::move(game, san), game.position().side_to_move());
    for (const Edge& e : store.positions.edges(game.position().key()))
        if (e.move == wanted)
            return e;
    return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(importer)

BOOST_AUTO_TEST_CASE(every_move_is_counted_by_result) {
    Store store = new_store();
    const Done done = take(store, {Data / "small.pgn"});
    BOOST_TEST(done.report.games == 4);
    BOOST_TEST(done.report.imported == 4);
    BOOST_TEST(done.report.moves == 12 + 10 + 10 + 3);
    BOOST_TEST(done.troubles.empty());
    const Edge e4 = edge_at(store, "", "e4");
    BOOST_TEST((e4.white == 1 && e4.draws == 1 && e4.black == 0 && e4.unknown == 1));
    BOOST_TEST((e4.rated == 2 && e4.ratings == 4500 && e4.last == 2004));
    const Edge o_o = edge_at(store, "e4 e5 Nf3 Nc6 Bb5 Nf6", "O-O");
    BOOST_TEST((o_o.white == 1 && o_o.games() == 1 && o_o.ratings == 2400 && o_o.last == 2001));
    BOOST_TEST(edge_at(store, "d4", "d5").black == 1);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(the_same_file_twice_counts_once) {
    Store store = new_store();
    take(store, {Data / "small.pgn"});
    const helpers::EdgeTable once = edge_table(store);
    const Done again = take(store, {Data / "small.pgn", Data / "small.pgn.gz"});
    BOOST_TEST(again.report.imported == 0);
    BOOST_TEST(again.report.known_files == 1);  // a packed file is recognised by its games only
    BOOST_TEST(again.report.duplicates == 4);
    BOOST_TEST((edge_table(store) == once));
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(files_in_any_order_and_any_number_of_runs_give_the_same) {
    Store a = new_store(), b = new_store(), together = new_store();
    take(a, {Data / "small.pgn"});
    take(a, {Data / "dirty.pgn"});
    take(b, {Data / "dirty.pgn"});
    take(b, {Data / "small.pgn"});
    const Done done = take(together, {Data / "small.pgn", Data / "dirty.pgn"});
    BOOST_TEST((edge_table(a) == edge_table(b)));
    BOOST_TEST((edge_table(a) == edge_table(together)));
    BOOST_TEST(done.report.duplicates == 1);  // the same game, with names spelled differently
    check_verifies(a);
}

BOOST_AUTO_TEST_CASE(bad_games_are_left_out_whole_and_told) {
    Store store = new_store();
    const Done done = take(store, {Data / "dirty.pgn"});
    BOOST_TEST(done.report.games == 4);
    BOOST_TEST(done.report.imported == 2);
    BOOST_TEST(done.report.bad == 2);
    BOOST_TEST_REQUIRE(done.troubles.size() == 2U);
    BOOST_TEST(done.troubles[0].line == 13);
    BOOST_TEST(done.troubles[0].game == 2);
    BOOST_TEST(done.troubles[0].what == "2... \"Nf7\" is not legal");
    BOOST_TEST(done.troubles[1].what.find("Atomic") != std::string::npos);
    BOOST_TEST(edge_at(store, "", "e4").games() == 0);
}

BOOST_AUTO_TEST_CASE(copies_are_told_by_game_by_moves_or_not_at_all) {
    const auto imported = [](Duplicates duplicates) {
        Store store = new_store();
        return take(store,
                    {Data / "small.pgn", Data / "small.pgn", Data / "dirty.pgn"},
                    {.duplicates = duplicates})
            .report.imported;
    };
    BOOST_TEST(imported(Duplicates::ByGame) == 5);
    BOOST_TEST(imported(Duplicates::ByMoves) == 5);
    BOOST_TEST(imported(Duplicates::Keep) == 10);
}

BOOST_AUTO_TEST_CASE(a_file_counts_once_whatever_its_duplicates_are) {
    constexpr std::array Modes{Duplicates::ByGame, Duplicates::ByMoves, Duplicates::Keep};
    for (const Duplicates first : Modes)
        for (const Duplicates second : Modes) {
            Store store = new_store();
            take(store, {Data / "small.pgn"}, {.duplicates = first});
            const Done done = take(store, {Data / "small.pgn"}, {.duplicates = second});
            BOOST_TEST((done.report.imported == 0 && done.report.known_files == 1));
            BOOST_TEST_REQUIRE(done.troubles.size() == 1U);
            BOOST_TEST(done.troubles[0].what == "imported before up to this line");
        }
    Store filtered = new_store();
    take(filtered, {Data / "small.pgn"}, {.max_ply = 20, .duplicates = Duplicates::ByMoves});
    const Done other = take(filtered, {Data / "small.pgn"});
    BOOST_TEST((other.report.imported == 0 && other.report.known_files == 1));
    BOOST_TEST(other.troubles.at(0).what ==
               "imported before up to this line, with other options (plies 0-20, no moves twice); "
               "to import what they left out, first forget import 1");
    Store store = new_store();
    take(store, {Data / "small.pgn"});
    const ImportOptions again{.duplicates = Duplicates::Keep, .again = true};
    BOOST_TEST(take(store, {Data / "small.pgn"}, again).report.imported == 4);
}

BOOST_AUTO_TEST_CASE(games_known_by_game_are_known_by_moves) {
    helpers::Folder folder;
    std::ofstream(folder / "copy.pgn") << "\n" << std::ifstream(Data / "small.pgn").rdbuf();
    Store store = new_store();
    take(store, {Data / "small.pgn"});
    const Done done = take(store, {folder / "copy.pgn"}, {.duplicates = Duplicates::ByMoves});
    BOOST_TEST((done.report.imported == 0 && done.report.duplicates == 4));
}

BOOST_AUTO_TEST_CASE(long_games_known_by_moves_are_known_by_game) {
    helpers::Folder folder;
    const auto write = [&folder](const char* name, const std::string& event) {
        std::ofstream out(folder / name);
        for (const int rounds : {16, 2}) {  // 64 plies, and few enough to be equal by chance
            out << "[Event \"" << event << "\"]\n[Result \"1-0\"]\n\n";
            for (int i = 0; i < rounds; ++i)
                out << "Nf3 Nf6 Ng1 Ng8\n";
            out << "1-0\n\n";
        }
    };
    write("a.pgn", "A");
    write("b.pgn", "B");
    Store store = new_store();
    take(store, {folder / "a.pgn"}, {.duplicates = Duplicates::ByMoves});
    BOOST_TEST(take(store, {folder / "b.pgn"}).report.imported == 1);
}

BOOST_AUTO_TEST_CASE(a_year_in_the_far_future_is_unknown) {
    helpers::Folder folder;
    {
        std::ofstream out(folder / "thai.pgn");
        for (const char* const year : {"2010", "2567"})
            out << "[Event \"E\"]\n[Date \"" << year
                << ".01.02\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
    }
    Store store = new_store();
    take(store, {folder / "thai.pgn"});
    BOOST_TEST(edge_at(store, "", "e4").white == 2);
    BOOST_TEST(edge_at(store, "", "e4").last == 2010);
}

BOOST_AUTO_TEST_CASE(long_copies_are_told_whatever_their_headers_say) {
    const auto game = [](const std::string& tags, int rounds, const std::string& result) {
        std::string text = "[Event \"E\"]\n" + tags + "[Result \"" + result + "\"]\n\n";
        for (int i = 0; i < rounds; ++i)
            text += "Nf3 Nf6 Ng1 Ng8\n";
        return text + result + "\n\n";
    };
    const auto imported = [](const std::string& text, Duplicates duplicates) {
        helpers::Folder folder;
        std::ofstream(folder / "games.pgn") << text;
        Store store = new_store();
        return take(store, {folder / "games.pgn"}, {.duplicates = duplicates}).report.imported;
    };
    const std::string a = "[White \"A\"]\n", b = "[White \"B\"]\n";
    BOOST_TEST(imported(game(a, 15, "1-0") + game(b, 15, "1-0"), Duplicates::ByGame) == 1);
    BOOST_TEST(imported(game(a, 15, "1-0") + game(b, 15, "0-1"), Duplicates::ByGame) == 2);
    BOOST_TEST(imported(game(a, 14, "1-0") + game(b, 14, "1-0"), Duplicates::ByGame) == 2);
    BOOST_TEST(imported(game(a, 14, "1-0") + game(b, 14, "0-1"), Duplicates::ByMoves) == 1);
}

BOOST_AUTO_TEST_CASE(packed_files_read_like_plain_ones) {
    Store plain = new_store();
    take(plain, {Data / "small.pgn"});
    for (const char* name : {"small.pgn.gz", "small.pgn.bz2", "small.pgn.zst"}) {
        Store packed = new_store();
        BOOST_TEST(take(packed, {Data / name}).report.imported == 4, name);
        BOOST_TEST((edge_table(plain) == edge_table(packed)));
    }
}

BOOST_AUTO_TEST_CASE(a_packed_file_that_breaks_off_is_told) {
    helpers::Folder folder;
    for (const char* name : {"small.pgn.gz", "small.pgn.bz2", "small.pgn.zst"}) {
        std::ostringstream text;
        text << std::ifstream(Data / name, std::ios::binary).rdbuf();
        std::string bytes = text.str();
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
        std::ofstream(folder / name, std::ios::binary) << bytes;
        Store store = new_store();
        const Done done = take(store, {folder / name});
        BOOST_TEST_REQUIRE(!done.troubles.empty());
        BOOST_TEST(done.troubles.back().what.find("damaged") != std::string::npos, name);
        check_verifies(store);
    }
}

BOOST_AUTO_TEST_CASE(filters_choose_games) {
    const auto imported = [](const ImportOptions& options) {
        Store store = new_store();
        return take(store, {Data / "small.pgn"}, options).report.imported;
    };
    BOOST_TEST(imported({.min_rating = 2000}) == 2);
    BOOST_TEST(imported({.min_rating = 2200}) == 0);
    BOOST_TEST(imported({.from_date = 20030000}) == 2);
    BOOST_TEST(imported({.to_date = 20039999}) == 3);
    BOOST_TEST(imported({.results = "1-0,0-1"}) == 2);
    BOOST_TEST(imported({.player = "brandt"}) == 2);
    BOOST_TEST(imported({.eco = "C"}) == 2);
    BOOST_TEST(imported({.min_plies = 10}) == 3);
}

BOOST_AUTO_TEST_CASE(filters_choose_moves) {
    const auto moves = [](const ImportOptions& options) {
        Store store = new_store();
        take(store, {Data / "small.pgn"}, options);
        check_verifies(store);
        return occurrences(store);
    };
    BOOST_TEST(moves({.max_ply = 4}) == 4 + 4 + 4 + 3);
    BOOST_TEST(moves({.min_ply = 2, .max_ply = 4}) == 2 + 2 + 2 + 1);
    BOOST_TEST(moves({.player = "Ahlberg", .player_only = true}) == 6 + 5 + 5);
    BOOST_TEST(moves({.winner_only = true}) == 6 + 5);
    BOOST_TEST(moves({.min_games = 2}) == 3 + 2);  // 1.e4 and 1...e5
}

BOOST_AUTO_TEST_CASE(little_memory_makes_no_difference) {
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += "[Event \"E\"]\n[Round \"" + std::to_string(i) + "\"]\n[Result \"" +
                (i % 3 == 0 ? "1-0" : "0-1") +
                "\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n";
    helpers::Folder folder;
    std::ofstream(folder / "many.pgn") << text;
    Store much = new_store(), little = new_store();
    take(much, {folder / "many.pgn"});
    take(little, {folder / "many.pgn"}, {.memory = 20'000});
    BOOST_TEST((edge_table(much) == edge_table(little)));
    BOOST_TEST(edge_at(little, "", "e4").white == 134);
}

BOOST_AUTO_TEST_CASE(duplicates_for_which_memory_has_no_room_count_once) {
    helpers::Folder folder;
    const auto write = [&folder](const std::string& name, int first, int last, int rating) {
        std::ofstream out(folder / name);
        for (int i = first; i < last; ++i)
            out << "[Event \"E\"]\n[Round \"" << i << "\"]\n[WhiteElo \"" << rating << "\"]\n\n1. "
                << (i % 2 == 0 ? "e4" : "d4") << " *\n\n";
    };
    write("a.pgn", 0, 3000, 2000);
    write("b.pgn", 1000, 4000, 2100);
    write("c.pgn", 2000, 4500, 2200);
    const auto import_all = [&](const ImportOptions& options) {
        Store store = new_store();
        const ImportReport first =
            take(store, {folder / "a.pgn", folder / "b.pgn"}, options).report;
        BOOST_TEST(first.imported == 4000);
        BOOST_TEST(first.duplicates == 2000);
        const ImportReport second = take(store, {folder / "c.pgn"}, options).report;
        BOOST_TEST(second.imported == 500);
        BOOST_TEST(second.duplicates == 2000);
        const std::vector<Source> sources = store.games.sources();
        BOOST_TEST_REQUIRE(sources.size() == 3U);
        BOOST_TEST(sources[0].games == 3000);
        BOOST_TEST(sources[1].games == 1000);
        BOOST_TEST(sources[2].games == 500);
        BOOST_TEST(store.games.count_imported() == 4500);
        return edge_table(store);
    };
    const helpers::EdgeTable much = import_all({}), little = import_all({.memory = 20'000});
    BOOST_TEST((much == little));
}

BOOST_AUTO_TEST_CASE(our_own_games_are_not_imported_again) {
    helpers::Folder folder;
    Store store = new_store();
    GameRecord own =
        helpers::record("x", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O", 1, 6);
    helpers::take(store, own);
    std::ofstream(folder / "own.pgn") << "[White \"me\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 "
                                         "3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 "
                                         "6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0\n";
    const Done done = take(store, {folder / "own.pgn"});
    BOOST_TEST(done.report.own == 1);
    BOOST_TEST(done.report.imported == 0);
}

BOOST_AUTO_TEST_CASE(learning_and_importing_in_either_order_agree) {
    const GameRecord own = helpers::record("x", "e4 c5 Nf3 d6 d3 Nc6", 0, 4);
    Store a = new_store(), b = new_store();
    helpers::take(a, own);
    take(a, {Data / "small.pgn"});
    take(b, {Data / "small.pgn"});
    helpers::take(b, own);
    check_verifies(a);
    check_verifies(b);
    const NodeKey start{
        .key = engine::Position().key(), .side = engine::White, .time = TimeClass::Blitz};
    BOOST_TEST(a.positions.node(start)->value == b.positions.node(start)->value,
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(stopping_keeps_what_was_read_and_goes_on_from_there) {
    std::string text;
    for (int i = 0; i < 3000; ++i)
        text += "[Event \"E\"]\n[Round \"" + std::to_string(i) +
                "\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
    helpers::Folder folder;
    std::ofstream(folder / "many.pgn") << text;
    Store store = new_store();
    Importer stopped(store,
                     ":memory:",
                     {},
                     {.trouble = [](const ImportTrouble&) {},
                      .go_on = [](const ImportReport&) { return false; }});
    stopped.read(open_games(folder / "many.pgn"));
    const ImportReport half = stopped.finish();
    BOOST_TEST(half.stopped);
    BOOST_TEST((half.imported > 0 && half.imported < 3000));
    const Done rest = take(store, {folder / "many.pgn"});
    BOOST_TEST(rest.report.imported == 3000 - half.imported);
    BOOST_TEST(edge_at(store, "", "e4").white == 3000);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(text_taken_in_before_counts_once_even_with_copies) {
    const auto games = [](int first, int last) {
        std::string text;
        for (int i = first; i < last; ++i)
            text += "[Event \"E\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
        return text;
    };
    helpers::Folder folder;
    const std::filesystem::path file = folder / "many.pgn";
    const ImportOptions keep{.duplicates = Duplicates::Keep};
    Store store = new_store();
    std::ofstream(file) << games(0, 3000);
    {
        int calls = 0;
        Importer stopped(store,
                         ":memory:",
                         keep,
                         {.trouble = [](const ImportTrouble&) {},
                          .go_on = [&](const ImportReport&) { return ++calls < 2; }});
        stopped.read(open_games(file));
        const ImportReport half = stopped.finish();
        BOOST_TEST((half.stopped && half.imported == 2047));
    }
    BOOST_TEST(take(store, {file}, keep).report.imported == 3000 - 2047);
    BOOST_TEST(take(store, {file}, keep).report.known_files == 1);
    BOOST_TEST(edge_at(store, "", "e4").white == 3000);

    std::ofstream(file, std::ios::app) << games(0, 7) << "\n[Event \"F\"]\n\n1. e4 Ke7 *\n";
    const Done grown = take(store, {file}, keep);
    BOOST_TEST(grown.report.imported == 7);
    BOOST_TEST(grown.report.bad == 1);
    BOOST_TEST(grown.troubles.back().line == 5 * 3007 + 4);
    BOOST_TEST(edge_at(store, "", "e4").white == 3007);
    // With other options, or another beginning, the file counts as new.
    BOOST_TEST(
        take(store, {file}, {.max_ply = 1, .duplicates = Duplicates::Keep}).report.imported ==
        3007);
    std::ofstream(file) << "\n" << games(0, 3);
    BOOST_TEST(take(store, {file}, keep).report.imported == 3);
    BOOST_TEST(
        take(store, {file}, {.duplicates = Duplicates::Keep, .again = true}).report.imported == 3);
    check_verifies(store);
}

// Games of one half-move each: of game `i` it is a2a3 if `i` is 0 or the last, and e2e4 else.
GamesFile rare_first_and_last(int games) {
    auto state = std::make_shared<std::pair<int, std::string>>();
    return {.name = "rare",
            .read =
                [state, games](std::span<char> to) {
                    auto& [next, text] = *state;
                    for (; text.size() < to.size() && next < games; ++next)
                        text += "[Event \"E\"]\n[Round \"" + std::to_string(next) + "\"]\n\n1. " +
                                (next == 0 || next == games - 1 ? "a3" : "e4") + " *\n\n";
                    const std::size_t n = std::min(to.size(), text.size());
                    text.copy(to.data(), n);
                    text.erase(0, n);
                    return n;
                },
            .trouble = std::make_shared<SourceTrouble>()};
}

BOOST_AUTO_TEST_CASE(games_far_apart_are_counted_together, *boost::unit_test::label("slow")) {
    constexpr int Games = 2'200'001;
    Store store = new_store();
    Importer importer(store, ":memory:", {.min_games = 2}, {});
    importer.read(rare_first_and_last(Games));
    const ImportReport report = importer.finish();
    BOOST_TEST(report.imported == Games);
    BOOST_TEST(edge_at(store, "", "a3").unknown == 2);
    BOOST_TEST(edge_at(store, "", "e4").unknown == Games - 2);
    BOOST_TEST(store.games.count_imported() == Games);
}

BOOST_AUTO_TEST_CASE(an_import_that_is_stopped_counts_rare_moves_when_it_is_repeated) {
    Store store = new_store();
    const ImportOptions options{.min_games = 2};
    {
        Importer stopped(store,
                         ":memory:",
                         options,
                         {.trouble = [](const ImportTrouble&) {},
                          .go_on = [](const ImportReport&) { return false; }});
        stopped.read(rare_first_and_last(3000));
        BOOST_CHECK_THROW(stopped.finish(), Failure);
    }
    BOOST_TEST(occurrences(store) == 0);
    BOOST_TEST(store.games.sources().empty());
    BOOST_TEST(store.games.count_imported() == 0);
    Importer importer(store, ":memory:", options, {});
    importer.read(rare_first_and_last(3000));
    BOOST_TEST(importer.finish().imported == 3000);
    BOOST_TEST(edge_at(store, "", "a3").unknown == 2);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(the_lock_file_is_removed_after_use) {
    helpers::Folder folder;
    Store store(folder / "b.db", true);
    std::ofstream(folder / "b.db.import") << "";  // of an import that was killed
    {
        Importer importer(store, folder / "b.db", {}, {});
        BOOST_TEST(std::filesystem::exists(folder / "b.db.import"));
        importer.read(open_games(Data / "small.pgn"));
        BOOST_TEST(importer.finish().imported == 4);
    }
    BOOST_TEST(!std::filesystem::exists(folder / "b.db.import"));
    const auto import_without_folder = [&] {
        Importer(store, folder / "b.db", {.folder = "/nowhere"}, {});
    };
    BOOST_CHECK_THROW(import_without_folder(), Failure);
    BOOST_TEST(!std::filesystem::exists(folder / "b.db.import"));
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_book_as_it_was, *test_system::needs_posix()) {
    helpers::Folder folder;
    Store store = new_store();
    take(store, {Data / "small.pgn"});
    const helpers::EdgeTable before = edge_table(store);
    test_system::limit_file_size(1 << 17);
    const auto import_much = [&] {
        Importer importer(store, ":memory:", {.memory = 20'000, .folder = folder.path()}, {});
        importer.read(rare_first_and_last(30'000));
        importer.finish();
    };
    BOOST_CHECK_EXCEPTION(import_much(), Failure, [&](const Failure& failure) {
        return std::string_view(failure.what()) ==
               "writing a temporary file in \"" + folder.path().string() + "\": File too large";
    });
    test_system::limit_file_size(std::nullopt);
    BOOST_TEST((edge_table(store) == before));
    BOOST_TEST(store.games.count_imported() == 4);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_told) {
    BOOST_CHECK_EXCEPTION(open_games("/nowhere/x.pgn"), Failure, [](const Failure& failure) {
        return std::string_view(failure.what()).find("cannot be read") != std::string_view::npos;
    });
    BOOST_CHECK_THROW(open_games(Data), Failure);
}

BOOST_AUTO_TEST_CASE(folders_give_their_files_in_order) {
    const auto files = games_files({Data});
    BOOST_TEST(files.size() == 5U);
    BOOST_TEST(std::is_sorted(files.begin(), files.end()));
}

BOOST_AUTO_TEST_CASE(files_in_a_folder_may_have_names_of_any_case) {
    const helpers::Folder folder;
    for (const char* const name : {"a.Pgn", "b.PGN.GZ", "c.pgn.zst", "d.txt"})
        std::ofstream(folder / name) << "x";
    BOOST_TEST(games_files({folder / ""}).size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

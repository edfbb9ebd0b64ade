// Forgotten imports leave a book as if they had never been made.
#include "book/import/forget.h"

#include "book/import/importer.h"
#include "book/import/polyglot.h"
#include "book/learn/merge.h"
#include "book/learn/user_edits.h"
#include "book/store/failure.h"
#include "tests/book/helpers.h"

#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>

using namespace book;
using helpers::edge_table;

namespace {

const std::filesystem::path Data = TEST_DIR "/data";

void import_files(Store& store,
                  const std::vector<std::filesystem::path>& files,
                  const ImportOptions& options = {}) {
    Importer importer(store, ":memory:", options, {});
    for (const std::filesystem::path& file : files)
        importer.read(open_games(file));
    importer.finish();
}

Forgotten
forget_named(Store& store, const std::string& name, std::size_t sort_bytes = MaxSortBytes) {
    return book::forget(store, ":memory:", {find_sources(store, name).at(0)}, sort_bytes).at(0);
}

// Games with the same first moves in different years.
std::filesystem::path games_of(const Folder& folder, const std::string& name, int year, int games) {
    static const char* const replies[] = {"e5", "c5", "e6", "d5", "c6"};
    std::filesystem::path file = folder / name;
    std::ofstream out(file);
    for (int i = 0; i < games; ++i)
        out << "[Event \"E\"]\n[Date \"" << year + i << ".01.01\"]\n[WhiteElo \"" << 2000 + i
            << "\"]\n\n1. e4 " << replies[i % 5] << " 2. d3 a" << 6 - i % 2 << " 1-0\n\n";
    return file;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(forget)

BOOST_AUTO_TEST_CASE(counts_ratings_and_years_are_as_before) {
    const Folder folder;
    const auto old = games_of(folder, "old.pgn", 1990, 3),
               late = games_of(folder, "new.pgn", 2001, 5);
    Store store(":memory:", true), only(":memory:", true);
    import_files(only, {old});
    for (const bool together : {false, true}) {
        if (together) {
            import_files(store, {late, old});
        } else {
            import_files(store, {late});
            import_files(store, {old});
        }
        const Forgotten done = forget_named(store, "new.pgn");
        BOOST_TEST((done.games == 5 && done.moves == 20 && !done.years_may_differ));
        BOOST_TEST((edge_table(store) == edge_table(only)));
        helpers::check_verifies(store);
        BOOST_TEST(store.games.count_imported() == 3);
        forget_named(store, "old.pgn");
        BOOST_TEST(edge_table(store).empty());
    }
}

BOOST_AUTO_TEST_CASE(years_of_moves_that_were_too_rare_to_count_do_not_return) {
    const Folder folder;
    const auto old = games_of(folder, "old.pgn", 1990, 3),
               rare = games_of(folder, "rare.pgn", 2001, 5),
               late = games_of(folder, "late.pgn", 2010, 3);
    Store store(":memory:", true), without(":memory:", true);
    for (Store* s : {&store, &without}) {
        import_files(*s, {old});
        import_files(*s, {rare}, {.min_games = 2});
    }
    import_files(store, {late});
    forget_named(store, "late.pgn");
    BOOST_TEST((edge_table(store) == edge_table(without)));
}

BOOST_AUTO_TEST_CASE(an_import_that_added_nothing_is_no_change) {
    Store store(":memory:", true);
    import_files(store, {Data / "small.pgn"}, {.min_rating = 4000});
    BOOST_TEST(changes(store.db, 10).empty());
    import_files(store, {Data / "small.pgn.gz"});
    BOOST_TEST(changes(store.db, 10).size() == 1U);
}

BOOST_AUTO_TEST_CASE(several_imports_are_forgotten_as_one_by_one) {
    const Folder folder;
    std::vector<std::filesystem::path> files;
    for (int i = 0; i < 5; ++i)
        files.push_back(games_of(folder, std::to_string(i) + ".pgn", 1990 + 2 * i, 2 + i));
    Store together(":memory:", true), each(":memory:", true);
    for (Store* const store : {&together, &each}) {
        import_files(*store, {files[0]});
        import_files(*store, {files[1], files[2]}, {.min_games = 2});
        import_files(*store, {files[3], files[4]});
    }
    const auto named = [&together](const std::string& name) {
        return find_sources(together, name).at(0);
    };
    const std::vector<Forgotten> done = book::forget(
        together, ":memory:", {named("4.pgn"), named("2.pgn"), named("1.pgn"), named("0.pgn")});
    BOOST_TEST_REQUIRE(done.size() == 3U);  // two were counted together
    for (std::size_t i = 0; i < done.size(); ++i) {
        const Forgotten one = forget_named(each, done[i].sources.back().name);
        BOOST_TEST((one.games == done[i].games && one.moves == done[i].moves));
        BOOST_TEST((one.sources.size() == done[i].sources.size()));
    }
    BOOST_TEST((done[0].read_again.empty() && done[1].read_again.size() == 1U));
    BOOST_TEST((edge_table(together) == edge_table(each)));
    BOOST_TEST(!edge_table(together).empty());
    helpers::check_verifies(together);
    BOOST_TEST(changes(together.db, 1).at(0).what.ends_with("4.pgn\" and 2 more"));
}

BOOST_AUTO_TEST_CASE(one_import_that_kept_no_games_keeps_the_others) {
    const Folder folder;
    Store store(":memory:", true);
    import_files(store, {games_of(folder, "a.pgn", 1990, 3)});
    import_files(store, {games_of(folder, "b.pgn", 2001, 3)}, {.keeps_games = false});
    const helpers::EdgeTable before = edge_table(store);
    BOOST_CHECK_THROW(book::forget(store, ":memory:", store.games.sources()), Failure);
    BOOST_TEST((edge_table(store) == before));
    BOOST_TEST(store.games.sources().size() == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_forgotten_meanwhile_cannot_be_forgotten_again) {
    const Folder folder;
    Store store(":memory:", true);
    import_files(store, {games_of(folder, "a.pgn", 1990, 3)});
    const std::vector<Source> sources = find_sources(store, "a.pgn");
    book::forget(store, ":memory:", sources);
    BOOST_CHECK_THROW(book::forget(store, ":memory:", sources), Failure);
}

BOOST_AUTO_TEST_CASE(forgetting_several_imports_reads_the_others_once) {
    const Folder folder;
    Store store(":memory:", true);
    helpers::take(store, helpers::record("ours", "e4 c5 Nf3 d6", 1, 2));
    import_files(store, {games_of(folder, "rest.pgn", 1990, 5)});
    std::vector<std::filesystem::path> files;
    for (int i = 0; i < 4; ++i)
        files.push_back(games_of(folder, std::to_string(i) + ".pgn", 1995 + i, 5));
    import_files(store, files);
    std::vector<Source> sources = store.games.sources();
    sources.erase(sources.begin());
    const std::vector<std::string> ran =
        helpers::statements(store, [&] { book::forget(store, ":memory:", sources); });
    const auto count = [&ran](const char* text) {
        return std::count_if(ran.begin(), ran.end(), [text](const std::string& statement) {
            return statement.find(text) != std::string::npos;
        });
    };
    BOOST_TEST(count("SELECT games FROM kept WHERE source = 1 ") == 1);
    BOOST_TEST(count("FROM change ORDER BY") == 1);
    BOOST_TEST(count("DELETE FROM analysis") == 1);
    BOOST_TEST(count("DELETE FROM node") == 1);  // derived values are computed anew once
    helpers::check_verifies(store);
}

BOOST_AUTO_TEST_CASE(undo_takes_nothing_back_that_was_before_an_import) {
    const Folder folder;
    Store store(":memory:", true);
    const engine::Game start;
    const engine::Move e4 = helpers::move(start, "e4");
    const auto flags = [&] {
        return store.positions.flags(start.position().key(), book::store(e4, engine::White));
    };
    helpers::take(store, helpers::record("ours", "e4 c5 Nf3 d6", 1, 2));
    import_files(store, {games_of(folder, "theirs.pgn", 1990, 3)});
    BOOST_CHECK_THROW(undo(store), Failure);
    BOOST_TEST(store.games.counts().applied == 1);
    mark(store, start, e4, Never);
    forget_named(store, "theirs.pgn");
    BOOST_CHECK_THROW(undo(store), Failure);
    BOOST_TEST(flags() == int{Never});
    BOOST_TEST(undo(store).starts_with("marked e4 as never"));
    BOOST_TEST(flags() == 0);
    mark(store, start, e4, Never);
    const std::int64_t shown = changes(store.db, 1).front().id;  // as the live page does
    import_files(store, {games_of(folder, "more.pgn", 2001, 3)});
    BOOST_TEST(undo_last_mark(store, shown).starts_with("marked e4 as never"));
    BOOST_TEST(flags() == 0);
}

BOOST_AUTO_TEST_CASE(games_that_a_later_file_has_as_well_come_back_with_it) {
    const Folder folder;
    const auto all = games_of(folder, "all.pgn", 1990, 5),
               some = games_of(folder, "some.pgn", 1990, 3);
    const auto take = [](Store& store, const std::filesystem::path& file) {
        Importer importer(store, ":memory:", {}, {});
        const std::int64_t known = importer.known_bytes(open_games(file));
        importer.read(open_games(file), known);
        return importer.finish().imported;
    };
    for (const std::filesystem::path& later : {some, all}) {
        const auto first = later == some ? all : some;
        Store store(":memory:", true), only(":memory:", true);
        import_files(only, {later});
        BOOST_TEST(take(store, first) == (first == all ? 5 : 3));
        BOOST_TEST(take(store, later) == (first == all ? 0 : 2));
        BOOST_TEST(take(store, later) == 0);
        const Forgotten done = forget_named(store, first.filename().string());
        BOOST_TEST_REQUIRE(done.read_again.size() == 1U);
        BOOST_TEST(done.read_again[0].name == later.string());
        BOOST_TEST(take(store, later) == 3);
        BOOST_TEST((edge_table(store) == edge_table(only)));
        helpers::check_verifies(store);
        BOOST_TEST(take(store, later) == 0);
    }
}

BOOST_AUTO_TEST_CASE(files_counted_together_are_forgotten_together) {
    const Folder folder;
    const auto a = games_of(folder, "a.pgn", 1990, 5), b = games_of(folder, "b.pgn", 2001, 5);
    Store store(":memory:", true);
    import_files(store, {Data / "small.pgn"});
    const helpers::EdgeTable before = edge_table(store);
    import_files(store, {a, b}, {.min_games = 3});
    const Forgotten done = forget_named(store, "b.pgn");
    BOOST_TEST((done.sources.size() == 2U && done.games == 10));
    BOOST_TEST((edge_table(store) == before));
    helpers::check_verifies(store);
}

BOOST_AUTO_TEST_CASE(a_last_file_without_new_games_does_not_keep_an_import) {
    const Folder folder;
    const auto known = games_of(folder, "known.pgn", 1990, 2),
               fresh = games_of(folder, "new.pgn", 2001, 5), copy = folder / "copy.pgn";
    std::filesystem::copy_file(known, copy);
    // Earlier versions counted the moves with the last file.
    for (const bool earlier : {false, true}) {
        for (const char* const name : {"new.pgn", "copy.pgn"}) {
            Store store(":memory:", true);
            import_files(store, {known});
            const helpers::EdgeTable before = edge_table(store);
            import_files(store, {fresh, copy}, {.min_games = 2});
            if (earlier)
                store.db.connection()->exec("UPDATE source SET moves = (SELECT moves FROM source "
                                            "WHERE id = 2) WHERE id = 3;"
                                            "UPDATE source SET moves = 0 WHERE id = 2");
            const std::vector<Source> sources = store.games.sources();
            BOOST_TEST_REQUIRE(sources.size() == 3U);
            BOOST_TEST((sources[2].games == 0 && (sources[2].moves > 0) == earlier));
            BOOST_TEST(forget_named(store, name).sources.size() == 2U);
            BOOST_TEST((edge_table(store) == before));
            helpers::check_verifies(store);
        }
    }
    Store store(":memory:", true);
    import_files(store, {known});
    import_files(store, {fresh, copy}, {.min_games = 2, .keeps_games = false});
    BOOST_CHECK_THROW(forget_named(store, "copy.pgn"), Failure);
}

BOOST_AUTO_TEST_CASE(duplicates_found_late_are_not_subtracted_twice) {
    const Folder folder;
    const auto file = folder / "games.pgn";
    std::ofstream out(file);
    for (int copy = 0; copy < 2; ++copy)
        for (int i = 0; i < 3000; ++i)
            out << "[Event \"E\"]\n[Round \"" << i << "\"]\n\n1. e4 e5 1-0\n\n";
    out.close();
    Store store(":memory:", true);
    import_files(store, {file}, {.memory = 4096});
    BOOST_TEST(store.positions.counts().occurrences == 6000);
    helpers::check_verifies(store);
    const Forgotten done = forget_named(store, "games.pgn", 4096);
    BOOST_TEST((done.games == 3000 && done.moves == 6000));
    BOOST_TEST(edge_table(store).empty());
    helpers::check_verifies(store);
}

BOOST_AUTO_TEST_CASE(an_import_that_kept_no_games_stays) {
    Store store(":memory:", true);
    import_files(store, {Data / "small.pgn"}, {.keeps_games = false});
    const helpers::EdgeTable before = edge_table(store);
    BOOST_CHECK_THROW(forget_named(store, "1"), Failure);
    BOOST_CHECK_THROW(forget_named(store, "2"), Failure);
    BOOST_TEST((edge_table(store) == before));
}

BOOST_AUTO_TEST_CASE(a_merged_book_forgets_as_well) {
    const Folder folder;
    Store from(":memory:", true), store(":memory:", true);
    import_files(from,
                 {games_of(folder, "old.pgn", 1990, 3), games_of(folder, "new.pgn", 2001, 5)});
    helpers::take(store, helpers::record("ours", "e4 c5 Nf3 d6", 1, 2));
    merge(store, ":memory:", from, {});
    BOOST_TEST(edge_table(store).size() == edge_table(from).size());
    forget_named(store, "old.pgn");
    forget_named(from, "old.pgn");
    BOOST_TEST((edge_table(store) == edge_table(from)));
    helpers::check_verifies(store);
}

BOOST_AUTO_TEST_CASE(a_polyglot_book_can_be_forgotten) {
    const Folder folder;
    Store from(":memory:", true), store(":memory:", true);
    import_files(from, {Data / "small.pgn"});
    export_polyglot(from, folder / "small.bin", {});
    import_files(store, {Data / "dirty.pgn"});
    const helpers::EdgeTable before = edge_table(store);
    import_polyglot(store, folder / "small.bin");
    BOOST_TEST((edge_table(store) != before));
    forget_named(store, "small.bin");
    BOOST_TEST((edge_table(store) == before));
    helpers::check_verifies(store);
}

BOOST_AUTO_TEST_SUITE_END()

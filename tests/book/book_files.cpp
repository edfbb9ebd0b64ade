// Books that may not be written: their overlay learns until its games can be merged.
#include "book/book_files.h"

#include "book/book.h"
#include "book/learn/audit.h"
#include "book/learn/user_edits.h"
#include "book/store/copies.h"
#include "book/store/spool.h"
#include "tests/book/one_book.h"

#include <fstream>

#include <sqlite3.h>

using namespace book;
using helpers::add_e4;
using helpers::must;
using helpers::OneBook;
using helpers::ReadOnlyFolder;
using helpers::record;
using helpers::SharedBook;
using test_system::needs_posix;

BOOST_FIXTURE_TEST_SUITE(book_files, OneBook)

// One file mounted into a container, or a book in a folder of root's: SQLite cannot make its -wal.
BOOST_FIXTURE_TEST_CASE(a_file_in_a_folder_that_cannot_be_written_is_read_only, SharedBook) {
    if (!test_system::can_drop_rights())
        return;
    BOOST_TEST(learn_without_the_folder("beside") == 0);
    BOOST_TEST(learn_without_the_folder("again") == 0);
    BOOST_TEST(games_in(file) == 1);
}

BOOST_FIXTURE_TEST_CASE(what_was_learned_elsewhere_comes_in_when_the_folder_can_be_written,
                        SharedBook) {
    if (!test_system::can_drop_rights())
        return;
    BOOST_TEST_REQUIRE(learn_without_the_folder("beside") == 0);
    BOOST_TEST(must(open(true)->stats()).own_games == 2);  // before a writer merges them
    BOOST_TEST(open()->notice() == "merged 1 game learned outside the book");
    BOOST_TEST(games_in(file) == 2);
    BOOST_TEST(files_in(data) == std::vector<std::string>(), boost::test_tools::per_element());
    BOOST_TEST(open()->notice() == "");
}

// SQLite does not notice this itself, since it cannot lock the file.
BOOST_FIXTURE_TEST_CASE(what_others_write_into_a_book_without_locks_is_seen_in_the_next_game,
                        SharedBook) {
    if (!test_system::can_drop_rights())
        return;
    const std::filesystem::path more = data / "more.db";
    std::filesystem::copy_file(file, more);
    for (int i = 0; i < 50; ++i)
        must(must(Book::open({.experience = more, .base = {}}))
                 ->learn(record(std::to_string(i), "d4 d5 Nf3 Nf6", 0.5, 4)));
    const ReadOnlyFolder closed(folder);
    BOOST_TEST(test_system::in_a_child_without_rights([&] {
                   const auto reader = open(true);
                   const auto games = [&] { return must(reader->stats()).own_games; };
                   if (games() != 1)
                       return 1;
                   // As the owner of the folder does, in the same file.
                   std::ofstream(file, std::ios::binary) << helpers::contents(more);
                   (void)must(reader->choose(engine::Game(), {}));
                   return games() == 51 ? 0 : 2;
               }) == 0);
}

BOOST_FIXTURE_TEST_CASE(a_book_that_was_read_while_it_was_read_only_learns_again, SharedBook) {
    namespace fs = std::filesystem;
    if (!test_system::can_drop_rights())
        return;
    BOOST_TEST(
        test_system::in_a_child_without_rights([&] {
            const fs::path mine = folder / "mine.db";
            fs::copy_file(file, mine);
            fs::permissions(mine, fs::perms{0444});
            (void)must(
                must(Book::open({.experience = mine, .base = {}, .read_only = true}))->stats());
            fs::permissions(mine, fs::perms{0644});
            const auto book = must(Book::open({.experience = mine, .base = {}}));
            if (book->read_only() || !book->notice().empty())
                return 1;
            must(book->learn(record("after", "d4 d5 Nf3 Nf6", 0.5, 4)));
            return games_in(mine) == 2 ? 0 : 2;
        }) == 0);
}

BOOST_FIXTURE_TEST_CASE(an_overlay_elsewhere_comes_into_the_one_that_learns, SharedBook) {
    if (!test_system::can_drop_rights())
        return;
    BOOST_TEST_REQUIRE(learn_without_the_folder("elsewhere") == 0);
    set(Learning::ReadOnly);  // and the folder can be written again
    must(open()->learn(record("beside", "c4 c5", 0, 1)));
    BOOST_TEST(files_in(data) == std::vector<std::string>(), boost::test_tools::per_element());
    BOOST_TEST(must(open(true)->stats()).own_games == 3);
    set(Learning::On);
    BOOST_TEST(open()->notice() == "merged 2 games learned outside the book");
    BOOST_TEST(games_in(file) == 3);
    BOOST_TEST(!std::filesystem::exists(overlay_of(file)));
}

BOOST_FIXTURE_TEST_CASE(marks_of_a_book_are_not_copied_and_those_of_its_overlay_come_in,
                        SharedBook) {
    if (!test_system::can_drop_rights())
        return;
    const engine::Game start;
    {
        Store store(file, true);
        mark(store, start, helpers::move(start, "f4"), Never);
    }
    set(Learning::ReadOnly);
    must(open()->learn(record("beside", "c4 c5", 0, 1)));
    {
        Store overlay(overlay_of(file), true);
        BOOST_TEST(overlay.games.counts().applied == 2);
        overlay.positions.each_flag(
            [](Key, StoredMove, int) { BOOST_ERROR("a mark in the overlay"); });
        mark(overlay, start, helpers::move(start, "g4"), Avoid);  // which comes into the book
    }
    set(Learning::On);
    BOOST_TEST(open()->notice() == "merged 1 game learned outside the book");
    BOOST_TEST(Store(file, false).positions.flags(start.position().key()).size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_overlay_that_was_merged_but_not_removed_counts_once) {
    must(open()->learn(record("before", "e4 e5 Nf3 Nc6", 1, 4)));
    set(Learning::ReadOnly);
    must(open()->learn(record("beside", "d4 d5 Nf3 Nf6", 0.5, 4)));
    const std::filesystem::path overlay = overlay_of(file), kept = *this / "kept";
    std::filesystem::copy_file(overlay, kept);
    set(Learning::On);
    (void)open();
    BOOST_TEST(!std::filesystem::exists(overlay));
    std::filesystem::rename(kept, overlay);  // as after a kill between merge and removal
    BOOST_TEST(must(open(true)->stats()).own_games == 2);
    BOOST_TEST(open()->notice() == "");
    BOOST_TEST(!std::filesystem::exists(overlay));
    BOOST_TEST(games_in(file) == 2);
}

// Another engine plays on with the overlay, which was merged and removed meanwhile.
BOOST_AUTO_TEST_CASE(an_engine_that_has_the_overlay_open_loses_no_game, *needs_posix()) {
    must(open()->learn(record("before", "e4 e5 Nf3 Nc6", 1, 4)));
    set(Learning::ReadOnly);
    {
        const auto other = open();
        must(other->learn(record("first", "d4 d5 Nf3 Nf6", 0.5, 4)));
        set(Learning::On);
        (void)open();
        BOOST_TEST(games_in(file) == 2);
        const Learned kept = must(other->learn(record("second", "c4 c5 Nf3 Nf6", 1, 4)));
        BOOST_TEST(kept.lines.at(0).ends_with("the game is kept for later"), kept.lines.at(0));
    }
    (void)open();
    BOOST_TEST(games_in(file) == 3);
}

BOOST_AUTO_TEST_CASE(a_book_in_memory_makes_no_file, *needs_posix()) {
    BOOST_TEST(test_system::in_a_child([this] {
                   std::filesystem::current_path(path());
                   const auto book = must(Book::open({.experience = ":memory:", .base = {}}));
                   sqlite3_hard_heap_limit64(1);  // no memory for another game
                   const Learned learned = must(book->learn(record("x", "e4 e5 Nf3", 1, 1)));
                   if (learned.counted || !std::filesystem::is_empty(path()))
                       return 1;
                   sqlite3_hard_heap_limit64(0);
                   must(book->learn(record("y", "e4 e5 Nf3", 1, 1)));
                   return must(book->stats()).own_games == 2 ? 0 : 2;
               }) == 0);
}

BOOST_AUTO_TEST_CASE(once_a_week_the_book_is_copied) {
    using namespace std::chrono_literals;
    const std::filesystem::path copy = weekly_copy_of(file), part = copy.string() + ".part";
    must(open()->back_up());
    BOOST_TEST(!std::filesystem::exists(copy));  // nothing is in the book yet
    {
        const auto book = open();
        must(book->learn(record("first", "e4 e5 Nf3 Nc6", 1, 4)));
        std::ofstream(part) << "what a killed process left";
        must(book->back_up());
        BOOST_TEST(!std::filesystem::exists(part));
        BOOST_TEST(games_in(copy) == 1);
        must(book->learn(record("second", "d4 d5 Nf3 Nf6", 1, 4)));
        must(book->back_up());
        BOOST_TEST(games_in(copy) == 1);
        std::filesystem::last_write_time(copy,
                                         std::filesystem::file_time_type::clock::now() - 24h * 8);
        must(book->back_up());
        BOOST_TEST(games_in(copy) == 2);
        std::filesystem::remove(copy);
        must(open(true)->back_up());  // who only reads makes none
    }
    BookFiles files = open_book_files(file, {}, false);
    BOOST_TEST(!back_up_weekly(files, 1000));  // larger than that
    BOOST_TEST(!std::filesystem::exists(copy));
    BOOST_TEST(back_up_weekly(files));
    BOOST_TEST((copies_of(file) == std::vector{copy}));
}

BOOST_AUTO_TEST_CASE(a_new_book_keeps_the_copy_of_a_lost_one) {
    const std::filesystem::path copy = weekly_copy_of(file), earlier = earlier_copy_of(file);
    const auto back_up_anew = [&] {
        std::filesystem::last_write_time(
            copy, std::filesystem::file_time_type::clock::now() - std::chrono::days(8));
        must(open()->back_up());
    };
    for (const char* name : {"1", "2", "3", "4"})
        must(open()->learn(record(name, "e4 e5 Nf3 Nc6", 1, 4)));
    must(open()->back_up());
    std::filesystem::remove(file);
    BOOST_TEST(open()->notice() ==
               "a new book begins; a copy of an earlier one is in \"" + copy.string() + '"');
    must(open()->learn(record("5", "d4 d5 Nf3 Nf6", 1, 4)));
    back_up_anew();
    BOOST_TEST(games_in(earlier) == 4);
    BOOST_TEST(games_in(copy) == 1);
    std::filesystem::remove(file);
    must(open()->learn(record("6", "d4 d5 Nf3 Nf6", 1, 4)));
    back_up_anew();
    BOOST_TEST(games_in(earlier) == 4);
    BOOST_TEST((copies_of(file) == std::vector{copy, earlier}));
}

BOOST_AUTO_TEST_CASE(a_killed_copy_has_no_final_name, *needs_posix()) {
    must(open()->learn(record("first", "e4 e5 Nf3 Nc6", 1, 4)));
    for (const std::uint64_t bytes : {0U, 8'192U, 40'000U}) {
        BOOST_TEST(test_system::in_a_child([&] {
                       const auto book = open();
                       test_system::limit_file_size(bytes, true);
                       return book->back_up() ? 0 : 1;
                   }) == -1);
        BOOST_TEST(!std::filesystem::exists(weekly_copy_of(file)));
    }
    must(open()->back_up());
    BOOST_TEST(games_in(weekly_copy_of(file)) == 1);
}

BOOST_AUTO_TEST_CASE(a_read_only_book_learns_beside_and_takes_it_in_later) {
    must(open()->learn(record("before", "e4 e5 Nf3 Nc6", 1, 4)));
    set(Learning::ReadOnly);
    {
        const auto book = open();
        BOOST_TEST(!book->read_only());
        BOOST_TEST(book->notice().find("what is learned goes into") != std::string::npos);
        BOOST_TEST(must(book->learn(record("beside", "d4 d5 Nf3 Nf6", 0.5, 4))).counted);
        BOOST_TEST(!must(book->learn(record("before", "e4 e5 Nf3 Nc6", 1, 4))).counted);
    }
    BOOST_TEST(games_in(file) == 1);
    BOOST_TEST(games_in(overlay_of(file)) == 2);
    {  // readers see both files, and so does the next learner
        const auto reader = open(true);
        BOOST_TEST(must(reader->stats()).own_games == 2);
        BOOST_TEST(must(reader->table(engine::Position(), {})).size() == 2U);
        BOOST_TEST(must(open()->stats()).own_games == 2);
    }
    set(Learning::On);
    {
        const auto book = open();
        BOOST_TEST(book->notice() == "merged 1 game learned outside the book");
        BOOST_TEST(must(book->stats()).own_games == 2);
    }
    BOOST_TEST(games_in(file) == 2);
    BOOST_TEST(open()->notice() == "");  // once
    set(Learning::ReadOnly);
    must(open()->learn(record("again", "d4 d5 Nf3 Nf6", 1, 4)));
    set(Learning::On);
    BOOST_TEST(open()->notice() == "merged 1 game learned outside the book");
    BOOST_TEST(games_in(file) == 3);
}

BOOST_AUTO_TEST_CASE(learning_off_shows_what_was_learned_beside) {
    must(open()->learn(record("before", "e4 e5 Nf3 Nc6", 1, 4)));
    set(Learning::ReadOnly);
    must(open()->learn(record("beside", "d4 d5 Nf3 Nf6", 0.5, 4)));
    set(Learning::Off);
    BOOST_TEST(open()->read_only());
    BOOST_TEST(must(open(true)->stats()).own_games == 2);
}

// Its writer was killed, or has not merged the book into it yet.
BOOST_AUTO_TEST_CASE(an_overlay_that_is_not_filled_hides_nothing) {
    must(open()->learn(record("before", "e4 e5 Nf3 Nc6", 1, 4)));
    set(Learning::ReadOnly);
    const auto early = open(true);  // before there is an overlay
    { const Store made(overlay_of(file), true); }
    const auto reader = open(true);
    const auto games_known_to = [](Book& book) {
        (void)must(book.choose(engine::Game(), {}));  // a new game
        return must(book.stats()).own_games;
    };
    BOOST_TEST(must(reader->stats()).own_games == 1);
    BOOST_TEST(games_known_to(*reader) == 1);
    BOOST_TEST(games_known_to(*early) == 1);
    must(open()->learn(record("beside", "d4 d5 Nf3 Nf6", 0.5, 4)));
    BOOST_TEST(must(reader->stats()).own_games == 1);  // the same book during a game
    BOOST_TEST(games_known_to(*reader) == 2);
    BOOST_TEST(games_known_to(*early) == 2);
}

BOOST_AUTO_TEST_CASE(what_is_imported_into_a_read_only_book_still_shows) {
    add_e4(file);
    set(Learning::ReadOnly);
    (void)open();
    const auto rows = must(open(true)->table(engine::Position(), {}));
    BOOST_TEST_REQUIRE(rows.size() == 1U);
    BOOST_TEST(rows[0].imported_wins == 5);
}

BOOST_AUTO_TEST_CASE(imported_games_of_a_read_only_book_count_in_its_overlay) {
    add_e4(file);
    const std::filesystem::path other = *this / "other.db";
    std::filesystem::copy_file(file, other);
    set(Learning::ReadOnly);
    const auto writable = must(Book::open({.experience = other, .base = {}}));
    const auto beside = open();
    for (const auto& book : {std::ref(*writable), std::ref(*beside)})
        must(book.get().learn(record("first", "e4 e5 Nf3 Nc6", 0, 4)));
    BOOST_TEST(!std::filesystem::exists(overlay_of(other)));
    const auto expected = must(writable->table(engine::Position(), {}));
    const auto rows = must(beside->table(engine::Position(), {}));
    BOOST_TEST_REQUIRE((rows.size() == 1U && expected.size() == 1U));
    BOOST_TEST(rows[0].value == expected[0].value, boost::test_tools::tolerance(1e-9));
    const NodeKey start{.key = engine::Position().key(), .side = engine::White};
    const auto value = [&start](const std::filesystem::path& name) {
        return Store(name, false).positions.node(start)->value;
    };
    BOOST_TEST(value(overlay_of(file)) == value(other), boost::test_tools::tolerance(1e-9));
    {
        Store overlay(overlay_of(file), true);
        BOOST_TEST(!verify(overlay).empty());  // without its book
        open_overlaid(overlay);
        helpers::check_verifies(overlay);
        // As an earlier version left it.
        overlay.overlaid.reset();
        overlay.db.erase(OverlaidName);
        rebuild(overlay);
    }
    BOOST_TEST(std::abs(value(overlay_of(file)) - value(other)) > 0.001);
    (void)open();
    BOOST_TEST(value(overlay_of(file)) == value(other), boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_full_disk_loses_no_game, *needs_posix()) {
    must(open()->learn(record("first", "e4 e5 Nf3 Nc6", 1, 4)));
    // No room in the book: the games wait in the spool.
    BOOST_TEST(test_system::in_a_child([this] {
                   const auto book = open();
                   test_system::limit_file_size(std::filesystem::file_size(file) / 4);
                   for (int i = 0; i < 3; ++i) {
                       const std::string name = "full " + std::to_string(i);
                       const Learned l = must(book->learn(record(name, "d4 d5 c4 e6", 1, 4)));
                       if (l.counted || l.lines.at(0).find("kept for later") == std::string::npos)
                           return 1;
                   }
                   const bool plays = must(book->choose(engine::Game(), {})).has_value();
                   return plays ? 0 : 2;
               }) == 0);
    BOOST_TEST(must(open()->stats()).own_games == 4);
    BOOST_TEST(games_in(file) == 4);
    // The spool cannot be written either: the game waits in memory until there is room.
    BOOST_TEST(test_system::in_a_child([this] {
                   const auto book = open();
                   test_system::limit_file_size(0);
                   const Learned l = must(book->learn(record("none", "d4 d5 c4 e6", 1, 4)));
                   if (l.counted || l.lines.at(0).find("tried again") == std::string::npos)
                       return 1;
                   test_system::limit_file_size(std::nullopt);
                   return must(book->learn(record("some", "d4 d5 c4 e6", 1, 4))).counted ? 0 : 2;
               }) == 0);
    BOOST_TEST(games_in(file) == 6);
    BOOST_TEST(std::filesystem::file_size(spool_of(file)) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

// Books that may not be written: their overlay learns until its games can be merged.
#include "book/book_files.h"

#include "book/book.h"
#include "book/import/polyglot.h"
#include "book/learn/audit.h"
#include "book/learn/user_edits.h"
#include "book/store/copies.h"
#include "book/store/spool.h"
#include "tests/book/helpers.h"
#include "tests/system.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <sqlite3.h>
#include <SQLiteCpp/SQLiteCpp.h>

using namespace book;
using helpers::must;
using helpers::record;
using test_system::needs_posix;

namespace {

std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// Sets a variable of the environment while it lives.
class Variable {
  public:
    Variable(const char* name, const std::filesystem::path& value) : name_(name) {
        if (const char* const before = std::getenv(name))  // NOLINT(concurrency-mt-unsafe)
            before_ = before;
        test_system::set_variable(name, value.string());
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() { test_system::set_variable(name_, before_); }

  private:
    const char* name_;
    std::optional<std::string> before_;
};

struct OneBook : helpers::Folder {
    std::filesystem::path file = *this / "book.db", data = *this / "data";
    Variable home{test_system::DataFolderVariable, data};

    [[nodiscard]] std::unique_ptr<Book> open(bool read_only = false) const {
        return must(Book::open({.experience = file, .base = {}, .read_only = read_only}));
    }
    void set(Learning how) const {
        Store store(file, true);
        set_learning(store, how);
    }
    [[nodiscard]] std::int64_t games_in(const std::filesystem::path& name) const {
        Store store(name, false);
        for (const std::string& complaint : verify(store))
            BOOST_ERROR(complaint);
        return store.games.counts().applied;
    }
};

// A folder that its owner may not write while this lives.
class ReadOnlyFolder {
  public:
    explicit ReadOnlyFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
        std::filesystem::permissions(folder_, std::filesystem::perms{0555});
    }
    ReadOnlyFolder(const ReadOnlyFolder&) = delete;
    ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;
    ~ReadOnlyFolder() { std::filesystem::permissions(folder_, std::filesystem::perms{0755}); }

  private:
    std::filesystem::path folder_;
};

// As an imported game does.
void add_e4(const std::filesystem::path& file) {
    Store store(file, true);
    const KeyedEdge e4{
        .key = engine::Position().key(),
        .edge = {.move = book::store(helpers::move(engine::Game(), "e4"), engine::White),
                 .white = 5,
                 .black = 1}};
    Transaction transaction(store.db);
    store.positions.add_edges(std::span(&e4, 1), true);
    transaction.commit();
}

// A book in a folder of its own that everybody may use, as well as the data folder.
struct SharedBook : OneBook {
    std::filesystem::path folder = *this / "folder";

    SharedBook() {
        file = folder / "book.db";
        for (const std::filesystem::path& made : {path(), folder, data}) {
            std::filesystem::create_directories(made);
            std::filesystem::permissions(made, std::filesystem::perms{0777});
        }
        must(open()->learn(record("before", "e4 e5 Nf3 Nc6", 1, 4)));
        std::filesystem::permissions(file, std::filesystem::perms{0666});
    }
    // Learns a game while the folder of the book cannot be written.
    [[nodiscard]] int learn_without_the_folder(const std::string& name) const {
        const ReadOnlyFolder closed(folder);
        return test_system::in_a_child_without_rights([&] {
            const auto book = open();
            if (book->read_only() || book->notice().find("read-only") == std::string::npos)
                return 1;
            if (!must(book->learn(record(name, "d4 d5 Nf3 Nf6", 0.5, 4))).counted)
                return 2;
            return must(book->stats()).own_games < 2 ? 3 : 0;
        });
    }
    static std::vector<std::string> files_in(const std::filesystem::path& place) {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(place))
            if (entry.is_regular_file())
                names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
};

}  // namespace

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

// Damaged, from a newer version, or no book at all: the installed book is played from, and what is
// learned waits for a book that can be used.
struct UnusableBook : OneBook {
    std::filesystem::path base = *this / "base.db";

    UnusableBook() {
        add_e4(base);
        must(open()->learn(record("own", "d4 d5 c4 e6", 1, 4)));
        must(open()->back_up());
    }
    [[nodiscard]] std::unique_ptr<Book> play_on(bool read_only = false) const {
        return must(Book::open(
            {.experience = file, .base = base, .read_only = read_only, .play_on = true}));
    }
    [[nodiscard]] std::string contents() const {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    }
    void write(const std::string& bytes) const { std::ofstream(file, std::ios::binary) << bytes; }
    void check_plays_on(const std::string& because) const {
        const std::string before = contents();
        {
            const auto reader = play_on(true);
            const std::optional<Chosen> chosen = must(reader->choose(engine::Game(), {}));
            BOOST_TEST_REQUIRE(chosen.has_value());
            BOOST_TEST((chosen->move == helpers::move(engine::Game(), "e4")));
            BOOST_TEST(reader->warning() == "");  // the writer says it
            const auto book = play_on();
            const std::string warning = book->warning();
            BOOST_TEST(warning.starts_with("playing from the installed book alone: book \""));
            BOOST_TEST(warning.find(because) != std::string::npos, warning);
            BOOST_TEST(warning.find("a copy is in \"" + weekly_copy_of(file).string()) !=
                       std::string::npos);
            BOOST_TEST(book->notice() == "");
            must(book->note(record("kept", "c4 c5 Nf3", 0.5, 2)));
            const Learned learned = must(book->learn(record("kept", "c4 c5 Nf3 Nf6", 1, 2)));
            BOOST_TEST(learned.counted);
            BOOST_TEST(learned.lines.at(0).find("the game is kept for later") != std::string::npos);
        }
        BOOST_TEST(contents() == before);
        BOOST_TEST(std::filesystem::file_size(spool_of(file)) > 0U);
    }
    void check_takes_in(std::int64_t games) const {
        const auto book = play_on();
        BOOST_TEST(book->warning() == "");
        BOOST_TEST(book->notice() == "merged 1 waiting game");
        BOOST_TEST(must(book->stats()).own_games == games);
    }
};

BOOST_FIXTURE_TEST_CASE(from_a_damaged_book_nothing_else_is_lost, UnusableBook) {
    const std::string good = contents();
    std::string bad = good;
    for (std::size_t i = 4096; i < bad.size(); i += 3)
        bad[i] = static_cast<char>(i * 7);
    write(bad);
    check_plays_on("nutcracker-book --book FILE recover");
    write(good);
    check_takes_in(2);
}

BOOST_FIXTURE_TEST_CASE(from_a_newer_book_nothing_else_is_lost, UnusableBook) {
    const std::string good = contents();
    std::string newer = good;
    newer[63] = 9;  // the version, at bytes 60 to 63 of the header
    write(newer);
    check_plays_on("newer version (format 9");
    write(good);
    check_takes_in(2);
}

BOOST_FIXTURE_TEST_CASE(from_a_file_that_is_no_book_nothing_else_is_lost, UnusableBook) {
    write(std::string(5000, 'x'));
    check_plays_on("is not a book");
    std::filesystem::remove(file);
    check_takes_in(1);
}

BOOST_FIXTURE_TEST_CASE(games_of_an_unusable_book_wait_elsewhere_if_its_folder_is_closed,
                        SharedBook) {
    if (!test_system::can_drop_rights())
        return;
    const std::filesystem::path good = *this / "good";
    std::filesystem::copy_file(file, good);
    std::ofstream(file) << std::string(5000, 'x');
    {
        const ReadOnlyFolder closed(folder);
        BOOST_TEST(test_system::in_a_child_without_rights([&] {
                       const auto book =
                           must(Book::open({.experience = file, .base = {}, .play_on = true}));
                       return must(book->learn(record("kept", "d4 d5 c4 e6", 1, 4))).counted ? 0
                                                                                             : 1;
                   }) == 0);
    }
    std::filesystem::rename(good, file);
    BOOST_TEST(open()->notice() == "merged 1 waiting game");
    BOOST_TEST(games_in(file) == 2);
}

BOOST_FIXTURE_TEST_CASE(a_locked_book_is_read_from_the_next_game_on, UnusableBook) {
    std::unique_ptr<Book> book;
    {
        SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
        other.exec("PRAGMA locking_mode = EXCLUSIVE");
        other.exec("BEGIN EXCLUSIVE");
        other.exec("CREATE TABLE held (a)");
        book = must(Book::open({.experience = file,
                                .base = base,
                                .read_only = true,
                                .patience = std::chrono::milliseconds(0),
                                .play_on = true}));
        BOOST_TEST((must(book->choose(engine::Game(), {})).value().move ==
                    helpers::move(engine::Game(), "e4")));
        BOOST_TEST(must(book->stats()).own_games == 0);
    }
    (void)must(book->choose(engine::Game(), {}));
    BOOST_TEST(must(book->stats()).own_games == 1);
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

// In a larger book damage shows only when a page is read.
BOOST_FIXTURE_TEST_CASE(a_book_that_fails_later_leaves_the_installed_one, UnusableBook) {
    const auto reader = play_on(true);
    Store(file, true).db.connection()->exec("DROP TABLE visit");
    const std::optional<Chosen> chosen = must(reader->choose(engine::Game(), {}));
    BOOST_TEST_REQUIRE(chosen.has_value());
    BOOST_TEST((chosen->move == helpers::move(engine::Game(), "e4")));
    BOOST_TEST(chosen->why.find("from the installed book, since the book") != std::string::npos);
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

BOOST_AUTO_TEST_CASE(further_books_are_read_and_never_written) {
    const helpers::Folder folder;
    {
        Store source(folder / "more.db", true);
        helpers::take(source, helpers::record("a", "d4 d5 c4 e6", 0.5, 4));
        const StoredMove e4 = book::store(helpers::move(engine::Game(), "e4"), engine::White);
        source.positions.add_edges(
            {{{.key = engine::Position().key(), .edge = {.move = e4, .draws = 40}}}}, true);
        export_polyglot(source, folder / "other.bin", {});
    }
    for (const char* name : {"more.db", "other.bin"}) {
        BOOST_TEST(check_further_book(folder / name).has_value());
        const std::string before = contents(folder / name);
        const auto book =
            helpers::must(Book::open({.experience = folder / (name + std::string(".own.db")),
                                      .base = {},
                                      .further = {folder / name},
                                      .seed = 1}));
        const auto rows = helpers::must(book->table(engine::Position(), {}));
        const bool has_games = std::string_view(name) == "more.db";  // an own game with 1.d4
        BOOST_TEST_REQUIRE(rows.size() == (has_games ? 2U : 1U), name);
        const auto e4 = std::find_if(rows.begin(), rows.end(), [](const Row& row) {
            return row.move == helpers::move(engine::Game(), "e4");
        });
        BOOST_TEST_REQUIRE((e4 != rows.end()));
        BOOST_TEST(e4->imported_draws == (has_games ? 40 : 20));
        BOOST_TEST(rows[0].probability + (has_games ? rows[1].probability : 0) > 0.9);
        BOOST_TEST(helpers::must(book->choose(engine::Game(), {.expected_nodes = 1'000'000'000}))
                       .has_value());
        BOOST_TEST(
            helpers::must(book->learn(helpers::record(name, "e4 e5 Nf3 Nc6", 1, 2))).counted);
        BOOST_TEST(contents(folder / name) == before);
    }
}

BOOST_AUTO_TEST_CASE(a_further_book_that_is_none_is_left_out) {
    const helpers::Folder folder;
    std::ofstream(folder / "short.bin") << "too short";
    std::ofstream(folder / "text.db") << std::string(5000, 'x');
    for (const char* name : {"short.bin", "text.db", "missing.bin", "missing.db"}) {
        const Result<void> usable = check_further_book(folder / name);
        BOOST_TEST_REQUIRE(!usable.has_value());
        BOOST_TEST(usable.error().what.find(name) != std::string::npos, usable.error().what);
        const auto book = helpers::must(Book::open(
            {.experience = ":memory:", .base = {}, .further = {folder / name}, .seed = 1}));
        BOOST_TEST(book->notice().find(name) != std::string::npos, book->notice());
        BOOST_TEST(!helpers::must(book->choose(engine::Game(), {})).has_value());
    }
}

BOOST_AUTO_TEST_CASE(a_polyglot_book_is_searched_where_it_is) {
    const helpers::Folder folder;
    Store source(":memory:", true);
    engine::Game game;
    std::vector<KeyedEdge> edges;
    for (const char* san : {"e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "O-O", "a5", "a4"}) {
        const Color side = game.position().side_to_move();
        edges.push_back(
            {.key = game.position().key(),
             .edge = {.move = book::store(helpers::move(game, san), side), .draws = 6}});
        game.play(helpers::move(game, san));
    }
    std::sort(edges.begin(), edges.end(), [](const KeyedEdge& a, const KeyedEdge& b) {
        return to_sql(a.key) < to_sql(b.key);
    });
    source.positions.add_edges(edges, true);
    BOOST_TEST(export_polyglot(source, folder / "b.bin", {}) == 9);
    PolyglotBook other(folder / "b.bin");
    engine::Game again;
    for (const engine::Move move : game.moves()) {
        const auto child = children_of(again.position());
        const auto found =
            other.moves(again.position().key(), [&](StoredMove m) { return child(m).has_value(); });
        BOOST_TEST_REQUIRE(found.size() == 1U);
        BOOST_TEST((stored_move(found[0].move) == move));
        BOOST_TEST(found[0].weight == 6);
        again.play(move);
    }
    BOOST_TEST(other.moves(again.position().key(), [](StoredMove) { return true; }).empty());
}

BOOST_AUTO_TEST_SUITE_END()

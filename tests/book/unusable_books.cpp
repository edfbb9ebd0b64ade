// Books that are damaged, newer, locked or none at all: the installed book is played from, and what
// is learned waits for a book that can be used.
#include "book/book.h"
#include "book/store/copies.h"
#include "book/store/spool.h"
#include "tests/book/first_format.h"
#include "tests/book/one_book.h"

#include <fstream>
#include <future>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>

using namespace book;
using helpers::must;
using helpers::record;

namespace {

struct UnusableBook : helpers::OneBook {
    std::filesystem::path base = *this / "base.db";

    UnusableBook() {
        helpers::add_e4(base);
        must(open()->learn(record("own", "d4 d5 c4 e6", 1, 4)));
        must(open()->back_up());
    }
    [[nodiscard]] std::unique_ptr<Book> play_on(bool read_only = false) const {
        return must(Book::open(
            {.experience = file, .base = base, .read_only = read_only, .play_on = true}));
    }
    [[nodiscard]] std::string contents() const { return helpers::contents(file); }
    // As another program that keeps everybody out.
    [[nodiscard]] SQLite::Database locked() const {
        SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
        other.exec("PRAGMA locking_mode = EXCLUSIVE");
        other.exec("BEGIN EXCLUSIVE");
        other.exec("CREATE TABLE held (a)");
        return other;
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
        BOOST_TEST(book->notice().ends_with("merged 1 waiting game"), book->notice());
        BOOST_TEST(must(book->stats()).own_games == games);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(unusable_books, UnusableBook)

BOOST_AUTO_TEST_CASE(from_a_damaged_book_nothing_else_is_lost) {
    const std::string good = contents();
    std::string bad = good;
    for (std::size_t i = 4096; i < bad.size(); i += 3)
        bad[i] = static_cast<char>(i * 7);
    write(bad);
    check_plays_on("nutcracker-book --book FILE recover");
    write(good);
    check_takes_in(2);
}

BOOST_AUTO_TEST_CASE(from_a_newer_book_nothing_else_is_lost) {
    const std::string good = contents();
    std::string newer = good;
    newer[63] = 9;  // the version, at bytes 60 to 63 of the header
    write(newer);
    check_plays_on("newer version (format 9");
    write(good);
    check_takes_in(2);
}

BOOST_AUTO_TEST_CASE(from_a_file_that_is_no_book_nothing_else_is_lost) {
    write(std::string(5000, 'x'));
    check_plays_on("is not a book");
    std::filesystem::remove(file);
    check_takes_in(1);
}

BOOST_FIXTURE_TEST_CASE(games_of_an_unusable_book_wait_elsewhere_if_its_folder_is_closed,
                        helpers::SharedBook) {
    if (!test_system::can_drop_rights())
        return;
    const std::filesystem::path good = *this / "good";
    std::filesystem::copy_file(file, good);
    std::ofstream(file) << std::string(5000, 'x');
    {
        const helpers::ReadOnlyFolder closed(folder);
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

BOOST_AUTO_TEST_CASE(a_locked_book_is_read_from_the_next_game_on) {
    std::unique_ptr<Book> book;
    {
        const SQLite::Database other = locked();
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

BOOST_AUTO_TEST_CASE(a_locked_book_learns_again_when_the_lock_is_gone) {
    std::unique_ptr<Book> book;
    {
        const SQLite::Database other = locked();
        book = must(Book::open({.experience = file,
                                .base = base,
                                .patience = std::chrono::milliseconds(0),
                                .play_on = true}));
        BOOST_TEST(book->warning() != "");
        must(book->learn(record("kept", "c4 c5 Nf3 Nf6", 1, 2)));
        BOOST_TEST(std::filesystem::file_size(spool_of(file)) > 0U);
    }
    const Learned learned = must(book->learn(record("later", "e4 e5 Nf3 Nc6", 1, 2)));
    BOOST_TEST(learned.counted);
    BOOST_TEST(learned.lines.back() == "merged 1 waiting game");
    BOOST_TEST(book->warning() == "");
    BOOST_TEST(must(book->stats()).own_games == 3);
    BOOST_TEST((must(book->choose(engine::Game(), {})).has_value()));
}

BOOST_AUTO_TEST_CASE(opening_waits_as_long_as_it_is_told) {
    std::promise<void> held;
    std::thread other([this, &held] {
        const SQLite::Database lock = locked();
        held.set_value();
        std::this_thread::sleep_for(UsualPatience + std::chrono::milliseconds(500));
    });
    held.get_future().wait();
    Result<std::unique_ptr<Book>> book =
        Book::open({.experience = file, .base = {}, .patience = std::chrono::minutes(5)});
    other.join();
    const std::unique_ptr<Book> opened = must(std::move(book));
    BOOST_TEST(must(opened->stats()).own_games == 1);
}

BOOST_AUTO_TEST_CASE(a_check_finds_the_faults_that_opening_finds) {
    const auto check = [](const std::filesystem::path& name) {
        return check_experience(name, std::chrono::milliseconds(0));
    };
    const auto check_fails = [&](const std::filesystem::path& name) {
        const auto opened = Book::open({.experience = name, .base = {}});
        const Result<void> checked = check(name);
        BOOST_TEST_REQUIRE((!opened && !checked));
        BOOST_TEST(checked.error().what == opened.error().what);
    };
    const std::string good = contents();
    std::string newer = good;
    newer[63] = 9;
    for (const std::string& bad : {newer, std::string(5000, 'x'), good.substr(0, 5000)}) {
        write(bad);
        check_fails(file);
        BOOST_TEST(contents() == bad);
    }
    check_fails(path());  // a folder
    check_fails(file / "in a file");
    write("");
    must(check(file));
    must(check(*this / "new folder" / "new.db"));
    BOOST_TEST(std::filesystem::exists(*this / "new folder" / "new.db"));
    must(check(":memory:"));
}

// Its games wait until it can be used.
BOOST_AUTO_TEST_CASE(a_check_accepts_a_locked_book) {
    const SQLite::Database other = locked();
    must(check_experience(file, std::chrono::milliseconds(0)));
}

BOOST_AUTO_TEST_CASE(a_check_changes_no_book) {
    {
        Store store(file, true);
        helpers::to_first_format(store);
    }
    append_to_spool(spool_of(file), record("waits", "c4 c5 Nf3", 0.5, 2));
    const std::string before = contents();
    must(check_experience(file, std::chrono::milliseconds(0)));
    BOOST_TEST(contents() == before);
    BOOST_TEST(must(waiting_games(file)).games == 1);
    BOOST_TEST(copies_of(file).size() == 1U);  // the weekly one
    BOOST_TEST(open()->notice() == "merged 1 waiting game");
}

// In a larger book damage shows only when a page is read.
BOOST_AUTO_TEST_CASE(a_book_that_fails_later_leaves_the_installed_one) {
    const auto reader = play_on(true);
    Store(file, true).db.connection()->exec("DROP TABLE visit");
    const std::optional<Chosen> chosen = must(reader->choose(engine::Game(), {}));
    BOOST_TEST_REQUIRE(chosen.has_value());
    BOOST_TEST((chosen->move == helpers::move(engine::Game(), "e4")));
    BOOST_TEST(chosen->why.find("from the installed book, since the book") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_game_is_promised_to_be_kept_where_no_folder_can_be_written) {
    write("no book");
    const helpers::ReadOnlyFolder closed(path());
    const int code = test_system::in_a_child_without_rights([&] {
        return play_on()->warning().ends_with("no folder for them can be written") ? 0 : 1;
    });
    BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_SUITE_END()

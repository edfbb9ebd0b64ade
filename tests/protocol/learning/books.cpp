#include "protocol/learning/books.h"

#include "engine/board/notation.h"
#include "tests/protocol/fakes.h"
#include "tests/protocol/program.h"

#include <atomic>
#include <thread>

#include <boost/test/unit_test.hpp>

using namespace protocol;

namespace {

struct Library {
    explicit Library(const char* experience = "first.db") : first(experience) {}

    const char* first;
    FakeBookData book_data;
    Queue<Event> mail;
    std::mutex openings_mutex;  // guards the two below
    std::vector<book::OpenOptions> openings;
    bool broken = false;

    Books books{[this](const book::OpenOptions& options) { return open(options); },
                {.experience = first, .base = {}},
                mail,
                std::chrono::minutes(1),
                [](const std::filesystem::path& file, auto) { return check(file); }};

    static Result<void> check(const std::filesystem::path& file) {
        return file.filename() == "broken.db" ? fail("broken.db is no book") : Result<void>();
    }
    Result<std::unique_ptr<book::Book>> open(const book::OpenOptions& options) {
        const std::lock_guard lock(openings_mutex);
        openings.push_back(options);
        if (const Result<void> usable = check(options.experience); !usable)
            return fail(usable.error().what);
        auto opened = std::make_unique<FakeBook>(book_data);
        if (options.experience == "unusable.db" && !options.read_only)
            opened->care = "unusable.db needs care";
        return std::unique_ptr<book::Book>(std::move(opened));
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(books, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(without_a_book_there_is_no_message) {
    Library library("-");
    Books& none = library.books;
    BOOST_TEST(!none.choose(engine::Game(), {}).has_value());
    BOOST_TEST(none.table(engine::Position(), {}).empty());
    BOOST_TEST(none.opening(engine::Game()).empty());
    none.worker().learn({});
    BOOST_TEST(none.use_file("-").has_value());
    BOOST_TEST(none.finish(std::chrono::minutes(1)));
    BOOST_TEST(library.openings.empty());
    BOOST_TEST(library.book_data.learned.empty());
}

BOOST_AUTO_TEST_CASE(the_book_file_can_be_changed_during_a_session) {
    Library library("-");
    BOOST_TEST(library.books.use_file("second.db").has_value());
    library.books.worker().learn({});
    BOOST_TEST(library.books.use_file("-").has_value());
    library.books.worker().learn({});
    library.book_data.line = {engine::parse_move(engine::Position(), "e2e4").value()};
    BOOST_TEST(!library.books.choose(engine::Game(), {}).has_value());
    BOOST_TEST(library.books.use_file("third.db").has_value());
    BOOST_TEST(library.books.choose(engine::Game(), {}).has_value());
    BOOST_TEST(library.books.finish(std::chrono::minutes(1)));
    BOOST_TEST(library.book_data.learned.size() == 1U);
    BOOST_TEST(library.openings.size() == 3U);  // to write, the last one to read, too
}

BOOST_AUTO_TEST_CASE(the_worker_opens_to_write_before_the_reader_opens_to_read) {
    Library library;
    BOOST_TEST(!library.books.choose(engine::Game(), {}).has_value());
    const std::lock_guard lock(library.openings_mutex);
    BOOST_TEST_REQUIRE(library.openings.size() == 2U);
    BOOST_TEST(!library.openings[0].read_only);
    BOOST_TEST(library.openings[1].read_only);
    BOOST_TEST(library.openings[1].patience < library.openings[0].patience);
}

BOOST_AUTO_TEST_CASE(all_games_are_learned_before_it_finishes) {
    Library library;
    for (int i = 0; i < 100; ++i) {
        book::GameRecord game;
        game.uid = std::to_string(i);
        library.books.worker().learn(std::move(game));
    }
    BOOST_TEST(library.books.finish(std::chrono::minutes(1)));
    BOOST_TEST(library.book_data.learned.size() == 100U);
    BOOST_TEST(library.book_data.learned.back().uid == "99");
    BOOST_TEST(std::get<BookMessage>(library.mail.take()).lines.at(0) == "1. e4 +0.01");
}

BOOST_AUTO_TEST_CASE(games_that_cannot_be_learned_in_time_are_merged_by_the_next_opening) {
    const Folder folder;
    const std::string file = (folder.path() / "book.db").string();
    {
        Library library(file.c_str());
        const std::lock_guard lock(
            library.book_data.games_mutex);  // nothing can be learned meanwhile
        for (const char* const uid : {"one", "two"}) {
            book::GameRecord game;
            game.uid = uid;
            game.game.play(engine::parse_move(engine::Position(), "e2e4").value());
            game.exit_ply = 0;
            library.books.worker().learn(std::move(game));
        }
        BOOST_TEST(!library.books.finish(std::chrono::milliseconds(0)));
    }
    const auto next = book::Book::open({.experience = file, .base = {}});
    BOOST_TEST_REQUIRE(next.has_value());
    BOOST_TEST((*next)->notice() == "merged 2 waiting games");
}

BOOST_AUTO_TEST_CASE(all_that_was_learned_is_in_the_file_itself) {
    const Folder folder;
    const std::filesystem::path file = folder.path() / "book.db";
    Queue<Event> mail;
    Books books(book::Book::open, {.experience = file, .base = {}}, mail, std::chrono::minutes(1));
    book::GameRecord game;
    game.uid = "one";
    game.game.play(engine::parse_move(engine::Position(), "e2e4").value());
    game.exit_ply = 0;
    books.worker().learn(std::move(game));
    BOOST_TEST(!books.choose(engine::Game(engine::Position()), {}).has_value());
    BOOST_TEST(books.finish(std::chrono::minutes(1)));
    BOOST_TEST(!std::filesystem::exists(file.string() + "-wal"));
}

BOOST_AUTO_TEST_CASE(another_file_is_opened_after_the_games_of_the_one_before) {
    Library library;
    library.books.worker().learn({});
    BOOST_TEST(library.books.use_file("second.db").has_value());
    BOOST_TEST(library.books.finish(std::chrono::minutes(1)));
    BOOST_TEST(library.book_data.learned.size() == 1U);
    BOOST_TEST_REQUIRE(library.openings.size() == 2U);
    BOOST_TEST(library.openings[1].experience == "second.db");
}

BOOST_AUTO_TEST_CASE(a_book_that_does_not_open_is_reported_once_and_play_continues) {
    const Folder folder;
    const std::string file = (folder / "broken.db").string();
    Library library(file.c_str());
    BOOST_TEST(!library.books.choose(engine::Game(), {}).has_value());
    BOOST_TEST(!library.books.choose(engine::Game(), {}).has_value());
    book::GameRecord game;
    game.uid = "kept";
    game.game.play(engine::parse_move(engine::Position(), "e2e4").value());
    library.books.worker().learn(game);
    BOOST_TEST(library.books.finish(std::chrono::minutes(1)));
    BOOST_TEST(library.book_data.learned.empty());
    BOOST_TEST(std::get<BookMessage>(library.mail.take()).lines.at(0) ==
               "playing without a book: broken.db is no book");
    BOOST_TEST(std::get<BookMessage>(library.mail.take()).lines.at(0) ==
               "the game is kept for later");
    BOOST_TEST(std::filesystem::file_size(folder / "broken.db.spool") > 0U);
}

BOOST_AUTO_TEST_CASE(what_the_user_can_do_about_the_book_is_shown_once) {
    Library library("unusable.db");
    library.books.choose(engine::Game(), {});
    library.books.choose(engine::Game(), {});
    BOOST_TEST(library.books.finish(std::chrono::minutes(1)));
    const auto message = std::get<BookMessage>(library.mail.take());
    BOOST_TEST(message.warning);
    BOOST_TEST(message.lines.at(0) == "unusable.db needs care");
    library.mail.put(EndOfInput{});
    BOOST_TEST(std::holds_alternative<EndOfInput>(library.mail.take()));  // nothing in between
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_book_keeps_the_book_in_use) {
    Library library;
    const Result<void> used = library.books.use_file("broken.db");
    BOOST_TEST_REQUIRE(!used.has_value());
    BOOST_TEST(used.error().what == "broken.db is no book");
    library.books.worker().learn({});
    BOOST_TEST(library.books.finish(std::chrono::minutes(1)));
    BOOST_TEST(library.book_data.learned.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_created_keeps_the_book_in_use) {
    const Folder folder;
    const std::filesystem::path file = folder / "book.db";
    Queue<Event> mail;
    Books books(book::Book::open,
                {.experience = file, .base = {}, .play_on = true},
                mail,
                std::chrono::minutes(1));
    // /proc takes no files, not even from root.
    BOOST_TEST(!books.use_file("/proc/nutcracker/book.db").has_value());
    book::GameRecord game;
    game.uid = "learned";
    game.game.play(engine::parse_move(engine::Position(), "e2e4").value());
    game.exit_ply = 0;
    books.worker().learn(std::move(game));
    BOOST_TEST(books.finish(std::chrono::minutes(1)));
    const auto used = book::Book::open({.experience = file, .base = {}, .read_only = true});
    BOOST_TEST_REQUIRE(used.has_value());
    BOOST_TEST((*used)->stats().value().own_games == 1);
}

// Migrations and merges take seconds.
BOOST_AUTO_TEST_CASE(another_book_is_opened_by_the_worker_alone) {
    const Folder folder;
    const std::filesystem::path file = folder / "book.db";
    book::GameRecord game;
    game.uid = "waits";
    game.game.play(engine::parse_move(engine::Position(), "e2e4").value());
    game.exit_ply = 0;
    BOOST_TEST_REQUIRE(book::keep_for_later(file, game).has_value());
    const std::thread::id main = std::this_thread::get_id();
    std::atomic<int> by_main = 0;
    const auto open = [&](const book::OpenOptions& options) {
        by_main += std::this_thread::get_id() == main ? 1 : 0;
        return book::Book::open(options);
    };
    Queue<Event> mail;
    Books books(open, {.experience = NoBook, .base = {}}, mail, std::chrono::minutes(1));
    BOOST_TEST(books.use_file(file.string()).has_value());
    BOOST_TEST(by_main == 0);
    BOOST_TEST(books.finish(std::chrono::minutes(1)));
    BOOST_TEST(std::get<BookMessage>(mail.take()).lines.at(0) == "merged 1 waiting game");
}

BOOST_AUTO_TEST_SUITE_END()

// Books that may not be written: their overlay learns until its games can be merged.
#include "book/book_files.h"

#include "book/book.h"
#include "book/learn/audit.h"
#include "book/learn/user_edits.h"
#include "book/store/spool.h"
#include "tests/book/helpers.h"

#include <csignal>

#include <sys/resource.h>
#include <sys/wait.h>

using namespace book;
using helpers::must;
using helpers::record;

namespace {

struct OneBook : helpers::Folder {
    std::filesystem::path file = *this / "book.db";

    std::unique_ptr<Book> open(bool read_only = false) const {
        return must(Book::open({.experience = file, .base = {}, .read_only = read_only}));
    }
    void set(Learning how) const {
        Store store(file, true);
        set_learning(store, how);
    }
    std::int64_t games_in(const std::filesystem::path& name) const {
        Store store(name, false);
        for (const std::string& complaint : verify(store))
            BOOST_ERROR(complaint);
        return store.games.counts().applied;
    }
};

void limit_files(::rlim_t bytes) {
    const ::rlimit limit{.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
    BOOST_TEST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

// Runs `work` in a child process and returns its exit code.
template <typename Work>
int in_a_child(const Work& work) {
    const ::pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        try {
            ::_exit(work());
        } catch (...) {
            ::_exit(99);
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(book_files, OneBook)

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
        BOOST_TEST(must(reader->table(engine::Position(), TimeClass::Blitz)).size() == 2U);
        BOOST_TEST(must(open()->stats()).own_games == 2);
    }
    set(Learning::On);
    {
        const auto book = open();
        BOOST_TEST(book->notice() == "took in 1 game learned beside the book");
        BOOST_TEST(must(book->stats()).own_games == 2);
    }
    BOOST_TEST(games_in(file) == 2);
    BOOST_TEST(open()->notice() == "");  // once
    set(Learning::ReadOnly);
    must(open()->learn(record("again", "d4 d5 Nf3 Nf6", 1, 4)));
    set(Learning::On);
    BOOST_TEST(open()->notice() == "took in 1 game learned beside the book");
    BOOST_TEST(games_in(file) == 3);
}

BOOST_AUTO_TEST_CASE(what_is_imported_into_a_read_only_book_still_shows) {
    open();
    {
        Store store(file, true);
        const KeyedEdge e4{
            .key = engine::Position().key(),
            .edge = {.move = book::store(helpers::move(engine::Game(), "e4"), engine::White),
                     .white = 5,
                     .black = 1}};
        store.positions.add_edges(std::span(&e4, 1), true);
    }
    set(Learning::ReadOnly);
    open();
    const auto rows = must(open(true)->table(engine::Position(), TimeClass::Blitz));
    BOOST_TEST_REQUIRE(rows.size() == 1U);
    BOOST_TEST(rows[0].imported_wins == 5);
}

BOOST_AUTO_TEST_CASE(a_full_disk_loses_no_game) {
    must(open()->learn(record("first", "e4 e5 Nf3 Nc6", 1, 4)));
    // No room in the book: the games wait in the spool.
    BOOST_TEST(in_a_child([this] {
                   const auto book = open();
                   limit_files(std::filesystem::file_size(file) / 4);
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
    BOOST_TEST(in_a_child([this] {
                   const auto book = open();
                   limit_files(0);
                   const Learned l = must(book->learn(record("none", "d4 d5 c4 e6", 1, 4)));
                   if (l.counted || l.lines.at(0).find("tried again") == std::string::npos)
                       return 1;
                   limit_files(RLIM_INFINITY);
                   return must(book->learn(record("some", "d4 d5 c4 e6", 1, 4))).counted ? 0 : 2;
               }) == 0);
    BOOST_TEST(games_in(file) == 6);
    BOOST_TEST(std::filesystem::file_size(spool_of(file)) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

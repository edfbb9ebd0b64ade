// The disk fails at every possible moment: whatever a program was doing then, the book stays whole,
// nothing acknowledged is lost, and the user is told.
#include "book/book.h"
#include "book/learn/audit.h"
#include "book/store/store.h"
#include "tests/posix/child.h"
#include "tests/protocol/program.h"
#include "tests/system.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Fault {
    const char* kind;  // as in tests/fault_injection.cpp
    bool stays;
    long call;  // from 1; 0: none

    [[nodiscard]] std::string text() const {
        return std::string(kind) + " at call " + std::to_string(call) + (stays ? " and after" : "");
    }
};
constexpr Fault NoFault{"eio", false, 0};

struct Run {
    int status = 0;
    std::string said;
    long calls = 0;  // that could fail
};

struct Contents {
    std::int64_t games = 0, occurrences = 0, imported = 0;
    friend bool operator==(const Contents&, const Contents&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Contents& c) {
        return out << c.games << " games, " << c.imported << " imported, " << c.occurrences
                   << " moves";
    }
};

// A folder on a disk that fails, a copy of another made before each run.
class Disk {
  public:
    explicit Disk(const std::function<void(const Disk&)>& fill) {
        fs::create_directory(folder_);
        fill(*this);
        fs::rename(folder_, fresh_);
    }
    fs::path operator/(const std::string& name) const { return folder_ / name; }
    void refresh() const {
        fs::remove_all(folder_);
        fs::copy(fresh_, folder_, fs::copy_options::recursive);
    }
    // The environment of a program that meets the fault.
    [[nodiscard]] Words environment(const Fault& fault) const {
        std::ofstream(counter_) << std::string(8, '\0');
        return {"LD_PRELOAD=" FAULT_INJECTION,
                "NUTCRACKER_FAULT=" + folder_.string() + ':' + fault.kind + ':' +
                    std::to_string(fault.call) + (fault.stays ? ":stays:" : ":passes:") +
                    counter_.string(),
                "TMPDIR=" + folder_.string()};
    }
    [[nodiscard]] long calls() const {
        std::int64_t number = 0;
        std::ifstream(counter_).read(reinterpret_cast<char*>(&number), sizeof number);
        return number;
    }
    [[nodiscard]] Run run(const Words& program, const Fault& fault = NoFault) const {
        Words words{"/usr/bin/env", "timeout", "-k", "1", "60", "env"};
        for (const Words& more : {environment(fault), program})
            words.insert(words.end(), more.begin(), more.end());
        Child child(words, true);
        Run run;
        run.status = child.status();
        for (const std::string& line : child.lines())
            run.said += line + '\n';
        run.calls = calls();
        return run;
    }

  private:
    Folder outside_;
    fs::path folder_ = outside_ / "disk", fresh_ = outside_ / "fresh",
             counter_ = outside_ / "calls";
};

// What a book has, as the next program finds it that opens it on a sound disk.
Contents contents(const fs::path& file) {
    if (!fs::exists(file))
        return {};
    book::Store store(file, true);
    for (const std::string& difference : book::verify(store))
        BOOST_ERROR(difference);
    BOOST_TEST(store.db.integrity_check() == "");
    const book::Games::Counts games = store.games.counts();
    return {.games = games.applied,
            .occurrences = store.positions.counts().occurrences,
            .imported = games.imported};
}

// Opens the book as the next program does, and so merges the games that wait beside it.
void reopen(const fs::path& file) {
    const auto book = book::Book::open({.experience = file, .base = {}});
    BOOST_TEST(book.has_value(), (book ? "" : book.error().what));
}

// Calls `attempt`, which returns how many calls its program made that could fail, for every
// `step`-th call that fails, until the program makes fewer calls.
void at_every_call(int step, const std::function<long(const Fault&)>& attempt) {
    int first = 0, runs = 0;
    for (const char* const kind : {"eio", "full", "short"})
        for (const bool stays : {false, true})
            for (long call = first++ % step + 1;; call += step) {
                const Fault fault{kind, stays, call};
                BOOST_TEST_CONTEXT(fault.text()) {
                    ++runs;
                    if (attempt(fault) < call)
                        break;
                }
            }
    BOOST_TEST_MESSAGE(runs << " runs");
}

// A command that changes book.db. After a fault all of its work is there, or it says what went
// wrong and nothing is there; repeated on a sound disk, it does the whole work once.
void check_command(const Disk& disk, const Words& command, int step) {
    disk.refresh();
    const Contents before = contents(disk / "book.db");
    BOOST_TEST_REQUIRE(disk.run(command).status == 0);
    const Contents whole = contents(disk / "book.db");
    at_every_call(step, [&](const Fault& fault) {
        disk.refresh();
        const Run run = disk.run(command, fault);
        BOOST_TEST_MESSAGE(fault.text() << ": " << run.status << ' ' << run.said);
        BOOST_TEST_CONTEXT(run.said) {
            BOOST_TEST((run.status == 0 || run.status == 1), run.status);
            const Contents found = contents(disk / "book.db");
            // Games in front of a place that cannot be read are imported.
            const bool told = run.said.find("nutcracker-book: ") != std::string::npos;
            const bool part_read = run.said.find("games.pgn") != std::string::npos;
            BOOST_TEST(
                (found == whole || (run.status == 1 && ((told && found == before) || part_read))),
                found);
            const Run again = disk.run(command);
            BOOST_TEST(again.status == 0, again.said);
            BOOST_TEST(contents(disk / "book.db") == whole);
        }
        return run.calls;
    });
}

Words book_command(const Disk& disk, const Words& more) {
    Words words{NUTCRACKER_BOOK, "--book", (disk / "book.db").string(), "--base", ""};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// 72,000 moves in four positions: more than an import with little memory sorts at once, in a file
// that is not read at once.
void import_games(int step) {
    const Disk disk([](const Disk& empty) {
        std::ofstream games(empty / "games.pgn");
        for (int game = 0; game < 240; ++game) {
            games << "[Round \"" << game << "\"]\n\n";
            for (int i = 0; i < 75; ++i)
                games << "Nf3 Nf6 Ng1 Ng8 ";
            games << "1-0\n\n";
        }
    });
    check_command(disk,
                  book_command(disk,
                               {"import",
                                "--quiet",
                                "--memory=1",
                                "--duplicates=none",
                                "--max-ply=1000",
                                "--temp",
                                (disk / "").string(),
                                (disk / "games.pgn").string()}),
                  step);
}

void merge_books(int step) {
    const Disk disk([](const Disk& empty) {
        BOOST_TEST(empty.run({MAKE_BOOK, (empty / "book.db").string(), "a"}).status == 0);
        BOOST_TEST(empty.run({MAKE_BOOK, (empty / "other.db").string(), "b"}).status == 0);
    });
    check_command(disk, book_command(disk, {"merge", (disk / "other.db").string()}), step);
}

// Turns a book into one of the first format.
void make_old(const fs::path& file) {
    SQLite::Database db(file.string(), SQLite::OPEN_READWRITE);
    db.exec("DROP INDEX game_applied");
    db.exec("ALTER TABLE game DROP COLUMN exit_key");
    db.exec("ALTER TABLE game DROP COLUMN analysed_cp");
    db.exec("PRAGMA user_version = 1");
}

// A book of an older format, which the first program that opens it brings up to date.
void migrate_book(int step) {
    const Disk disk([](const Disk& empty) {
        fs::copy_file(TEST_DIR "/../book/data/format2.db", empty / "book.db");
        make_old(empty / "book.db");
    });
    check_command(disk, book_command(disk, {"rebuild"}), step);
}

// A game that is learned through the face of the book: what is acknowledged is in the book, what is
// kept for later gets there when the book is opened again, and what failed can be repeated.
void learn_game(int step) {
    const Disk disk([](const Disk& empty) {
        BOOST_TEST(empty.run({MAKE_BOOK, (empty / "book.db").string(), "a"}).status == 0);
    });
    const Words command{MAKE_BOOK, (disk / "book.db").string(), "3"};
    disk.refresh();
    const Contents before = contents(disk / "book.db");
    BOOST_TEST_REQUIRE(disk.run(command).status == 0);
    const Contents whole = contents(disk / "book.db");
    BOOST_TEST_REQUIRE(whole.games == before.games + 1);
    at_every_call(step, [&](const Fault& fault) {
        disk.refresh();
        const Run run = disk.run(command, fault);
        BOOST_TEST_MESSAGE(fault.text() << ": " << run.status << ' ' << run.said);
        BOOST_TEST_CONTEXT(run.said) {
            BOOST_TEST((run.status == 0 || run.status == 1), run.status);
            BOOST_TEST(!run.said.empty());
            const Contents found = contents(disk / "book.db");
            BOOST_TEST((found == whole || found == before), found);
            reopen(disk / "book.db");
            if (run.said.find("value ") != std::string::npos ||
                run.said.find("kept for later") != std::string::npos)
                BOOST_TEST(contents(disk / "book.db") == whole);
            const Run again = disk.run(command);
            BOOST_TEST(again.status == 0, again.said);
            BOOST_TEST(contents(disk / "book.db") == whole);
        }
        return run.calls;
    });
}

// A game that the engine plays. Until the end of the game the first call may have failed long ago.
std::string play(const Disk& disk, const Fault& fault) {
    Program program(
        {"--book", (disk / "book.db").string(), "--hash", "1"}, {}, disk.environment(fault));
    std::string said;
    const auto until = [&](const std::string& beginning) {
        for (const std::string& line : program.until(beginning))
            if (!line.starts_with("feature "))
                said += line + '\n';
    };
    program.send({"xboard", "protover 2"});
    until("feature done=1");
    program.send({"accepted debug", "new", "sd 1", "a2a4"});
    until("move ");
    program.send({"h2h4"});
    until("move ");
    program.send({"result 0-1 {White resigns}", "ping 1"});
    until("pong 1");
    if (said.find("without a book") == std::string::npos)
        while (said.find("# book: ") == std::string::npos &&
               said.find("telluser") == std::string::npos &&
               said.find("(nothing)") == std::string::npos)
            said += program.line() + '\n';
    program.send({"quit"});
    BOOST_TEST(program.exit_status() == 0);
    BOOST_TEST((test_system::is_emulated() || program.complaints().empty()));
    return said + program.rest();
}

// The game is learned, or waits beside the book; it is lost only if the disk never comes back, and
// not without a word.
void play_game(int step) {
    const Disk disk([](const Disk&) {});
    at_every_call(step, [&](const Fault& fault) {
        disk.refresh();
        const std::string said = play(disk, fault);
        const long calls = disk.calls();
        BOOST_TEST_MESSAGE(fault.text() << ": " << said);
        BOOST_TEST_CONTEXT(said) {
            reopen(disk / "book.db");
            const Contents found = contents(disk / "book.db");
            const bool told = said.find("# book: ") != std::string::npos ||
                              said.find("telluser ") != std::string::npos;
            BOOST_TEST((found.games == 1 || (found.games == 0 && fault.stays && told)), found);
        }
        return calls;
    });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(faults)

constexpr int Some = 37;  // every 37th call, so that each case takes a few seconds

BOOST_AUTO_TEST_CASE(an_import_is_all_or_nothing) {
    import_games(Some);
}
BOOST_AUTO_TEST_CASE(a_merge_is_all_or_nothing) {
    merge_books(Some);
}
BOOST_AUTO_TEST_CASE(a_migration_is_all_or_nothing) {
    migrate_book(Some);
}
BOOST_AUTO_TEST_CASE(a_learned_game_is_not_lost) {
    learn_game(Some);
}
BOOST_AUTO_TEST_CASE(a_played_game_is_not_lost) {
    play_game(Some);
}

BOOST_AUTO_TEST_CASE(every_call_of_an_import, *boost::unit_test::label("slow")) {
    import_games(1);
}
BOOST_AUTO_TEST_CASE(every_call_of_a_merge, *boost::unit_test::label("slow")) {
    merge_books(1);
}
BOOST_AUTO_TEST_CASE(every_call_of_a_migration, *boost::unit_test::label("slow")) {
    migrate_book(1);
}
BOOST_AUTO_TEST_CASE(every_call_of_learning, *boost::unit_test::label("slow")) {
    learn_game(1);
}
BOOST_AUTO_TEST_CASE(every_call_of_a_played_game, *boost::unit_test::label("slow")) {
    play_game(1);
}

BOOST_AUTO_TEST_SUITE_END()

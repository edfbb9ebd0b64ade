// Books whose writer is killed at any moment of an import, a merge or a migration; see killed.cpp.
// The environment variable NUTCRACKER_KILLS sets the number of kills.
#include "book/book.h"
#include "book/import/importer.h"
#include "book/learn/audit.h"
#include "book/learn/merge.h"
#include "book/store/failure.h"
#include "book/store/spool.h"
#include "tests/book/helpers.h"

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <fstream>

#include <sys/wait.h>

using namespace book;
using helpers::must;

namespace {

// A child process and a pipe on which it acknowledges its work, a byte at a time.
class Process {
  public:
    template <typename Work>
    explicit Process(const Work& work) {
        std::array<int, 2> ends{};
        BOOST_TEST_REQUIRE(::pipe(ends.data()) == 0);
        process_ = ::fork();
        if (process_ == 0) {
            ::close(ends[0]);
            const Result<bool> done =
                guarded([&] { return work([&ends] { return ::write(ends[1], "x", 1) == 1; }); });
            ::_exit(done && *done ? 0 : 1);  // runs no destructor of the parent's objects
        }
        ::close(ends[1]);
        pipe_ = ends[0];
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        if (process_ > 0)
            kill();
        ::close(pipe_);
    }
    // Waits for the next byte; false at the end.
    [[nodiscard]] bool acknowledged() const {
        char byte = 0;
        return ::read(pipe_, &byte, 1) == 1;
    }
    void kill() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        process_ = 0;
    }

  private:
    ::pid_t process_ = 0;
    int pipe_ = 0;
};

GameRecord game(int writer, int number) {
    const std::array lines{"e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6",
                           "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7",
                           "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6"};
    GameRecord r = helpers::record(std::to_string(writer) + "/" + std::to_string(number),
                                   lines[static_cast<std::size_t>(number) % 3],
                                   number % 3 / 2.0,
                                   4 + number % 4);
    r.opponent.name = "Opponent " + std::to_string(number % 5);
    return r;
}

// Learns games and acknowledges each that is stored.
template <typename Acknowledge>
bool learn_games(const std::filesystem::path& file,
                 int writer,
                 int count,
                 const Acknowledge& acknowledge) {
    const Result<std::unique_ptr<Book>> book = Book::open({.experience = file, .base = {}});
    if (!book)
        return false;
    for (int i = 0; i < count; ++i) {
        const GameRecord r = game(writer, i);
        if (i % 2 == 0 && !(*book)->note(r))
            return false;
        const Result<Learned> learned = (*book)->learn(r);
        if (!learned || !acknowledge())
            return false;
    }
    return true;
}

std::int64_t own_games(const std::filesystem::path& file) {
    const auto book = must(Book::open({.experience = file, .base = {}}));
    for (const std::string& complaint : must(book->verify()))
        BOOST_ERROR(complaint);
    return must(book->stats()).own_games;
}

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    double uniform() {  // 0..1
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state_ >> 11) / 9007199254740992.0;
    }

  private:
    std::uint64_t state_;
};

// Kills the calling process with SIGKILL after it has used this much processor time.
void die_after(std::chrono::nanoseconds time) {
    ::sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    ::timer_t timer{};
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    ::itimerspec when{};
    when.it_value = {.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
    if (::timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 ||
        ::timer_settime(timer, 0, &when, nullptr) != 0)
        ::_exit(2);
}

// From half a millisecond to `longest_ms`, uniform in the logarithm.
std::chrono::nanoseconds some_time(Dice& dice, double longest_ms) {
    const double ms = 0.5 * std::pow(longest_ms / 0.5, dice.uniform());
    return std::chrono::nanoseconds(static_cast<std::int64_t>(ms * 1e6));
}

int kills(int otherwise, int share) {
    const char* const asked = std::getenv("NUTCRACKER_KILLS");  // NOLINT(concurrency-mt-unsafe)
    return asked ? std::atoi(asked) * share / 100 : otherwise;  // NOLINT(cert-err34-c)
}

// Runs `work` in a child until it dies; returns how often it acknowledged.
template <typename Work>
int killed_at(std::chrono::nanoseconds time, const Work& work) {
    Process child([&](const auto& acknowledge) {
        die_after(time);
        return work(acknowledge);
    });
    int acknowledged = 0;
    while (child.acknowledged())
        ++acknowledged;
    return acknowledged;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crash)

BOOST_AUTO_TEST_CASE(a_killed_import_is_all_or_nothing) {
    constexpr int Games = 400, Plies = 8;
    helpers::Folder folder;
    const std::filesystem::path games = folder / "games.pgn";
    {
        std::ofstream out(games);
        for (int i = 0; i < Games; ++i)
            out << "[Event \"E\"]\n[Round \"" << i
                << "\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n\n";
    }
    const auto import_all = [&](const std::filesystem::path& file,
                                const std::function<bool()>& acknowledge) {
        Store store(file, true);
        Importer importer(store, file, {}, {});
        importer.read(open_games(games));
        importer.finish();
        return acknowledge();
    };
    Dice dice(5);
    for (int round = 0; round < kills(8, 20); ++round) {
        const std::filesystem::path file = folder / ("book" + std::to_string(round) + ".db");
        BOOST_TEST_REQUIRE(learn_games(file, 0, 3, [] { return true; }));
        const int acknowledged = killed_at(some_time(dice, 40), [&](const auto& acknowledge) {
            return import_all(file, acknowledge);
        });
        BOOST_TEST(own_games(file) == 3);
        const auto moves = [&file] { return Store(file, true).positions.counts().occurrences; };
        BOOST_TEST((moves() == Games * Plies || (acknowledged == 0 && moves() == 0)));
        BOOST_TEST_REQUIRE(import_all(file, [] { return true; }));
        BOOST_TEST(moves() == Games * Plies);
        std::filesystem::remove(file);
    }
}

BOOST_AUTO_TEST_CASE(a_killed_merge_is_all_or_nothing) {
    helpers::Folder folder;
    const std::filesystem::path other = folder / "other.db", first = folder / "first.db";
    BOOST_TEST_REQUIRE(learn_games(other, 1, 25, [] { return true; }));
    BOOST_TEST_REQUIRE(learn_games(first, 0, 3, [] { return true; }));
    Dice dice(6);
    for (int round = 0; round < kills(8, 20); ++round) {
        const std::filesystem::path file = folder / ("book" + std::to_string(round) + ".db");
        std::filesystem::copy_file(first, file);
        const int acknowledged = killed_at(some_time(dice, 30), [&](const auto& acknowledge) {
            Store into(file, true), from(other, false);
            book::merge(into, file, from, {});
            return acknowledge();
        });
        const std::int64_t found = own_games(file);
        BOOST_TEST((found == 28 || (acknowledged == 0 && found == 3)), found);
        std::filesystem::remove(file);
    }
}

// Lines of a newer version stand between the games and stay there.
BOOST_AUTO_TEST_CASE(a_killed_merge_of_the_spool_loses_nothing_and_counts_nothing_twice) {
    constexpr int Games = 12;
    constexpr const char* Newer = "game9\tlater\tx\n";
    helpers::Folder folder;
    const std::filesystem::path filled = folder / "filled.spool";
    for (int i = 0; i < Games; ++i) {
        append_to_spool(filled, game(0, i));
        std::ofstream(filled, std::ios::app) << Newer;
    }
    Dice dice(7);
    for (int round = 0; round < kills(8, 20); ++round) {
        const std::filesystem::path file = folder / ("book" + std::to_string(round) + ".db");
        BOOST_TEST_REQUIRE(learn_games(file, 1, 2, [] { return true; }));
        std::filesystem::copy_file(filled, spool_of(file));
        killed_at(some_time(dice, 30), [&](const auto& acknowledge) {
            return Book::open({.experience = file, .base = {}}).has_value() && acknowledge();
        });
        BOOST_TEST(own_games(file) == Games + 2);  // opening merges what was left
        int newer = 0;
        std::ifstream spool(spool_of(file));
        for (std::string line; std::getline(spool, line);)
            newer += line + '\n' == Newer ? 1 : 0;
        BOOST_TEST(newer == Games);
        std::filesystem::remove(file);
    }
}

BOOST_AUTO_TEST_CASE(a_killed_migration_is_begun_again) {
    helpers::Folder folder;
    Dice dice(7);
    for (int round = 0; round < kills(8, 20); ++round) {
        const std::filesystem::path file = folder / ("book" + std::to_string(round) + ".db");
        std::filesystem::copy_file(std::string(TEST_DIR) + "/data/noted.db", file);
        killed_at(some_time(dice, 20), [&](const auto& acknowledge) {
            open_store(file, true);
            return acknowledge();
        });
        BOOST_TEST(own_games(file) == 7);
        BOOST_TEST(open_store(file, true).clock() == 7);
    }
}

BOOST_AUTO_TEST_SUITE_END()

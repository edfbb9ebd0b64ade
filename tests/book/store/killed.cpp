// Books whose learners are killed at any moment, and books with several learners at once, each a
// process of its own. The environment variable NUTCRACKER_KILLS sets the number of kills.
#include "book/book.h"
#include "engine/platform/process.h"
#include "engine/platform/program.h"
#include "tests/book/helpers.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace book;
using engine::platform::Process;
using helpers::must;

namespace {

using std::chrono::microseconds;

// make_book, which learns games and prints a line for each that is stored.
class Learner {
  public:
    Learner(const std::filesystem::path& file, int writer, int count, int times = 1)
        : process_(must(Process::start({.words = {MAKE_BOOK,
                                                  file.string(),
                                                  "learn",
                                                  std::to_string(writer),
                                                  std::to_string(count),
                                                  std::to_string(times)},
                                        .directory = {},
                                        .error_file = {},
                                        .environment = {}}))) {}
    // Reads until the time, or until it ends; the number of games acknowledged so far.
    int acknowledged(Process::Clock::time_point until) {
        const std::array<Process*, 1> processes{process_.get()};
        do
            while (const auto line = process_->line())
                acknowledged_ += *line == "learned" ? 1 : 0;
        while (!process_->at_end() && wait_for(processes, until, nullptr));
        while (const auto line = process_->line())
            acknowledged_ += *line == "learned" ? 1 : 0;
        return acknowledged_;
    }
    // Kills it this long after it has begun.
    int killed_after(microseconds time) {
        const std::array<Process*, 1> processes{process_.get()};
        (void)wait_for(processes, Process::Clock::now() + std::chrono::minutes(1), nullptr);
        acknowledged(Process::Clock::now() + time);
        process_->kill();
        return ended();
    }
    int ended() { return acknowledged(Process::Clock::now() + std::chrono::minutes(5)); }
    bool succeeded() {
        process_->finish(std::chrono::minutes(1));
        return process_->exit_status() == 0;
    }

  private:
    std::unique_ptr<Process> process_;
    int acknowledged_ = 0;
};

std::int64_t own_games(const std::filesystem::path& file) {
    const auto book = must(Book::open({.experience = file, .base = {}}));
    for (const std::string& complaint : must(book->verify()))
        BOOST_ERROR(complaint);
    return must(book->stats()).own_games;
}

int kills(int otherwise, int share) {
    const char* const asked = std::getenv("NUTCRACKER_KILLS");  // NOLINT(concurrency-mt-unsafe)
    return asked ? std::atoi(asked) * share / 100 : otherwise;  // NOLINT(cert-err34-c)
}

// How long it takes to learn a few games.
microseconds time_of(int games, int times) {
    const helpers::Folder folder;
    Learner learner(folder / "book.db", 0, games, times);
    const auto begun = Process::Clock::now();
    BOOST_TEST(learner.ended() == games * times);
    return std::chrono::duration_cast<microseconds>(Process::Clock::now() - begun);
}

// Kills learners after up to `longest`, uniform in the logarithm. They lose no game that was
// acknowledged, and the book has at most one that was not.
void kill_learners(int rounds, unsigned seed, microseconds longest, int games, int times) {
    const helpers::Folder folder;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> exponent(-5, 0);
    std::int64_t all_acknowledged = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::filesystem::path file = folder / ("book" + std::to_string(round) + ".db");
        const auto time =
            std::chrono::duration_cast<microseconds>(longest * std::exp(exponent(random)));
        const int acknowledged = Learner(file, 0, games, times).killed_after(time);
        const std::int64_t found =
            acknowledged == 0 && !std::filesystem::exists(file) ? 0 : own_games(file);
        BOOST_TEST(found >= acknowledged);
        BOOST_TEST(found <= acknowledged + 1);
        all_acknowledged += acknowledged;
        std::filesystem::remove(file);
    }
    BOOST_TEST_MESSAGE(all_acknowledged << " games acknowledged in " << rounds << " rounds");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(killed)

BOOST_AUTO_TEST_CASE(a_killed_learner_loses_nothing_that_was_acknowledged) {
    kill_learners(kills(12, 40), 3, time_of(12, 1), 100'000, 1);
}

// Closing a book checkpoints its write-ahead log into the file.
BOOST_AUTO_TEST_CASE(a_learner_killed_while_it_closes_the_book_loses_nothing) {
    kill_learners(kills(6, 20), 4, time_of(1, 6), 1, 100'000);
}

// They also create the file all at once.
BOOST_AUTO_TEST_CASE(eight_learners_on_one_book_lose_nothing) {
    const helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    constexpr int Learners = 8;
    const int games = kills(10, 10);
    std::vector<std::unique_ptr<Learner>> learners;
    for (int i = 0; i < Learners; ++i)
        learners.push_back(std::make_unique<Learner>(file, i, games));
    for (const auto& learner : learners) {
        BOOST_TEST(learner->ended() == games);
        BOOST_TEST(learner->succeeded());
    }
    BOOST_TEST(own_games(file) == Learners * games);
}

BOOST_AUTO_TEST_SUITE_END()

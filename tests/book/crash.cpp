// Books of which a writer is killed at any moment, and books with several writers at once.
#include "book/audit.h"
#include "book/import.h"
#include "tests/book/helpers.h"

#include <array>
#include <csignal>
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
            const bool done = work([&ends] { return ::write(ends[1], "x", 1) == 1; });
            ::_exit(done ? 0 : 1);  // no destructor of the parent's things may run here
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
    bool acknowledged() const {
        char byte = 0;
        return ::read(pipe_, &byte, 1) == 1;
    }
    void kill() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        process_ = 0;
    }
    bool succeeded() {
        int status = 0;
        ::waitpid(process_, &status, 0);
        process_ = 0;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
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

}  // namespace

BOOST_AUTO_TEST_SUITE(crash)

BOOST_AUTO_TEST_CASE(a_killed_learner_loses_nothing_that_was_acknowledged) {
    helpers::Folder folder;
    std::uint64_t state = 3;
    for (int round = 0; round < 12; ++round) {
        const std::filesystem::path file = folder / ("book" + std::to_string(round) + ".db");
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto until = static_cast<int>((state >> 33) % 15);
        Process child(
            [&](const auto& acknowledge) { return learn_games(file, 0, 1000, acknowledge); });
        int acknowledged = 0;
        while (acknowledged < until && child.acknowledged())
            ++acknowledged;
        child.kill();
        while (child.acknowledged())  // what it said before it died
            ++acknowledged;
        const std::int64_t found =
            acknowledged == 0 && !std::filesystem::exists(file) ? 0 : own_games(file);
        BOOST_TEST(found >= acknowledged);
        BOOST_TEST(found <= acknowledged + 1);
    }
}

BOOST_AUTO_TEST_CASE(a_killed_import_is_all_or_nothing) {
    helpers::Folder folder;
    const std::filesystem::path games = folder / "games.pgn";
    {
        std::ofstream out(games);
        for (int i = 0; i < 4000; ++i)
            out << "[Event \"E\"]\n[Round \"" << i
                << "\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n\n";
    }
    const auto store_all = [&](const std::filesystem::path& file,
                               const std::function<bool()>& acknowledge) {
        Result<Store> store = Store::open(file, true);
        if (!store)
            return false;
        const ImportListener listener{.trouble = [](const ImportTrouble&) {},
                                      .go_on = [&](const ImportReport&) { return acknowledge(); }};
        Result<Importer> importer = Importer::begin(*store, file, {}, listener);
        const Result<GamesFile> opened = open_games(games);
        if (!importer || !opened || !importer->read(*opened))
            return false;
        return acknowledge() && importer->finish().has_value() && acknowledge();
    };
    for (int round = 0; round < 8; ++round) {
        const std::filesystem::path file = folder / ("book" + std::to_string(round) + ".db");
        {
            BOOST_TEST_REQUIRE(learn_games(file, 0, 3, [] { return true; }));
            Process child([&](const auto& acknowledge) { return store_all(file, acknowledge); });
            for (int i = 0; i < round && child.acknowledged(); ++i) {
            }
            child.kill();
        }
        BOOST_TEST(own_games(file) == 3);
        Store store = must(Store::open(file, true));
        const std::int64_t before = must(store.tree->counts()).occurrences;
        BOOST_TEST((before == 0 || before == 4000 * 8));
        BOOST_TEST_REQUIRE(store_all(file, [] { return true; }));
        BOOST_TEST(must(store.tree->counts()).occurrences == 4000 * 8);
    }
}

BOOST_AUTO_TEST_CASE(four_writers_on_one_book_lose_nothing) {
    helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    constexpr int Writers = 4, Games = 15;
    {
        std::vector<std::unique_ptr<Process>> children;
        for (int writer = 0; writer < Writers; ++writer)  // they also create the file all at once
            children.push_back(std::make_unique<Process>([&](const auto& acknowledge) {
                return learn_games(file, writer, Games, acknowledge);
            }));
        for (const auto& child : children) {
            int acknowledged = 0;
            while (child->acknowledged())
                ++acknowledged;
            BOOST_TEST(acknowledged == Games);
            BOOST_TEST(child->succeeded());
        }
    }
    BOOST_TEST(own_games(file) == Writers * Games);
}

BOOST_AUTO_TEST_SUITE_END()

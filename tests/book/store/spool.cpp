// Games that wait in the spool beside a book: nothing in it is lost, and nothing counts twice.
#include "book/store/spool.h"

#include "book/book.h"
#include "book/store/failure.h"
#include "book/store/store.h"
#include "engine/platform/file.h"
#include "tests/book/helpers.h"

#include <fstream>

using namespace book;
using helpers::must;
using helpers::record;

namespace {

// Lines of games as the first version wrote them, the second of a resumed game.
constexpr const char* OldLine =
    "game1\told\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t"
    "1804 2356 1350 2745 2117 \t0\t2\t0\tAnna\tx\t1\t1800\t1900\t1\t1700000000\tNutcracker\t4\t20\t"
    "12\tWhite mates\\twell\ta | b\\nc\\n\t18352168130871794803\n";
constexpr const char* OldResumedLine =
    "game1\tresumed\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t"
    "1804 2356 1350 2745 2117 \t0\t2\t0\tAnna\tx\t1\t1800\t1900\t1\t1700000000\tNutcracker\t4\t20\t"
    "12\tWhite mates\\twell\ta | b\\nc\\n\tresumed\t17334030232036445805\n";
constexpr const char* NewerLine = "game9\tlater\twith other fields\t12345\n";

struct Spool : helpers::Folder {
    std::filesystem::path book = *this / "book.db", file = spool_of(book);

    [[nodiscard]] std::unique_ptr<Book> open() const {
        return must(Book::open({.experience = book, .base = {}}));
    }
    void write(const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }
    void append(const std::string& text) const {
        std::ofstream(file, std::ios::binary | std::ios::app) << text;
    }
    [[nodiscard]] std::string lines() const {  // but for empty ones
        std::ifstream in(file, std::ios::binary);
        std::string all;
        for (std::string line; std::getline(in, line);)
            if (!line.empty())
                all += line + '\n';
        return all;
    }
    void check_is_unlocked() const {
        using engine::platform::File;
        BOOST_TEST_REQUIRE(File(file, File::Mode::Edit).try_lock());
    }
    [[nodiscard]] std::int64_t games() const { return must(open()->stats()).own_games; }
    [[nodiscard]] std::vector<GameRecord> merged() const {
        std::vector<GameRecord> games;
        merge_spool(
            file, [] {}, [&games](const GameRecord& game) { games.push_back(game); });
        return games;
    }
};

GameRecord waiting(const std::string& uid) {
    return record(uid, "d4 d5 c4 e6", 0.5, 4);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(spool, Spool)

BOOST_AUTO_TEST_CASE(every_field_of_a_game_comes_back) {
    GameRecord r = waiting("fields");
    r.opponent = {.name = "Tab\tand \\", .server = "x", .computer = true, .rating = 1800};
    r.our_side = engine::Black;
    r.our_rating = 1900;
    r.termination = Termination::Flag;
    r.time_control = "40/300+2";
    r.event = "a \"match\"\tin\nparts";
    r.reason = "out of time";
    r.draws = {"a | b", "c"};
    append_to_spool(file, r);
    r.resumed = true;
    append_to_spool(file, r);
    const std::vector<GameRecord> games = merged();
    BOOST_TEST_REQUIRE(games.size() == 2U);
    BOOST_TEST(games[0].time_control == r.time_control);
    BOOST_TEST(games[0].event == r.event);
    BOOST_TEST(games[0].reason == r.reason);
    BOOST_TEST((games[0].draws == r.draws));
    BOOST_TEST(games[0].opponent.name == r.opponent.name);
    BOOST_TEST(games[0].our_rating == 1900);
    BOOST_TEST((games[0].termination == Termination::Flag));
    BOOST_TEST((!games[0].resumed && games[1].resumed));
    BOOST_TEST(games[1].event == r.event);
}

BOOST_AUTO_TEST_CASE(lines_of_the_first_version_are_read) {
    write(std::string("\n") + OldLine + "\n" + OldResumedLine);
    const std::vector<GameRecord> games = merged();
    BOOST_TEST_REQUIRE(games.size() == 2U);
    BOOST_TEST(games[0].uid == "old");
    BOOST_TEST(games[0].game.ply() == 5);
    BOOST_TEST(games[0].reason == "White mates\twell");
    BOOST_TEST(games[0].draws.size() == 2U);
    BOOST_TEST(games[0].time_control == "");
    BOOST_TEST((!games[0].resumed && games[1].resumed));
    BOOST_TEST(std::filesystem::file_size(file) == 0U);
}

BOOST_AUTO_TEST_CASE(lines_of_a_newer_version_stay) {
    write(std::string("\n") + OldLine + "\n" + NewerLine + "\n");
    append_to_spool(file, waiting("behind"));
    BOOST_TEST(open()->notice() == "merged 2 waiting games");
    BOOST_TEST(lines() == NewerLine);
    BOOST_TEST(open()->notice() == "");
    BOOST_TEST(lines() == NewerLine);
    append_to_spool(file, waiting("next"));
    BOOST_TEST(games() == 3);
    BOOST_TEST(lines() == NewerLine);
}

// What games that were merged leave behind does not add up.
BOOST_AUTO_TEST_CASE(a_spool_with_lines_that_stay_does_not_grow) {
    write(std::string("\n") + NewerLine);
    for (int i = 0; i < 3; ++i) {
        append_to_spool(file, waiting(std::to_string(i)));
        append("\nhalf a li");
        BOOST_TEST(merged().size() == 1U);
        BOOST_TEST(lines() == NewerLine);
        BOOST_TEST(std::filesystem::file_size(file) <= std::string(NewerLine).size() + 1);
    }
}

BOOST_AUTO_TEST_CASE(a_torn_line_is_dropped_without_a_word) {
    write(std::string("\n") + std::string(OldLine).substr(0, 150));
    append_to_spool(file, waiting("whole"));
    BOOST_TEST(open()->notice() == "merged 1 waiting game");
    BOOST_TEST(std::filesystem::file_size(file) == 0U);
    BOOST_TEST(games() == 1);
}

// A name that is too long for the log, with a right check sum.
BOOST_AUTO_TEST_CASE(a_game_that_cannot_be_learned_stays_and_stops_no_other) {
    append_to_spool(file, waiting(std::string(65, 'x')));
    const std::string bad = lines();
    append_to_spool(file, waiting("good"));
    BOOST_TEST(open()->notice() == "merged 1 waiting game");
    BOOST_TEST(lines() == bad);
}

BOOST_AUTO_TEST_CASE(games_can_be_kept_while_the_merge_waits_for_the_book) {
    append_to_spool(file, waiting("one"));
    int begun = 0, taken = 0;
    const auto begin = [&] {
        ++begun;
        append_to_spool(file, waiting("two"));  // would wait forever if the file were locked
    };
    BOOST_TEST(merge_spool(file, begin, [&taken](const GameRecord&) { ++taken; }) == 2);
    BOOST_TEST(taken == 2);
    BOOST_TEST(merge_spool(file, begin, [&taken](const GameRecord&) { ++taken; }) == 0);
    BOOST_TEST(begun == 1);
}

// As the main thread does when the program ends during a merge.
BOOST_AUTO_TEST_CASE(a_game_can_be_kept_while_others_are_taken) {
    append_to_spool(file, waiting("one"));
    append_to_spool(file, waiting("two"));
    const auto take = [this](const GameRecord& game) {
        check_is_unlocked();
        append_to_spool(file, waiting("while " + game.uid));
    };
    BOOST_TEST(merge_spool(
                   file, [] {}, take) == 2);
    BOOST_TEST(lines() == to_line(waiting("while one")) + to_line(waiting("while two")));
}

BOOST_AUTO_TEST_CASE(only_lines_that_were_taken_are_removed) {
    append_to_spool(file, waiting("one"));
    const std::string other = to_line(waiting("two"));  // as long as the one in its place
    const auto take = [&](const GameRecord&) { write("\n" + other); };
    BOOST_TEST(merge_spool(
                   file, [] {}, take) == 1);
    BOOST_TEST(lines() == other);
}

BOOST_AUTO_TEST_CASE(two_may_merge_at_the_same_time) {
    append_to_spool(file, waiting("one"));
    append("\nhalf a li");
    append_to_spool(file, waiting("two"));
    const auto take = [this](const GameRecord& game) {
        check_is_unlocked();
        BOOST_TEST(merged().size() == (game.uid == "one" ? 2U : 1U));
        append_to_spool(file, waiting("late"));
    };
    BOOST_TEST(merge_spool(
                   file, [] {}, take) == 2);
    BOOST_TEST(lines() == to_line(waiting("late")));
    BOOST_TEST(games() == 1);
}

BOOST_AUTO_TEST_CASE(a_game_that_is_not_taken_leaves_the_file_as_it_is) {
    append_to_spool(file, waiting("one"));
    append_to_spool(file, waiting("two"));
    const std::string before = lines();
    BOOST_CHECK_THROW(merge_spool(
                          file,
                          [] {},
                          [](const GameRecord& game) {
                              if (game.uid == "two")
                                  throw std::runtime_error("held");
                          }),
                      std::runtime_error);
    BOOST_TEST(lines() == before);
    BOOST_TEST(games() == 2);
}

BOOST_AUTO_TEST_CASE(waiting_games_are_merged_after_the_next_game) {
    const auto learner = open();
    must(keep_for_later(book, waiting("waits")));  // another process
    const Learned learned = must(learner->learn(record("next", "e4 e5 Nf3 Nc6", 1, 4)));
    BOOST_TEST(learned.counted);
    BOOST_TEST(learned.lines.back() == "merged 1 waiting game");
    BOOST_TEST(must(learner->stats()).own_games == 2);
    BOOST_TEST(std::filesystem::file_size(file) == 0U);
    const Learned again = must(learner->learn(record("again", "e4 e5 Nf3 Nc6", 1, 4)));
    BOOST_TEST(again.lines.back().find("waiting") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(that_games_cannot_be_merged_is_told_once) {
    const auto learner = open();
    std::filesystem::create_directories(file / "in the way");
    const auto told = [&learner](const std::string& uid) {
        const Learned learned = must(learner->learn(record(uid, "e4 e5 Nf3 Nc6", 1, 4)));
        BOOST_TEST(learned.counted);
        return learned.lines.back().starts_with("games still wait in \"");
    };
    BOOST_TEST(told("a"));
    BOOST_TEST(!told("b"));
    std::filesystem::remove_all(file);
    append_to_spool(file, waiting("waits"));
    BOOST_TEST(!told("c"));
    BOOST_TEST(must(learner->stats()).own_games == 4);
}

BOOST_AUTO_TEST_CASE(waiting_games_are_counted_and_left_alone) {
    BOOST_TEST(must(waiting_games(book)).games == 0);
    write(std::string("\n") + NewerLine + "\nhalf a li");
    append_to_spool(file, waiting("one"));
    append_to_spool(spool_of(overlay_of(book)), waiting("two"));
    const std::string before = lines();
    const WaitingGames found = must(waiting_games(book));
    BOOST_TEST(found.games == 3);
    BOOST_TEST(found.unreadable == 1);
    BOOST_TEST(lines() == before);
}

BOOST_AUTO_TEST_CASE(a_read_error_is_not_the_end_of_the_file) {
    std::filesystem::create_directories(file / "reading a folder fails");
    BOOST_CHECK_THROW(count_spool(file), Failure);
}

// The place of the overlay takes games while the book's folder cannot be written.
BOOST_AUTO_TEST_CASE(games_that_wait_beside_the_overlay_are_merged) {
    std::filesystem::create_directories(file / "in the way");
    must(keep_for_later(book, waiting("beside")));
    std::filesystem::remove_all(file);
    BOOST_TEST(open()->notice() == "merged 1 waiting game");
    BOOST_TEST(games() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

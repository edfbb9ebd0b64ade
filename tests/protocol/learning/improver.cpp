// Searches for the book while no game is in progress.
#include "engine/board/notation.h"
#include "tests/protocol/dialogue.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

namespace {

engine::Move move(const std::string& text) {
    return engine::parse_move(engine::Position(), text).value();
}
// At the start position: the score of 1. e4, and the best move other than e4.
book::Work work() {
    return {.position = engine::Position(),
            .known = {move("e4")},
            .deviation = true,
            .candidates = {move("e4")}};
}
engine::SearchResult choice(engine::Move best, int score) {
    engine::SearchResult c;
    c.best = best;
    c.score = score;
    c.depth = 9;
    c.nodes = 200'000;
    return c;
}

// A dialogue with work for the book, and BookImprove on.
struct Idle : Dialogue {
    explicit Idle(const std::vector<book::Work>& works = {work()}) {
        book_data.works = works;
        send("protover 2");
        send("accepted debug");
        send("new");
        said.clear();
        send("option BookImprove=1");
        wait_for_work();
    }
    void searched(const engine::SearchResult& c) {
        searcher.choose(c);
        settle();
    }
    // What the book was given, once its thread has ended.
    std::vector<book::Finding> findings(std::size_t at = 0) {
        finish();
        BOOST_TEST_REQUIRE(book_data.worked.size() > at);
        return book_data.worked[at].second;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(improver, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(nothing_is_searched_without_the_option) {
    Dialogue d;
    d.book_data.works = {work()};
    d.send("new");
    d.finish();
    BOOST_TEST(d.searcher.starts == 0);
    BOOST_TEST(d.book_data.works.size() == 1);
}

BOOST_AUTO_TEST_CASE(candidates_and_the_best_deviation_are_searched_and_stored) {
    Idle d;
    BOOST_TEST_REQUIRE(d.searcher.root.has_value());
    BOOST_TEST(d.searcher.root->ply() == 1);  // after 1. e4
    BOOST_TEST(d.searcher.limits.nodes.has_value());
    d.searched(choice(engine::NoMove, -25));
    BOOST_TEST_REQUIRE(d.searcher.root.has_value());
    BOOST_TEST(d.searcher.root->ply() == 0);
    BOOST_TEST((d.searcher.limits.excluded == std::vector{move("e4")}));
    d.searched(choice(move("d4"), 20));
    BOOST_TEST(!d.searcher.root.has_value());
    const std::vector<book::Finding> found = d.findings();
    BOOST_TEST_REQUIRE(found.size() == 2);
    BOOST_TEST((found[0].move == move("e4") && found[0].cp == 25));  // the mover's view
    BOOST_TEST((found[1].move == move("d4") && found[1].cp == 20 && found[1].depth == 9));
    BOOST_TEST(std::any_of(d.said.begin(), d.said.end(), [](const std::string& line) {
        return line.starts_with("# book: searched e4 +25, d4* +20");
    }));
    BOOST_TEST(std::all_of(d.said.begin(), d.said.end(), [](const std::string& line) {
        return line.starts_with('#');  // only comments
    }));
}

BOOST_AUTO_TEST_CASE(a_command_ends_the_search_and_its_findings_are_stored) {
    Idle d;
    d.searched(choice(engine::NoMove, -25));
    d.send("ping 7");
    BOOST_TEST(std::count(d.said.begin(), d.said.end(), "pong 7") == 1);
    d.send("quit");
    BOOST_TEST(!d.alive);
    const std::vector<book::Finding> found = d.findings();
    BOOST_TEST_REQUIRE(found.size() == 1);
    BOOST_TEST((found[0].move == move("e4")));
}

BOOST_AUTO_TEST_CASE(a_game_is_played_as_usual) {
    Idle d(std::vector<book::Work>{work(), work()});
    d.send("go");
    BOOST_TEST_REQUIRE(d.searcher.root.has_value());
    BOOST_TEST(d.searcher.limits.excluded.empty());
    d.searched(choice(move("d4"), 20));
    BOOST_TEST(d.said.back() == "move d2d4");
    BOOST_TEST(!d.searcher.root.has_value());  // it is the opponent's turn
    d.send("usermove d7d5");
    BOOST_TEST_REQUIRE(d.searcher.root.has_value());
    BOOST_TEST(d.searcher.root->ply() == 2);
}

BOOST_AUTO_TEST_CASE(nothing_is_searched_in_a_pause) {
    Idle paused(std::vector<book::Work>{work(), work()});
    paused.send("pause");
    paused.send("ping 1");
    paused.finish();
    BOOST_TEST(paused.book_data.works.size() == 1U);
    Idle resumed(std::vector<book::Work>{work(), work()});
    resumed.send("pause");
    resumed.send("resume");
    resumed.wait_for_work();
    BOOST_TEST(resumed.searcher.root.has_value());
}

BOOST_AUTO_TEST_CASE(work_is_requested_again_after_a_game) {
    Idle d(std::vector<book::Work>{});  // nothing to do
    BOOST_TEST(d.searcher.starts == 0);
    d.send("go");
    d.searched(choice(move("d4"), 20));
    {
        const std::lock_guard lock(d.book_data.games_mutex);
        d.book_data.works = {work()};
    }
    d.send("result 1-0 {Black resigns}");
    d.wait_for_work();
    BOOST_TEST_REQUIRE(d.searcher.root.has_value());
    BOOST_TEST(d.searcher.root->ply() == 1);
}

BOOST_AUTO_TEST_CASE(nothing_is_searched_while_a_game_waits_in_force_mode) {
    Idle d(std::vector<book::Work>(4, work()));
    d.send("force");  // as before the first move of a match as Black
    d.wait_for_work();
    BOOST_TEST(d.searcher.root.has_value());
    d.send("name Anna");
    BOOST_TEST(!d.searcher.root.has_value());
    d.send("e2e4");
    d.wait_for_work();  // it may be a game that is only shown, until `go`
    d.send("go");
    d.searched(choice(engine::parse_move(d.searcher.root->position(), "e5").value(), 20));
    d.send("force");
    BOOST_TEST(!d.searcher.root.has_value());
    d.send("result 1-0 {White mates}");
    d.wait_for_work();
    BOOST_TEST(d.searcher.root.has_value());
}

BOOST_AUTO_TEST_CASE(work_that_comes_too_late_is_given_back) {
    Dialogue d;
    d.book_data.works = {work()};
    d.send("new");
    {
        const std::lock_guard lock(d.book_data.games_mutex);  // no answer before `go`
        d.send("option BookImprove=1");
        d.send("go");
    }
    d.wait_for_work();
    BOOST_TEST(d.searcher.starts == 1);
    d.finish();
    BOOST_TEST_REQUIRE(d.book_data.worked.size() == 1);
    BOOST_TEST(d.book_data.worked[0].second.empty());
}

BOOST_AUTO_TEST_CASE(nothing_is_searched_during_analysis) {
    Idle d;
    d.send("analyze");
    const int starts = d.searcher.starts;
    BOOST_TEST_REQUIRE(d.searcher.root.has_value());
    BOOST_TEST(!d.searcher.limits.nodes.has_value());
    d.send(".");
    BOOST_TEST(d.searcher.starts == starts);
}

BOOST_AUTO_TEST_SUITE_END()

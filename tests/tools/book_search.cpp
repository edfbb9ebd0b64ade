// nutcracker-book improve as a process: bounds, Ctrl-C, several at one book.
#include "book/store/store.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "tests/folder.h"
#include "tests/posix/child.h"

#include <algorithm>
#include <set>

#include <boost/test/unit_test.hpp>

namespace {

std::string book_in(const Folder& folder) {
    return (folder / "book.db").string();
}

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// nutcracker-book on a book of its own.
struct Command : Child {
    Command(const std::string& book, const std::vector<std::string>& arguments)
        : Child(with({NUTCRACKER_BOOK, "--book", book, "--base", ""}, arguments)) {}
};

std::int64_t analyses_in(const std::string& book) {
    return book::Store(book, false).positions.counts().analyses;
}

// A book with enough imported moves to search for a while.
void fill(const std::string& file) {
    book::Store store(file, true);
    std::vector<book::KeyedEdge> edges;
    for (const int first : {0, 1, 2}) {  // three ways into the tree of first legal moves
        engine::Position pos;
        for (int ply = 0; ply < 6; ++ply) {
            const engine::MoveList moves = engine::legal_moves(pos);
            const engine::Move m = moves[ply == 0 ? static_cast<std::size_t>(first) : 0U];
            edges.push_back({.key = pos.key(),
                             .edge = {.move = book::store(m, pos.side_to_move()), .draws = 10}});
            pos.make(m);
        }
    }
    store.positions.add_edges(edges, false);
    store.games.add_source({.kind = "pgn", .name = "made up", .games = 30, .moves = 180});
}

const std::vector<std::string> Quick{"improve", "--search-nodes", "300"};

}  // namespace

BOOST_AUTO_TEST_SUITE(book_search, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(it_searches_as_many_positions_as_it_is_told) {
    const Folder folder;
    fill(book_in(folder));
    Command two(book_in(folder), with(Quick, {"--positions", "2"}));
    BOOST_TEST(two.status() == 0);
    BOOST_TEST(two.lines().size() == 2);
    BOOST_TEST(analyses_in(book_in(folder)) >= 4);
    Command none(book_in(folder), with(Quick, {"--nodes", "1"}));
    BOOST_TEST(none.status() == 0);
    BOOST_TEST(none.lines().size() == 1);  // the first search is over the bound
    Command check(book_in(folder), {"verify"});
    BOOST_TEST(check.status() == 0);
}

BOOST_AUTO_TEST_CASE(without_a_bound_it_ends_when_all_is_searched) {
    const Folder folder;
    fill(book_in(folder));
    Command all(book_in(folder), Quick);
    BOOST_TEST(all.status() == 0);
    BOOST_TEST(all.lines().size() > 5);
    Command again(book_in(folder), Quick);
    BOOST_TEST(again.status() == 0);
    BOOST_TEST(again.lines().empty());
}

BOOST_AUTO_TEST_CASE(a_search_that_ends_at_a_mate_is_whole) {
    const Folder folder;
    std::vector<book::KeyedEdge> edges;
    engine::Position pos;
    for (const char* const name : {"f2f3", "e7e5", "g2g4"}) {  // mated by Qh4 at once
        const engine::Move m = engine::parse_move(pos, name).value();
        edges.push_back(
            {.key = pos.key(), .edge = {.move = book::store(m, pos.side_to_move()), .draws = 10}});
        pos.make(m);
    }
    book::Store(book_in(folder), true).positions.add_edges(edges, false);
    Command all(book_in(folder), {"improve", "--search-nodes", "40000", "--time", "60"});
    BOOST_TEST(all.status() == 0);
    const std::vector<std::string> lines = all.lines();
    BOOST_TEST(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
                   return line.find("\tg4 -2000") != std::string::npos;
               }) == 1);
    Command again(book_in(folder), {"improve", "--search-nodes", "40000", "--positions", "1"});
    BOOST_TEST(again.lines().empty());
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_it_and_loses_nothing) {
    const Folder folder;
    fill(book_in(folder));
    Command endless(book_in(folder), {"improve", "--search-nodes", "1000000000", "--quiet"});
    Command counted(book_in(folder), with(Quick, {"--priority", "distance"}));
    BOOST_TEST(counted.line());
    counted.interrupt();
    endless.interrupt();
    BOOST_TEST(counted.status() == 0);
    const int status = endless.status();
    BOOST_TEST((status == 0 || status == -SIGINT));  // it may not have begun
    BOOST_TEST(analyses_in(book_in(folder)) >= static_cast<std::int64_t>(counted.lines().size()));
}

BOOST_AUTO_TEST_CASE(several_share_the_work) {
    const Folder folder;
    fill(book_in(folder));
    Command first(book_in(folder), Quick), second(book_in(folder), Quick);
    BOOST_TEST(first.status() == 0);
    BOOST_TEST(second.status() == 0);
    std::multiset<std::string> positions;
    for (const Command* c : {&first, &second})
        for (const std::string& line : c->lines())
            positions.insert(line.substr(0, line.find('\t')));
    BOOST_TEST(positions.size() ==
               std::set<std::string>(positions.begin(), positions.end()).size());
    Command check(book_in(folder), {"verify"});
    BOOST_TEST(check.status() == 0);
}

BOOST_AUTO_TEST_CASE(wrong_use_is_complained_about) {
    const Folder folder;
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--priority", "luck"},
                                                  {"--time", "-1"},
                                                  {"--threads", "0"},
                                                  {"--what"}}) {
        Command command(book_in(folder), with({"improve"}, wrong));
        BOOST_TEST(command.status() == 2);
    }
    Command help(book_in(folder), {"improve", "--help"});
    BOOST_TEST(help.status() == 0);
    BOOST_TEST(!help.lines().empty());
}

BOOST_AUTO_TEST_SUITE_END()

// Endgame tables in the search: results below the root, moves that keep them at the root, the
// 50-move rule and repetitions, several threads at a time.
#include "engine/board/movegen.h"
#include "engine/engine.h"
#include "engine/syzygy/root_choice.h"
#include "tests/engine/syzygy/table_writer.h"
#include "tests/folder.h"

#include <cstdlib>
#include <fstream>
#include <thread>

#include <boost/test/unit_test.hpp>

using namespace engine;  // NOLINT(google-build-using-namespace)
using table_writer::Data;
using table_writer::List;

namespace {

void save(const std::filesystem::path& path, const Data& data) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()),
               static_cast<std::streamsize>(data.size()));
}

// King and rook against king: the rook wins everywhere.
class RookTable {
  public:
    RookTable() {
        const Data order = {0x00, 0x66, 0x44, 0xEE};
        save(folder_ / "KRvK.rtbw", table_writer::file(true, 1, {order}, {List(4), List(0)}));
    }
    [[nodiscard]] std::string path() const { return folder_.path().string(); }

  private:
    Folder folder_;
};

// King and pawn against king, with the same values everywhere: the pawn wins, 13 plies after a move
// that is not the pawn's.
class PawnTables {
  public:
    PawnTables() {
        save(folder_ / "KPvK.rtbw", data(true, {4, 0}));
        save(folder_ / "KPvK.rtbz", data(false, {6}));
    }
    [[nodiscard]] std::string path() const { return folder_.path().string(); }
    [[nodiscard]] std::shared_ptr<const Syzygy> open() const { return *Syzygy::open(path()); }

  private:
    [[nodiscard]] static Data data(bool wdl, const std::vector<int>& by_side) {
        const Data order = {0x00, 0x11, 0x66, 0xEE};
        std::vector<List> lists;
        for (int file = 0; file < 4; ++file)
            for (const int value : by_side)
                lists.emplace_back(value);
        return table_writer::file(wdl, 3, {order, order, order, order}, lists);
    }
    Folder folder_;
};

Position position(std::string_view fen) {
    return *Position::from_fen(fen);
}

Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}
Limits to_nodes(std::uint64_t nodes) {
    Limits limits;
    limits.nodes = nodes;
    return limits;
}

struct Searched {
    SearchResult result;
    std::uint64_t tbhits = 0;
    Score reported = NoScore;
};

Searched searched(const std::string& tables, std::string_view fen, int threads = 1) {
    const auto searcher = make_searcher();
    BOOST_TEST_REQUIRE(searcher->set_syzygy(tables).has_value());
    searcher->set_threads(threads);
    Searched found;
    searcher->start(
        Game(position(fen)),
        to_depth(6),
        [&](const SearchInfo& info) {
            found.tbhits = info.tbhits;
            found.reported = info.score;
        },
        [&](const SearchResult& result) { found.result = result; });
    searcher->wait();
    return found;
}

// A game of the tables against the longest defence; true if White mates before a draw.
bool is_won(const std::string& path, const Position& start, std::uint64_t nodes) {
    const auto tables = *Syzygy::open(path);
    const auto searcher = make_searcher();
    BOOST_TEST_REQUIRE(searcher->set_syzygy(path).has_value());
    Game game(start);
    while (game.status() == Status::Ongoing) {
        const Position& pos = game.position();
        Move best = NoMove;
        if (pos.side_to_move() == White) {
            best = searcher->search(game, to_nodes(nodes)).best;
        } else {
            int longest = 0;
            for (const Move m : legal_moves(pos)) {
                Position next = pos;
                const int distance = tables->dtz_after(next, m).value_or(0);
                if (!best || distance >= 0 || distance < longest) {
                    best = m;
                    longest = distance;
                }
                if (distance >= 0)
                    break;
            }
        }
        game.play(best);
    }
    return game.status() == Status::Checkmate && game.position().side_to_move() == Black;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(table_search, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(a_capture_into_a_won_table_scores_as_its_win) {
    const PawnTables tables;
    const std::string_view fen = "7k/8/8/8/8/4n3/3P4/2K5 w - - 0 1";
    for (const int threads : {1, 4}) {
        const Searched with = searched(tables.path(), fen, threads);
        BOOST_TEST(with.result.score == TableWin - 1);
        BOOST_TEST(with.tbhits > 0U);
    }
    const Searched lost = searched(tables.path(), "7K/8/8/8/8/4N3/3p4/2k5 w - - 0 1");
    BOOST_TEST(lost.result.score < KnownWin);
    const Searched without = searched("", fen);
    BOOST_TEST(std::abs(without.result.score) < KnownWin);
    BOOST_TEST(without.tbhits == 0U);
}

BOOST_AUTO_TEST_CASE(after_a_loss_by_the_tables_the_other_moves_are_searched) {
    const RookTable table;
    const auto searcher = make_searcher();
    BOOST_TEST_REQUIRE(searcher->set_syzygy(table.path()).has_value());
    const Game drawn(position("8/8/8/8/3R4/5K2/6n1/1k6 b - - 0 1"));  // Ne1+ and Nc2
    for (int depth = 2; depth < 10; ++depth) {
        searcher->clear();
        BOOST_TEST(searcher->search(drawn, to_depth(depth)).score > -KnownWin);
    }
}

BOOST_AUTO_TEST_CASE(a_mate_behind_a_capture_into_a_won_table_is_found) {
    const PawnTables tables;
    const Searched won = searched(tables.path(), "6k1/4n3/5PK1/8/8/8/8/8 w - - 0 1");
    BOOST_TEST(won.result.score == mate_in(3));
    BOOST_TEST(won.tbhits > 0U);
}

BOOST_AUTO_TEST_CASE(the_root_is_scored_by_its_table) {
    const PawnTables tables;
    const Searched won = searched(tables.path(), "8/8/3k4/8/8/8/3P4/3K4 w - - 0 1");
    BOOST_TEST(won.result.score == TableWin);
    BOOST_TEST(won.reported == TableWin);
    BOOST_TEST(won.tbhits > 0U);
    const Searched lost = searched(tables.path(), "8/8/3k4/8/8/8/3P4/3K4 b - - 0 1");
    BOOST_TEST(lost.result.score == -TableWin);
    // A mate that the search finds says more.
    const Searched mate = searched(tables.path(), "7k/5K2/8/6P1/8/8/8/8 w - - 0 1");
    BOOST_TEST(mate.result.score >= TableWin);
}

BOOST_AUTO_TEST_CASE(the_rule_of_fifty_moves_decides_which_moves_win) {
    const PawnTables tables;
    const auto open = tables.open();
    const auto count = [&](std::string_view fen) {
        const Position pos = position(fen);
        const auto choice = choose_at_root(*open, pos, {pos.key()}, legal_moves(pos));
        BOOST_TEST_REQUIRE(choice.has_value());
        BOOST_TEST(choice->by_distance);
        BOOST_TEST((choice->result == Wdl::Win));
        return choice->moves.size();
    };
    // The king has four moves and the pawn two, which are zeroing: one by the king delays that by
    // two plies.
    BOOST_TEST(count("8/8/3k4/8/8/8/3P4/3K4 w - - 0 1") == 6U);
    BOOST_TEST(count("8/8/3k4/8/8/8/3P4/3K4 w - - 96 60") == 6U);
    BOOST_TEST(count("8/8/3k4/8/8/8/3P4/3K4 w - - 97 60") == 2U);
    BOOST_TEST(count("8/8/3k4/8/8/8/3P4/3K4 w - - 100 60") == 2U);  // the pawn moves first
}

BOOST_AUTO_TEST_CASE(after_a_repetition_only_the_fastest_win_counts) {
    const PawnTables tables;
    const auto open = tables.open();
    Game game(position("8/8/3k4/8/8/8/3P4/3K4 w - - 0 1"));
    const auto wins = [&] {
        return choose_at_root(*open, game.position(), game.keys(), legal_moves(game.position()))
            ->moves.size();
    };
    BOOST_TEST(wins() == 6U);
    for (const auto& [from, to] : {std::pair{3, 4}, {43, 44}, {4, 3}, {44, 43}})
        game.play(Move(from, to));
    BOOST_TEST(wins() == 2U);
}

BOOST_AUTO_TEST_CASE(without_distances_a_third_repetition_is_no_win) {
    const RookTable table;
    const auto open = Syzygy::open(table.path());
    BOOST_TEST_REQUIRE(open.has_value());
    Game game(position("8/8/3k4/8/8/8/8/3KR3 w - - 0 1"));
    const Move repeating(4, 12);
    const auto wins = [&] {
        const auto choice =
            choose_at_root(**open, game.position(), game.keys(), legal_moves(game.position()));
        BOOST_TEST_REQUIRE(choice.has_value());
        BOOST_TEST(!choice->by_distance);
        return std::count(choice->moves.begin(), choice->moves.end(), repeating);
    };
    for (const auto& [from, to] :
         {std::pair{4, 12}, {43, 42}, {12, 4}, {42, 43}, {4, 12}, {43, 42}, {12, 4}, {42, 43}}) {
        BOOST_TEST((from != 4 || wins() == 1));
        game.play(Move(from, to));
    }
    BOOST_TEST(wins() == 0);
}

BOOST_AUTO_TEST_CASE(several_lines_show_moves_of_all_results) {
    const PawnTables tables;
    const auto searcher = make_searcher();
    BOOST_TEST_REQUIRE(searcher->set_syzygy(tables.path()).has_value());
    Limits limits = to_depth(3);
    limits.lines = 6;
    int lines = 0;
    searcher->start(
        Game(position("8/8/3k4/8/8/8/3P4/3K4 w - - 97 60")),
        limits,
        [&](const SearchInfo& info) { lines = std::max(lines, info.line); },
        [](const SearchResult&) {});
    searcher->wait();
    BOOST_TEST(lines == 6);
}

BOOST_AUTO_TEST_CASE(tables_that_cannot_be_opened_change_nothing) {
    const PawnTables tables;
    const auto searcher = make_searcher();
    const Result<TableFiles> opened = searcher->set_syzygy(tables.path());
    BOOST_TEST_REQUIRE(opened.has_value());
    BOOST_TEST(opened->count == 2U);
    BOOST_TEST(opened->max_men == 3);
    BOOST_TEST(!searcher->set_syzygy("/nowhere"));
    const Game game(position("8/8/3k4/8/8/8/3P4/3K4 w - - 0 1"));
    BOOST_TEST(searcher->search(game, to_depth(4)).score == TableWin);
    BOOST_TEST(searcher->set_syzygy("").has_value());
    BOOST_TEST(searcher->search(game, to_depth(4)).score < KnownWin);
}

BOOST_AUTO_TEST_CASE(threads_may_probe_at_the_same_time) {
    const PawnTables tables;
    const auto open = tables.open();
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int round = 0; round < 50; ++round) {
                wrong += open->wdl(position("8/8/3k4/8/8/8/3P4/3K4 w - - 0 1")) != Wdl::Win;
                wrong += open->dtz(position("8/8/3k4/8/8/3K4/3P4/8 b - - 0 1")) != -14;
            }
        });
    for (std::thread& t : threads)
        t.join();
    BOOST_TEST(wrong == 0);
}

// Needs real tables: see syzygy.cpp.
BOOST_AUTO_TEST_CASE(won_endings_are_won_against_the_longest_defence) {
    const char* const path = std::getenv("NUTCRACKER_SYZYGY");  // NOLINT(concurrency-mt-unsafe)
    if (path == nullptr) {
        BOOST_TEST_MESSAGE("skipped: NUTCRACKER_SYZYGY does not name a folder with tables");
        return;
    }
    const auto tables = *Syzygy::open(path);
    for (const std::string_view fen : {"8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
                                       "8/8/8/8/8/2r5/2k5/K6Q w - - 0 1",
                                       "8/8/8/2r5/8/2k5/8/K6Q w - - 0 1"}) {
        const Position pos = position(fen);
        if (tables->wdl(pos) == Wdl::Win)
            BOOST_TEST(is_won(path, pos, 200), fen);
    }
}

BOOST_AUTO_TEST_CASE(what_the_tables_know_can_be_told_to_people) {
    const PawnTables tables;
    const auto searcher = make_searcher();
    const Game won(position("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"));
    BOOST_TEST(!searcher->table_result(won).has_value());
    BOOST_TEST_REQUIRE(searcher->set_syzygy(tables.path()).has_value());
    BOOST_TEST(!searcher->table_result(Game()).has_value());

    const TableResult known = searcher->table_result(won).value();
    BOOST_TEST(known.result == 1);
    BOOST_TEST(!known.by_rule);
    BOOST_TEST(known.plies == 2);         // by a pawn move, with one ply of doubt
    BOOST_TEST(known.moves.size() == 5);  // e4 loses the pawn
    BOOST_TEST(known.moves.front().from() == make_square(4, 1));
    BOOST_TEST(known.moves.back().from() == make_square(4, 0));

    const Game lost(position("8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"));
    BOOST_TEST(searcher->table_result(lost).value().result == -1);
    const Game late(position("8/8/8/4k3/8/8/4P3/4K3 b - - 95 80"));
    const TableResult drawn = searcher->table_result(late).value();
    BOOST_TEST(drawn.result == 0);
    BOOST_TEST(drawn.by_rule);
    BOOST_TEST(drawn.plies == 0);
}

BOOST_AUTO_TEST_SUITE_END()

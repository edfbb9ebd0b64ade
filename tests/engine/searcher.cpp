// The Searcher: what it finds, when a search ends, and that it reports its result exactly once.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/engine.h"

#include <future>
#include <map>
#include <mutex>
#include <set>

#include <boost/test/unit_test.hpp>

using namespace engine;
using namespace std::chrono_literals;

namespace {

constexpr const char* Middlegame =
    "r1bq1rk1/pp1nbppp/2p1pn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 4 9";

struct MateCase {
    const char* fen;
    int moves;
};
constexpr MateCase Mates[] = {
    {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1},
    {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1},
    {"5k2/p3Rr2/1p4pp/q4p2/1nbQ1P2/6P1/5N1P/3R2K1 w - - 0 1", 2},
};

Game game_from(const char* fen) {
    const Result<Position> pos = Position::from_fen(fen);
    BOOST_TEST_REQUIRE(pos.has_value(), fen);
    return Game(*pos);
}
Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}

// A search and what it reports.
class Search {
  public:
    Search(Searcher& searcher, const Game& game, const Limits& limits) {
        searcher.start(
            game,
            limits,
            [this](const SearchInfo& info) {
                const std::lock_guard lock(mutex_);
                infos_.push_back(info);
                if (!info_seen_) {
                    info_seen_ = true;
                    first_info_.set_value();
                }
            },
            [this](const SearchResult& c) {
                ++results_;
                result_.set_value(c);  // a second result would throw
            });
    }
    SearchResult result() { return result_.get_future().get(); }
    void wait_for_info() { first_info_.get_future().wait(); }
    [[nodiscard]] int results() const { return results_; }
    std::vector<SearchInfo> infos() {
        const std::lock_guard lock(mutex_);
        return infos_;
    }

  private:
    std::mutex mutex_;
    std::vector<SearchInfo> infos_;
    bool info_seen_ = false;
    std::promise<void> first_info_;
    std::promise<SearchResult> result_;
    std::atomic<int> results_{0};
};

SearchResult result_of(Searcher& searcher, const Game& game, const Limits& limits) {
    Search search(searcher, game, limits);
    const SearchResult result = search.result();
    searcher.wait();
    BOOST_TEST(search.results() == 1);
    return result;
}

bool is_line(Position pos, const std::vector<Move>& line) {
    for (const Move m : line) {
        if (!pos.is_legal(m))
            return false;
        pos.make(m);
    }
    return !line.empty();
}

struct Engine {
    std::unique_ptr<Searcher> searcher = make_searcher();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(searcher, Engine, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(mates_are_found) {
    for (const MateCase& m : Mates) {
        const Game game = game_from(m.fen);
        Search search(*searcher, game, to_depth(12));
        BOOST_TEST(search.result().score == mate_in(2 * m.moves - 1), m.fen);
        searcher->wait();
        Game played = game;
        const SearchInfo last = search.infos().back();
        for (const Move move : last.pv)
            played.play(move);
        BOOST_TEST(played.ply() == 2 * m.moves - 1);
        BOOST_TEST((played.status() == Status::Checkmate));
    }
}

BOOST_AUTO_TEST_CASE(a_draw_is_known_as_one) {
    // White is a queen down, but has a perpetual check.
    const Game perpetual = game_from("6k1/5p1p/7Q/8/8/8/q4r2/7K w - - 0 1");
    BOOST_TEST(std::abs(result_of(*searcher, perpetual, to_depth(10)).score) <= 1);
    // The 50-move rule draws in two plies.
    const Game fifty = game_from("8/8/4k3/8/3R4/3K4/8/5r2 w - - 98 120");
    BOOST_TEST(std::abs(result_of(*searcher, fifty, to_depth(8)).score) <= 100);
    const Game rook_up = game_from("7k/8/8/8/3R4/3K4/8/8 w - - 99 120");
    BOOST_TEST(std::abs(result_of(*searcher, rook_up, to_depth(8)).score) <= 1);
}

BOOST_AUTO_TEST_CASE(a_third_repetition_is_seen_coming) {
    // Black is a rook up, but the position occurred twice: Ra2 allows a third repetition.
    Game game = game_from("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 b - - 0 1");
    for (const char* text : {"Ra8", "Rb2", "Ra2", "Rb1", "Ra8", "Rb2"})
        game.play(*parse_move(game.position(), text));
    Limits limits = to_depth(6);
    const Move back = *parse_move(game.position(), "Ra2");
    for (const Move m : legal_moves(game.position()))
        if (m != back)
            limits.excluded.push_back(m);
    // After Ra2 White can draw by Rb1, the third repetition.
    BOOST_TEST(result_of(*searcher, game, limits).score <= 1);
    const Game fresh{game.position()};
    BOOST_TEST((result_of(*searcher, fresh, to_depth(6)).best != NoMove));
}

BOOST_AUTO_TEST_CASE(without_root_moves_there_is_no_best_move) {
    const Game mated = game_from("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    BOOST_TEST(!result_of(*searcher, mated, to_depth(5)).best);
    const Game stalemate = game_from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    BOOST_TEST(!result_of(*searcher, stalemate, to_depth(5)).best);
    Game start;
    Limits limits = to_depth(5);
    for (const Move m : legal_moves(start.position()))
        limits.excluded.push_back(m);
    BOOST_TEST(!result_of(*searcher, start, limits).best);
}

BOOST_AUTO_TEST_CASE(excluded_moves_are_not_played) {
    const Game game = game_from("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    Limits limits = to_depth(6);
    const Move mate = result_of(*searcher, game, limits).best;
    limits.excluded = {mate};
    const SearchResult other = result_of(*searcher, game, limits);
    BOOST_TEST((other.best && other.best != mate));
}

BOOST_AUTO_TEST_CASE(node_limits_are_met_and_repeat) {
    const Game game = game_from(Middlegame);
    for (const std::uint64_t nodes : {1U, 100U, 5'000U, 60'000U}) {
        Limits limits;
        limits.nodes = nodes;
        searcher->clear();
        const SearchResult once = result_of(*searcher, game, limits);
        BOOST_TEST(once.nodes <= nodes);
        BOOST_TEST(game.position().is_legal(once.best));
        searcher->clear();
        const SearchResult again = result_of(*searcher, game, limits);
        BOOST_TEST((again.best == once.best));
        BOOST_TEST(again.score == once.score);
    }
}

BOOST_AUTO_TEST_CASE(a_search_in_the_calling_thread_finds_the_same) {
    Limits limits;
    limits.nodes = 30'000;
    const Game game = game_from(Middlegame);
    for (const int threads : {1, 3}) {
        searcher->set_threads(threads);
        searcher->clear();
        const SearchResult here = searcher->search(game, limits);
        BOOST_TEST(game.position().is_legal(here.best));
        BOOST_TEST(here.nodes >= 30'000U);
        searcher->clear();
        const SearchResult there = result_of(*searcher, game, limits);
        if (threads > 1)
            continue;
        BOOST_TEST((here.best == there.best));
        BOOST_TEST((here.ponder == there.ponder));
        BOOST_TEST(here.score == there.score);
        BOOST_TEST(here.nodes == there.nodes);
        BOOST_TEST(here.depth == there.depth);
    }
    const Game mated = game_from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    BOOST_TEST(!searcher->search(mated, to_depth(3)).best);
}

BOOST_AUTO_TEST_CASE(soft_nodes_end_the_iteration_that_passes_them) {
    const Game game = game_from(Middlegame);
    Limits limits;
    limits.soft_nodes = 20'000;
    const SearchResult c = result_of(*searcher, game, limits);
    BOOST_TEST(c.nodes >= 20'000U);
    BOOST_TEST(c.nodes < 400'000U);
}

BOOST_AUTO_TEST_CASE(depth_is_reached_and_reports_are_valid) {
    const Game game = game_from(Middlegame);
    Search search(*searcher, game, to_depth(10));
    const SearchResult c = search.result();
    searcher->wait();
    BOOST_TEST(c.depth == 10);
    BOOST_TEST((!c.ponder || is_line(game.position(), {c.best, c.ponder})));
    const std::vector<SearchInfo> infos = search.infos();
    BOOST_TEST_REQUIRE(infos.size() >= 10U);
    for (const SearchInfo& info : infos) {
        BOOST_TEST(is_line(game.position(), info.pv));
        BOOST_TEST((info.bound != Bound::None));
        BOOST_TEST(info.seldepth >= 1);
    }
    BOOST_TEST(infos.back().depth == 10);
    BOOST_TEST(infos.back().score == c.score);
    BOOST_TEST((infos.back().pv[0] == c.best));
    BOOST_TEST((infos.back().bound == Bound::Exact));
}

BOOST_AUTO_TEST_CASE(no_answer_is_expected_where_the_game_ends) {
    // Every line ends in the table first; then the same moves bring the fiftieth move, or the third
    // repetition.
    const std::string board = "8/8/4k3/8/8/4K3/4R3/8 w - - ";
    const Game fresh = game_from((board + "0 80").c_str());
    BOOST_TEST((result_of(*searcher, fresh, to_depth(8)).ponder != NoMove));
    const SearchResult last =
        result_of(*searcher, game_from((board + "99 130").c_str()), to_depth(8));
    BOOST_TEST((last.best != NoMove));
    BOOST_TEST((last.ponder == NoMove));

    Game game = game_from("8/8/4k3/8/8/4K3/3R4/8 b - - 0 80");
    const auto play = [&game](const char* move) { game.play(*parse_move(game.position(), move)); };
    const auto back_with_the_rook = [&] {
        for (const char* const move : {"e6e5", "d2e2", "e5e6"})
            play(move);
        Limits limits = to_depth(8);
        for (const Move m : legal_moves(game.position()))
            if (to_coordinates(m) != "e2d2")
                limits.excluded.push_back(m);
        return result_of(*searcher, game, limits).ponder;
    };
    BOOST_TEST((back_with_the_rook() != NoMove));
    play("e2d2");
    BOOST_TEST((back_with_the_rook() == NoMove));
}

BOOST_AUTO_TEST_CASE(a_clock_ends_the_search) {
    for (const milliseconds left :
         {milliseconds(2'000), milliseconds(40), milliseconds(0), milliseconds(-70)}) {
        Limits limits;
        limits.clock = GameClock{.left = left, .increment = 0ms, .moves_to_go = 0, .theirs = 1s};
        BOOST_TEST(static_cast<bool>(result_of(*searcher, game_from(Middlegame), limits).best));
    }
    Limits limits;
    limits.move_time = 30ms;
    BOOST_TEST(static_cast<bool>(result_of(*searcher, game_from(Middlegame), limits).best));
}

BOOST_AUTO_TEST_CASE(a_late_start_still_looks_at_every_move) {
    Limits limits;
    limits.clock = GameClock{.left = 10ms, .increment = 0ms, .moves_to_go = 0, .theirs = 1s};
    limits.started = Clock::now() - 1s;
    const SearchResult c =
        result_of(*searcher, game_from("8/8/8/3q4/4P3/8/k6K/8 w - - 0 1"), limits);
    BOOST_TEST(c.depth >= 1);
    BOOST_TEST(to_coordinates(c.best) == "e4d5");
}

BOOST_AUTO_TEST_CASE(a_forced_move_is_searched_briefly) {
    Limits limits;
    limits.clock = GameClock{.left = 1h, .increment = 0ms, .moves_to_go = 0, .theirs = 1h};
    const SearchResult c = result_of(*searcher, game_from("7k/8/8/8/8/8/5q2/7K w - - 0 1"), limits);
    BOOST_TEST(c.depth <= 6);
}

BOOST_AUTO_TEST_CASE(without_limits_only_stop_ends_it) {
    // Also in a stalemate, where there is nothing to search.
    for (const char* fen : {Middlegame, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}) {
        const Game game = game_from(fen);
        Search search(*searcher, game, {});
        if (!legal_moves(game.position()).empty())
            search.wait_for_info();
        BOOST_TEST(search.results() == 0);
        searcher->stop();
        searcher->wait();
        BOOST_TEST(search.results() == 1);
        searcher->stop();
        searcher->wait();
        BOOST_TEST(search.results() == 1);
    }
}

BOOST_AUTO_TEST_CASE(pondering_lasts_until_the_move_is_played) {
    Limits limits = to_depth(3);
    limits.ponder = true;
    const Game game = game_from(Middlegame);
    Search search(*searcher, game, limits);
    search.wait_for_info();
    BOOST_TEST(search.results() == 0);
    searcher->ponder_hit(to_depth(3));
    const SearchResult c = search.result();
    BOOST_TEST(c.depth >= 3);
    searcher->wait();
    BOOST_TEST(search.results() == 1);
}

BOOST_AUTO_TEST_CASE(pondering_can_be_stopped) {
    Limits limits;
    limits.clock = GameClock{.left = 1s, .increment = 0ms, .moves_to_go = 0, .theirs = 1s};
    limits.ponder = true;
    Search search(*searcher, game_from(Middlegame), limits);
    searcher->stop();
    BOOST_TEST(static_cast<bool>(search.result().best));
    searcher->wait();
    BOOST_TEST(search.results() == 1);
}

BOOST_AUTO_TEST_CASE(a_ponder_hit_after_the_end_of_the_search_gives_the_result) {
    // The search of a mated position ends at once, long before the ponder hit.
    Limits limits;
    limits.ponder = true;
    Search search(*searcher, game_from("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), limits);
    Limits clock;
    clock.clock = GameClock{.left = 1s, .increment = 0ms, .moves_to_go = 0, .theirs = 1s};
    searcher->ponder_hit(clock);
    BOOST_TEST(!search.result().best);
}

BOOST_AUTO_TEST_CASE(a_new_search_ends_the_old_one_first) {
    const Game game = game_from(Middlegame);
    Search first(*searcher, game, {});
    Search second(*searcher, game, to_depth(4));
    BOOST_TEST(first.results() == 1);
    BOOST_TEST(second.result().depth == 4);
    searcher->wait();
}

BOOST_AUTO_TEST_CASE(progress_can_be_asked_for_at_any_time) {
    const Game game = game_from(Middlegame);
    BOOST_TEST(searcher->progress().nodes == 0U);
    Search search(*searcher, game, {});
    search.wait_for_info();
    const Progress p = searcher->progress();
    BOOST_TEST(p.depth >= 1);
    BOOST_TEST(p.nodes > 0U);
    BOOST_TEST(static_cast<std::size_t>(p.moves) == legal_moves(game.position()).size());
    BOOST_TEST(p.moves_left <= p.moves);
    searcher->stop();
    searcher->wait();
}

BOOST_AUTO_TEST_CASE(two_engines_do_not_disturb_each_other) {
    const auto other = make_searcher();
    const Game game = game_from(Middlegame);
    const SearchResult alone = result_of(*searcher, game, to_depth(9));
    searcher->clear();
    Search endless(*other, game_from("8/8/8/3k4/8/8/8/2BNK3 w - - 0 1"), {});
    endless.wait_for_info();
    const SearchResult together = result_of(*searcher, game, to_depth(9));
    BOOST_TEST((together.best == alone.best));
    BOOST_TEST(together.nodes == alone.nodes);
    BOOST_TEST(endless.results() == 0);
    other->stop();
    other->wait();
}

BOOST_AUTO_TEST_CASE(many_threads_search_one_position) {
    searcher->set_threads(4);
    BOOST_REQUIRE(searcher->set_hash(2));
    const Game game = game_from(Middlegame);
    for (int round = 0; round < 5; ++round) {
        Search search(*searcher, game, to_depth(8));
        const SearchResult c = search.result();
        searcher->wait();
        BOOST_TEST(game.position().is_legal(c.best));
        BOOST_TEST(c.nodes > 0U);
        for (const SearchInfo& info : search.infos())
            BOOST_TEST(is_line(game.position(), info.pv));
    }
    Limits limits;
    limits.nodes = 20'000;
    BOOST_TEST(static_cast<bool>(result_of(*searcher, game, limits).best));
    searcher->set_threads(1);
    BOOST_TEST(result_of(*searcher, game, to_depth(5)).depth == 5);
}

// The lines reported for each depth.
using LinesByDepth = std::map<int, std::vector<SearchInfo>>;

LinesByDepth lines_by_depth(Searcher& searcher, const Game& game, const Limits& limits) {
    Search search(searcher, game, limits);
    search.result();
    searcher.wait();
    LinesByDepth lines;
    for (const SearchInfo& info : search.infos())
        lines[info.depth].push_back(info);
    return lines;
}

BOOST_AUTO_TEST_CASE(several_lines_begin_with_different_moves_the_best_first) {
    const Game game = game_from(Middlegame);
    Limits limits = to_depth(8);
    limits.lines = 4;
    for (const auto& [depth, lines] : lines_by_depth(*searcher, game, limits)) {
        BOOST_TEST_REQUIRE(lines.size() == 4U);
        std::set<std::uint16_t> moves;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            BOOST_TEST(lines[i].line == static_cast<int>(i) + 1);
            BOOST_TEST(is_line(game.position(), lines[i].pv));
            BOOST_TEST((lines[i].bound == Bound::Exact));
            BOOST_TEST(moves.insert(lines[i].pv[0].raw()).second);
            BOOST_TEST((i == 0 || lines[i].score <= lines[i - 1].score), "depth " << depth);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_second_line_is_the_best_without_the_first_move) {
    // Two ways to mate, in one and in two moves, and no third.
    const Game game = game_from("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1");
    Limits limits = to_depth(8);
    limits.lines = 3;
    const std::vector<SearchInfo> first = lines_by_depth(*searcher, game, limits).rbegin()->second;
    BOOST_TEST_REQUIRE(first.size() == 3U);
    BOOST_TEST(first[0].score == mate_in(1));
    limits.lines = 1;
    limits.excluded = {first[0].pv[0]};
    const std::vector<SearchInfo> rest = lines_by_depth(*searcher, game, limits).rbegin()->second;
    BOOST_TEST(rest.back().score == first[1].score);
}

BOOST_AUTO_TEST_CASE(there_are_no_more_lines_than_moves_to_consider) {
    const Game game = game_from("7k/8/8/8/8/8/6q1/K7 w - - 0 1");  // Kb1
    Limits limits = to_depth(6);
    limits.lines = 5;
    const auto forced = lines_by_depth(*searcher, game, limits).rbegin()->second;
    BOOST_TEST(forced.size() == 1U);
    limits.excluded = {*parse_move(game_from(Middlegame).position(), "e3e4")};
    limits.lines = 200;
    const Game many = game_from(Middlegame);
    const auto all = lines_by_depth(*searcher, many, limits).rbegin()->second;
    BOOST_TEST(static_cast<int>(all.size()) == count_legal_moves(many.position()) - 1);
}

BOOST_AUTO_TEST_CASE(one_line_costs_nothing) {
    const Game game = game_from(Middlegame);
    const std::uint64_t alone = result_of(*searcher, game, to_depth(9)).nodes;
    Limits limits = to_depth(9);
    limits.lines = 3;
    searcher->clear();
    const std::uint64_t three = result_of(*searcher, game, limits).nodes;
    limits.lines = 1;
    searcher->clear();
    BOOST_TEST(result_of(*searcher, game, limits).nodes == alone);
    BOOST_TEST(three > alone);
}

BOOST_AUTO_TEST_CASE(nodes_are_counted_exactly_in_place_of_time) {
    const Game game = game_from(Middlegame);
    for (const std::uint64_t nodes : {1U, 77U, 1'000U, 20'001U}) {
        Limits limits;
        limits.move_time = 1s;
        limits.nodes_per_second = nodes;
        BOOST_TEST(result_of(*searcher, game, limits).nodes == nodes);
    }
}

BOOST_AUTO_TEST_CASE(the_hash_table_fills) {
    const Game game = game_from(Middlegame);
    Search search(*searcher, game, to_depth(11));
    search.result();
    searcher->wait();
    BOOST_TEST(search.infos().front().hash_full <= search.infos().back().hash_full);
    BOOST_TEST(search.infos().back().hash_full > 0);
    BOOST_TEST(search.infos().back().hash_full <= 1000);
}

BOOST_AUTO_TEST_SUITE_END()

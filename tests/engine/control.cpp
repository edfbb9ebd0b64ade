// When a search ends, and how long it did not look at the clock.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/search/worker.h"

#include <boost/test/unit_test.hpp>

using namespace engine;
using namespace std::chrono_literals;

namespace {

Limits with_clock(milliseconds left) {
    Limits limits;
    limits.clock = GameClock{.left = left};
    return limits;
}
Limits with_move_time(milliseconds time) {
    Limits limits;
    limits.move_time = time;
    return limits;
}
Limits pondering(Limits limits) {
    limits.ponder = true;
    return limits;
}

void spend(milliseconds time) {
    const Clock::time_point begun = Clock::now();
    while (Clock::now() - begun < time) {
    }
}

// A search that is stopped before it begins.
struct StoppedSearch {
    TranspositionTable tt;
    Control control;
    Worker worker;

    StoppedSearch(const char* fen, const Limits& limits, bool main = true)
        : worker(tt, control, main) {
        BOOST_TEST_REQUIRE(tt.resize(1).has_value());
        const Position pos = Position::from_fen(fen).value();
        const Root root{pos, {pos.key()}, legal_moves(pos), limits.lines};
        control.begin(limits, 10ms, root.moves.size());
        worker.prepare(root);
        control.stop();
        worker.run({}, [this] { return nodes(); });
    }
    [[nodiscard]] std::uint64_t nodes() const { return worker.stats().nodes.load(); }
};

constexpr const char* MateInOne = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

}  // namespace

BOOST_AUTO_TEST_SUITE(control)

BOOST_AUTO_TEST_CASE(the_longest_time_without_a_look_at_the_clock_is_a_stall) {
    Control control;
    control.begin(with_clock(1h), 0ms, 20);
    spend(20ms);
    control.poll(1);
    BOOST_TEST((control.longest_stall() >= 20ms));
    spend(40ms);
    BOOST_TEST((control.longest_stall() >= 40ms));
    control.begin(Limits(), 0ms, 20);  // no clock
    spend(2ms);
    control.poll(1);
    BOOST_TEST((control.longest_stall() == 0ms));
}

BOOST_AUTO_TEST_CASE(a_minimal_search_ends_by_its_nodes) {
    Control control;
    control.begin(with_clock(40ms), 10ms, 20);
    BOOST_TEST(!control.should_stop({.depth = 1, .nodes = 30}));
    BOOST_TEST(control.should_stop({.depth = 2, .nodes = MinimalNodes}));
    control.begin(with_clock(40ms), 10ms, 20);
    BOOST_TEST(control.poll(4 * MinimalNodes));
}

BOOST_AUTO_TEST_CASE(nodes_can_stand_for_time) {
    Limits limits;
    limits.move_time = 2s;
    limits.nodes_per_second = 1000;
    Control control;
    control.begin(limits, 10ms, 20);
    BOOST_TEST(!control.poll(1999));
    BOOST_TEST(control.poll(2000));

    limits = with_clock(60s);
    limits.nodes_per_second = 1000;
    control.reset();
    control.begin(limits, 10ms, 20);
    spend(1ms);
    BOOST_TEST(!control.should_stop({.depth = 1, .nodes = 100}));
    BOOST_TEST(!control.poll(1000));
    BOOST_TEST(control.should_stop({.depth = 20, .nodes = 10'000}));
    BOOST_TEST(control.poll(60'000));
    BOOST_TEST((control.longest_stall() == 0ms));
}

BOOST_AUTO_TEST_CASE(a_clock_of_nodes_is_managed_like_one_of_time) {
    Limits limits = with_clock(60s);
    limits.nodes_per_second = 1000;
    const Iteration sure{.depth = 9, .nodes = 1'200, .confidence = {1'100, 1'200, 9, 0, 0}};
    const Iteration unsure{.depth = 9, .nodes = 1'200, .confidence = {100, 1'200, 0, 40, 40}};
    Control control;
    control.begin(limits, 10ms, 20);
    BOOST_TEST(control.should_stop(sure));
    control.begin(limits, 10ms, 20);
    BOOST_TEST(!control.should_stop(unsure));
    control.begin(limits, 10ms, 1);
    BOOST_TEST(control.should_stop({.depth = 6, .nodes = 20}), "a forced move");
}

BOOST_AUTO_TEST_CASE(no_node_is_searched_beyond_a_clock_of_nodes) {
    Limits limits = with_clock(1s);
    limits.nodes_per_second = 400;
    Control control;
    control.begin(limits, 10ms, 20);
    std::uint64_t nodes = 0;
    while (!control.poll(nodes))
        nodes += static_cast<std::uint64_t>(control.poll_interval(nodes));
    BOOST_TEST(nodes > 0U);
    BOOST_TEST(nodes <= 200U);  // half of the clock
}

BOOST_AUTO_TEST_CASE(a_search_for_a_mate_ends_with_one_that_is_short_enough) {
    Limits limits;
    limits.mate = 3;
    Control control;
    control.begin(limits, 10ms, 20);
    BOOST_TEST(!control.should_stop({.depth = 9, .nodes = 900, .score = 900}));
    BOOST_TEST(!control.should_stop({.depth = 9, .nodes = 900, .score = mated_in(2)}));
    BOOST_TEST(!control.should_stop({.depth = 9, .nodes = 900, .score = mate_in(7)}));
    BOOST_TEST(control.should_stop({.depth = 9, .nodes = 900, .score = mate_in(5)}));
}

BOOST_AUTO_TEST_CASE(the_clock_is_looked_at_more_often_when_little_is_left) {
    const auto longest_interval = [](const Limits& limits) {
        Control control;
        control.begin(limits, 10ms, 20);
        int longest = 0;
        for (std::uint64_t nodes = 1; nodes < 100; ++nodes) {
            control.poll(nodes);
            longest = std::max(longest, control.poll_interval(nodes));
        }
        return longest;
    };
    BOOST_TEST(longest_interval(with_clock(100ms)) < longest_interval(with_clock(10min)));
}

BOOST_AUTO_TEST_CASE(the_clock_is_looked_at_more_often_where_nodes_are_slow) {
    Control control;
    control.begin(with_clock(10min), 10ms, 20);
    BOOST_TEST(control.poll_interval(0) == 1, "the first nodes may be slow");
    for (std::uint64_t nodes = 1; control.poll_interval(nodes) < 64; ++nodes)
        control.poll(nodes);
    const int before = control.poll_interval(1000);
    spend(20ms);
    control.poll(1000);
    BOOST_TEST(control.poll_interval(1000) < before);
}

BOOST_AUTO_TEST_CASE(a_ponder_hit_limits_the_time_to_solve) {
    Control control;
    control.begin(with_clock(-1ms), 10ms, 20);
    BOOST_TEST(control.solving_timed_out());
    for (const Limits& limits : {with_clock(-1ms), Limits()}) {
        control.begin(pondering(limits), 10ms, 20);
        BOOST_TEST(!control.solving_timed_out());
        control.ponder_hit(with_clock(1h));
        BOOST_TEST(!control.solving_timed_out());
        control.ponder_hit(with_move_time(0ms));
        BOOST_TEST(control.solving_timed_out());
        control.ponder_hit(Limits());
        BOOST_TEST(!control.solving_timed_out());
    }
    // The clock runs from the time at which the opponent moved.
    Limits late = with_clock(1min);
    late.started = Clock::now() - 1h;
    control.ponder_hit(late);
    BOOST_TEST(control.solving_timed_out());
}

BOOST_AUTO_TEST_CASE(a_stop_before_the_limits_are_known_ends_the_search) {
    Control control;
    control.reset();
    control.stop();
    control.begin(with_clock(1h), 10ms, 20);
    BOOST_TEST(control.stopped());
    control.reset();
    BOOST_TEST(!control.stopped());
}

BOOST_AUTO_TEST_CASE(a_stopped_search_finishes_its_first_iteration) {
    const StoppedSearch search(MateInOne, {});
    BOOST_TEST(search.worker.finished_depth() == 1);
    BOOST_TEST(to_coordinates(search.worker.root_moves()[0].move) == "a1a8");
    BOOST_TEST(StoppedSearch(MateInOne, {}, false).nodes() == 0U, "a helper");
    BOOST_TEST(StoppedSearch(MateInOne, pondering({})).worker.finished_depth() == 1);
}

BOOST_AUTO_TEST_CASE(a_long_first_iteration_can_be_stopped) {
    // Each of the 218 moves has a line.
    Limits limits;
    limits.lines = 218;
    const StoppedSearch search("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", limits);
    BOOST_TEST(search.worker.finished_depth() == 0);
    BOOST_TEST(search.nodes() >= FirstIterationNodes);
    BOOST_TEST(search.nodes() < FirstIterationNodes + 100);
}

BOOST_AUTO_TEST_CASE(a_stopped_search_keeps_within_its_limits) {
    Limits limits;
    limits.nodes = 3;
    BOOST_TEST(StoppedSearch(MateInOne, limits).nodes() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

#include "engine/board/perft.h"
#include "tools/pruning/methods.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace {

namespace data = boost::unit_test::data;
using tools::pruning::AllMethods;
using tools::pruning::Count;
using tools::pruning::Method;

constexpr std::uint64_t Enough = 10'000'000;

// The start, a middle game, an ending that repeats by transposition, a mate in one, a stalemate
// trap.
const char* const Fens[] = {engine::StartFen,
                            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
                            "6k1/5ppp/8/8/8/8/1r3PPP/R3R1K1 w - - 0 1",
                            "7k/5Q2/8/8/8/8/8/K7 w - - 0 1"};
constexpr int Depth = 3;

engine::Position position(const char* fen) {
    return engine::Position::from_fen(fen).value();
}

Count counted(Method method, const engine::Position& pos, int depth) {
    return tools::pruning::count_nodes(method, pos, depth, Enough).value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pruning)

BOOST_DATA_TEST_CASE(minimax_visits_every_node_of_the_tree, data::make(Fens), fen) {
    engine::Position pos = position(fen);
    std::uint64_t nodes = 0;
    for (int depth = 1; depth <= Depth; ++depth) {
        const Count found = counted(Method::Minimax, pos, depth);
        nodes += engine::perft(pos, depth);
        BOOST_TEST(found.nodes == nodes);
        BOOST_TEST(found.leaves == engine::perft(pos, depth));
    }
}

BOOST_DATA_TEST_CASE(all_methods_without_quiescence_find_the_same_value, data::make(Fens), fen) {
    const engine::Position pos = position(fen);
    for (int depth = 1; depth <= Depth; ++depth)
        for (const Method method : {Method::AlphaBeta, Method::Ordered, Method::Table})
            BOOST_TEST(counted(method, pos, depth).value ==
                       counted(Method::Minimax, pos, depth).value);
}

BOOST_AUTO_TEST_CASE(transpositions_change_no_value_in_a_deep_tree_of_few_positions) {
    const engine::Position pos = position(Fens[2]);
    for (int depth = 5; depth <= 8; ++depth)
        BOOST_TEST(counted(Method::Table, pos, depth).value ==
                   counted(Method::AlphaBeta, pos, depth).value);
}

BOOST_AUTO_TEST_CASE(every_step_saves_nodes_in_a_middle_game) {
    const engine::Position pos = position(Fens[1]);
    const Count minimax = counted(Method::Minimax, pos, 4);
    const Count unordered = counted(Method::AlphaBeta, pos, 4);
    const Count ordered = counted(Method::Ordered, pos, 4);
    BOOST_TEST(unordered.nodes < minimax.nodes / 10);
    BOOST_TEST(ordered.nodes < unordered.nodes / 2);
    const double b = tools::pruning::mean_branching(minimax.leaves, 4);
    BOOST_TEST(static_cast<double>(ordered.leaves) > tools::pruning::least_leaves(b, 4) / 2);
}

BOOST_AUTO_TEST_CASE(the_table_saves_nodes_where_positions_come_again) {
    const engine::Position pos = position(Fens[2]);
    BOOST_TEST(counted(Method::Table, pos, 14).nodes < counted(Method::Ordered, pos, 14).nodes / 4);
}

BOOST_AUTO_TEST_CASE(quiescence_sees_that_a_protected_pawn_is_not_won) {
    const engine::Position pos = position("4k3/8/2p5/3p4/8/8/3Q4/3K4 w - - 0 1");
    BOOST_TEST(counted(Method::Quiescence, pos, 1).value <
               counted(Method::Table, pos, 1).value - 50);
}

BOOST_AUTO_TEST_CASE(a_mate_with_more_depth_left_counts_more) {
    const engine::Position pos = position(Fens[3]);
    for (const Method method : AllMethods) {
        BOOST_TEST(counted(method, pos, 2).value == engine::KnownWin + 1);
        BOOST_TEST(counted(method, pos, 3).value == engine::KnownWin + 2);
    }
}

BOOST_AUTO_TEST_CASE(too_many_nodes_give_no_count) {
    BOOST_TEST(!tools::pruning::count_nodes(Method::Minimax, engine::Position(), 4, 100'000));
    BOOST_TEST(
        tools::pruning::count_nodes(Method::Minimax, engine::Position(), 3, 9322).has_value());
    BOOST_TEST(!tools::pruning::count_nodes(Method::Minimax, engine::Position(), 3, 9321));
}

BOOST_AUTO_TEST_CASE(the_least_number_of_leaves_is_that_of_knuth_and_moore) {
    BOOST_TEST(tools::pruning::least_leaves(30, 1) == 30);
    BOOST_TEST(tools::pruning::least_leaves(30, 4) == 900 + 900 - 1);
    BOOST_TEST(tools::pruning::least_leaves(30, 5) == 27000 + 900 - 1);
    BOOST_TEST(tools::pruning::mean_branching(8000, 3) == 20, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_position_without_a_move_is_not_searched) {
    using tools::pruning::position_to_search;
    for (const char* fen : {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",     // stalemate
                            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}) {  // checkmate
        const auto refused = position_to_search(fen);
        BOOST_TEST_REQUIRE(!refused.has_value());
        BOOST_TEST(refused.error().what.find(fen) != std::string::npos);
    }
    BOOST_TEST(position_to_search("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1").has_value());
    BOOST_TEST(!position_to_search("no position").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

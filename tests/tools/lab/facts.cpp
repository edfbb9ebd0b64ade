// Generated evaluations: what the facts see, how configurations are found, the least squares, and
// the quality for king and rook.
#include "tools/lab/facts/facts_report.h"
#include "tools/lab/facts/placement_network.h"
#include "tools/lab/retro/retro_solver.h"

#include <bit>

#include <boost/test/unit_test.hpp>

using namespace tools::facts;  // NOLINT(google-build-using-namespace)

namespace {

using engine::Square;

Ending ending(std::string_view name) {
    return ending_for_facts(name).value();
}

Board board(std::initializer_list<Square> squares, engine::Color side) {
    Board found{{}, side};
    std::copy(squares.begin(), squares.end(), found.squares.begin());
    return found;
}

Board changed(Board b, int flip, bool transpose) {
    for (Square& s : b.squares) {
        s ^= flip;
        if (transpose)
            s = engine::make_square(engine::rank_of(s), engine::file_of(s));
    }
    return b;
}

// King and rook against king, with its positions.
struct RookEnding {
    Ending of = ending("KRvK");
    tools::retro::DistanceTable table = tools::retro::solve(of, {}, {});
    EndingData data = data_of(table, true);
};

const RookEnding& rook_ending() {
    static const RookEnding rook;
    return rook;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(facts)

BOOST_AUTO_TEST_CASE(only_pieces_against_a_bare_king_have_facts) {
    for (const char* name : {"KRvKR", "KPvK", "KQvKP", "KvK", "rook"})
        BOOST_TEST(!ending_for_facts(name).has_value(), name);
    BOOST_TEST(ending("KvKBN").name() == "KBNvK");
}

BOOST_AUTO_TEST_CASE(symmetric_positions_have_the_same_facts) {
    const Ending of = ending("KBNvK");
    const Board first = board({18, 60, 27, 37}, engine::White);
    for (const int flip : {0, 7, 56, 63})
        for (const bool transpose : {false, true})
            BOOST_TEST((facts_of(of, changed(first, flip, transpose)) == facts_of(of, first)));
    Board other = first;
    other.side = engine::Black;
    BOOST_TEST((facts_of(of, other) != facts_of(of, first)));
}

BOOST_AUTO_TEST_CASE(the_positions_of_an_ending_are_those_that_differ_by_more_than_symmetry) {
    const RookEnding& rook = rook_ending();
    BOOST_TEST(rook.data.positions.size() == 50'015);
    BOOST_TEST(rook.data.longest == 32);
    BOOST_TEST(rook.data.quiet.size() < rook.data.positions.size());
    for (const Sample& sample : rook.data.quiet)
        if (sample.board.side == engine::Black)
            BOOST_REQUIRE_LE(sample.target, 0);
}

BOOST_AUTO_TEST_CASE(configurations_hold_often_enough_and_are_small) {
    const RookEnding& rook = rook_ending();
    const FactModel model(rook.of, rook.data.quiet, {.support = 0.05, .max_facts = 2, .steps = 1});
    BOOST_TEST(model.configurations() > 100);
    BOOST_TEST(model.of(Role::Knight).empty());
    std::vector<Facts> held;  // by the rook, the third man
    for (const Sample& sample : rook.data.quiet)
        held.push_back(facts_of(rook.of, sample.board)[2]);
    for (const Configuration& c : model.of(Role::Rook)) {
        BOOST_TEST(std::popcount(c.facts) <= 2);
        const auto holds =
            std::count_if(held.begin(), held.end(), [&](Facts f) { return (c.facts & ~f) == 0; });
        BOOST_TEST(static_cast<double>(holds) >=
                   0.05 * static_cast<double>(rook.data.quiet.size()));
    }
}

BOOST_AUTO_TEST_CASE(with_constants_only_the_mean_is_fitted) {
    const RookEnding& rook = rook_ending();
    std::vector<Sample> lost;
    double sum = 0;
    for (const Sample& sample : rook.data.quiet)
        if (sample.board.side == engine::Black) {
            lost.push_back(sample);
            sum += sample.target;
        }
    const FactModel model(rook.of, lost, {.support = 0.5, .max_facts = 0, .steps = 10});
    BOOST_TEST(model.configurations() == 3);
    BOOST_TEST(model.value(lost.front().board) == sum / static_cast<double>(lost.size()),
               boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(a_vector_that_was_not_fitted_gets_the_value_of_its_configurations) {
    const RookEnding& rook = rook_ending();
    std::vector<Sample> few;
    for (std::size_t i = 0; i < rook.data.quiet.size(); i += 50)
        few.push_back(rook.data.quiet[i]);
    const FactModel model(rook.of, few, {.support = 0.02, .max_facts = 2, .steps = 50});
    for (std::size_t i = 25; i < rook.data.quiet.size(); i += 5'000) {
        const Board& b = rook.data.quiet[i].board;
        const auto held = facts_of(rook.of, b);
        double value = 0;
        for (std::size_t man = 0; man < rook.of.size(); ++man)
            for (const Configuration& c : model.of(role_of(rook.of[man])))
                if ((c.facts & ~held[man]) == 0)
                    value += rook.of[man].color == b.side ? c.weight : -c.weight;
        BOOST_TEST(model.value(b) == value, boost::test_tools::tolerance(1e-6));
    }
    BOOST_TEST(model.hit_rate() < 1);
}

BOOST_AUTO_TEST_CASE(more_facts_tell_the_distance_better_and_find_the_best_moves) {
    const RookEnding& rook = rook_ending();
    std::vector<FactsReport> reports;
    for (const int facts : {0, 1, 2}) {
        const FactModel model(
            rook.of, rook.data.quiet, {.support = 0.05, .max_facts = facts, .steps = 40});
        reports.push_back(report_on([&](const Board& b) { return model.value(b); },
                                    rook.table,
                                    rook.data.positions,
                                    rook.data.longest));
    }
    BOOST_TEST(reports[0].positions == 50'015);
    BOOST_TEST(reports[0].squared_before > 250);
    BOOST_TEST(reports[1].squared < reports[0].squared);
    BOOST_TEST(reports[2].squared < reports[1].squared);
    BOOST_TEST(reports[2].squared < 8.59);
    BOOST_TEST(reports[2].agreement() > 0.998);
    BOOST_TEST(reports[2].optimal > 0.687);
    BOOST_TEST(reports[2].by_chance == 0.273, boost::test_tools::tolerance(0.002));
}

BOOST_AUTO_TEST_CASE(a_small_network_tells_results_and_distances) {
    const RookEnding& rook = rook_ending();
    const PlacementNetwork network(rook.of, rook.data.quiet, {.neurons = 8, .visits = 1});
    const FactsReport report = report_on([&](const Board& b) { return network.value(b); },
                                         rook.table,
                                         rook.data.positions,
                                         rook.data.longest);
    BOOST_TEST(report.squared < 8.59);
    BOOST_TEST(report.agreement() > 0.998);
}

BOOST_AUTO_TEST_SUITE_END()

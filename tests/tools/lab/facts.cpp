// Generated evaluations: what the facts see, how configurations are found, the least squares, and
// the quality for king and rook.
#include "tools/lab/facts/facts_report.h"
#include "tools/lab/facts/pawn_facts.h"
#include "tools/lab/facts/placement_network.h"
#include "tools/lab/retro/retro_run.h"
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

Square square(std::string_view name) {
    return engine::make_square(name[0] - 'a', name[1] - '1');
}

// The squares of the men, as "e1 e8 a2".
Board placed(std::string_view names, engine::Color side) {
    Board found{{}, side};
    for (std::size_t i = 0; 3 * i < names.size(); ++i)
        found.squares[i] = square(names.substr(3 * i, 2));
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
    EndingRules rules{of, {}};
    EndingData data = data_of(table, rules);

    [[nodiscard]] FactsReport report(const Evaluation& evaluation) const {
        return report_on(evaluation,
                         table,
                         rules,
                         data.positions,
                         data.longest,
                         threshold_for(of, evaluation, data.quiet));
    }
};

const RookEnding& rook_ending() {
    static const RookEnding rook;
    return rook;
}

// Endings of pawns, with all that they become.
struct PawnEndings {
    tools::retro::TableSet tables;
    Ending of = ending("KPvKP");
    std::shared_ptr<const tools::retro::DistanceTable> table;
    EndingRules rules{of, [this](const tools::retro::Placement& placement, engine::Color side) {
                          return tables.value(placement, side);
                      }};

    PawnEndings() {
        for (const Ending& e : tools::retro::with_successors({of}))
            tables.add(e, tools::retro::solve_wins(e, tables, e == of, {}));
        table = std::make_shared<const tools::retro::DistanceTable>(
            tools::retro::distance_table(of, *tables.wins(of)));
    }
};

const PawnEndings& pawn_endings() {
    static const PawnEndings pawns;
    return pawns;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(facts)

BOOST_AUTO_TEST_CASE(pieces_against_a_bare_king_or_pawns_alone_have_facts) {
    for (const char* name : {"KRvKR", "KRPvK", "KQvKP", "KvK", "rook"})
        BOOST_TEST(!ending_for_facts(name).has_value(), name);
    BOOST_TEST(ending("KvKBN").name() == "KBNvK");
    BOOST_TEST(ending("KPvKPP").name() == "KPPvKP");
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
            for (const Configuration& c : model.of(role_of(rook.of, rook.of[man])))
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
        reports.push_back(rook.report([&](const Board& b) { return model.value(b); }));
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
    const FactsReport report = rook.report([&](const Board& b) { return network.value(b); });
    BOOST_TEST(report.squared < 8.59);
    BOOST_TEST(report.agreement() > 0.998);
}

BOOST_AUTO_TEST_CASE(pawns_are_seen_from_their_own_side) {
    const Ending of = ending("KPvKP");
    const Board first = placed("c5 e6 a4 g3", engine::White);
    const auto facts = facts_of(of, first);
    BOOST_TEST((facts_of(of, changed(first, 7, false)) == facts));
    // The same with colours exchanged.
    const auto swapped = facts_of(of, placed("e3 c4 g6 a5", engine::Black));
    BOOST_TEST(swapped[0] == facts[1]);
    BOOST_TEST(swapped[1] == facts[0]);
    BOOST_TEST(swapped[2] == facts[3]);
    BOOST_TEST(swapped[3] == facts[2]);
    BOOST_TEST((role_of(of, of[0]) == Role::King && role_of(of, of[1]) == Role::King));
    BOOST_TEST((facts_of(of, placed("c5 e6 a4 g3", engine::Black)) != facts));
}

BOOST_AUTO_TEST_CASE(facts_tell_what_a_pawn_does_in_smaller_endings) {
    const Ending of = ending("KPPvKP");
    const auto facts = [&](std::string_view squares) {
        return facts_of(of, placed(squares, engine::White));
    };
    const Facts results = facts_of_smaller_endings(Role::Pawn);
    // The rook pawn draws against the bare king, the other one wins; Black's pawn is far away.
    const auto two = facts("b6 b8 a5 f6 h7");
    BOOST_TEST((two[2] & results) != (two[3] & results));
    BOOST_TEST((two[2] & ~results) != 0);
    // Black's pawn on its last step beats the one, and so the other.
    const auto late = facts("a1 h8 b2 c2 f2");
    BOOST_TEST((late[2] & results) == (late[3] & results));
    BOOST_TEST((late[4] & results) != (late[3] & results));
    BOOST_TEST(facts_of_smaller_endings(Role::Rook) == 0);
}

BOOST_AUTO_TEST_CASE(captures_and_promotions_need_no_evaluation) {
    const PawnEndings& pawns = pawn_endings();
    std::vector<Reply> replies;
    const auto bounds = [&](const Board& b) {
        pawns.rules.find(b, replies);
        return bounds_of(pawns.rules, b, replies, 30);
    };
    const Bounds promotes = bounds(placed("a1 h2 b7 g4", engine::White));
    BOOST_TEST(promotes.decided());
    BOOST_TEST(promotes.low == 30 + Offset - 1);
    BOOST_TEST(replies.size() == 3 + 4);
    const Bounds takes = bounds(placed("e4 e7 a2 e5", engine::White));  // and the rook pawn draws
    BOOST_TEST(!takes.decided());
    BOOST_TEST(takes.low == 0);
    const Bounds stalemate = bounds(placed("a8 c7 a7 h5", engine::White));
    BOOST_TEST(stalemate.decided());
    BOOST_TEST(stalemate.low == 0);
    BOOST_TEST(bounds(placed("a1 h8 a2 h7", engine::White)).low < -1'000);
}

BOOST_AUTO_TEST_CASE(a_double_step_can_be_answered_en_passant) {
    const PawnEndings& pawns = pawn_endings();
    std::vector<Reply> replies;
    pawns.rules.find(placed("a1 h8 c2 d4", engine::White), replies);
    const auto step = std::find_if(replies.begin(), replies.end(), [](const Reply& r) {
        return r.after.squares[2] == square("c4");
    });
    BOOST_REQUIRE(step != replies.end());
    BOOST_REQUIRE(step->answer.has_value());
    BOOST_TEST(*step->answer == 0);  // the king catches the pawn
    BOOST_TEST(value_of(pawns.rules, *step, 10, 30) == -10);
    BOOST_TEST(value_of(pawns.rules, *step, -10, 30) == 0);
    for (const Reply& r : replies)
        if (r.after.squares[2] != square("c4"))
            BOOST_TEST(!r.answer.has_value());
}

BOOST_AUTO_TEST_CASE(a_sample_is_a_share_of_the_positions_and_always_the_same) {
    const RookEnding& rook = rook_ending();
    const EndingData data = data_of(rook.table, rook.rules, {.share = 0.1});
    BOOST_TEST(data.positions.size() > 4'700);
    BOOST_TEST(data.positions.size() < 5'300);
    BOOST_TEST(data.longest == 32);
    const EndingData again = data_of(rook.table, rook.rules, {.share = 0.1});
    BOOST_REQUIRE(again.positions.size() == data.positions.size());
    for (std::size_t i = 0; i < data.positions.size(); ++i)
        BOOST_REQUIRE((again.positions[i].squares == data.positions[i].squares));
}

BOOST_AUTO_TEST_CASE(with_pawns_the_threshold_is_where_most_results_are_right) {
    const Board drawn = board({0, 20, 30, 40}, engine::White),
                won = board({1, 20, 30, 40}, engine::White),
                lost = board({2, 20, 30, 40}, engine::White);
    const std::array values = {8.0, 12.0, -15.0};
    const Evaluation evaluation = [&](const Board& b) {
        return values.at(static_cast<std::size_t>(b.squares[0]));
    };
    const std::vector<Sample> samples = {{drawn, 0}, {won, 20}, {lost, -20}};
    const double found = threshold_for(ending("KPvKP"), evaluation, samples);
    BOOST_TEST(found >= 8);
    BOOST_TEST(found < 12);
    BOOST_TEST(threshold_for(ending("KRvK"), evaluation, samples) == 2.5);
}

BOOST_AUTO_TEST_CASE(pawn_against_pawn_is_told_by_facts_and_by_a_network,
                     *boost::unit_test::label("slow")) {
    const PawnEndings& pawns = pawn_endings();
    const EndingData data = data_of(*pawns.table, pawns.rules, {.share = 0.01});
    const auto report = [&](const Evaluation& evaluation) {
        return report_on(evaluation,
                         *pawns.table,
                         pawns.rules,
                         data.positions,
                         data.longest,
                         threshold_for(pawns.of, evaluation, data.quiet));
    };
    const FactModel model(pawns.of, data.quiet, {.support = 0.02, .max_facts = 2, .steps = 40});
    const FactsReport facts = report([&](const Board& b) { return model.value(b); });
    BOOST_TEST(facts.squared < 0.1 * facts.squared_before);
    BOOST_TEST(facts.agreement() > 0.9);
    BOOST_TEST(facts.agreement() < 0.99);  // the ending itself is not among the facts
    BOOST_TEST(facts.optimal > 0.85);
    BOOST_TEST(facts.quiet < facts.positions);
    const FactModel plain(pawns.of,
                          data.quiet,
                          {.support = 0.02, .max_facts = 2, .steps = 40, .smaller_endings = false});
    const FactsReport less = report([&](const Board& b) { return plain.value(b); });
    BOOST_TEST(less.squared > 1.05 * facts.squared);
    BOOST_TEST(less.agreement() > 0.9);
    const PlacementNetwork network(pawns.of, data.quiet, {.neurons = 8, .visits = 1});
    const FactsReport placed = report([&](const Board& b) { return network.value(b); });
    BOOST_TEST(placed.agreement() > 0.7);
    BOOST_TEST(network.value(changed(data.quiet[0].board, 7, false)) ==
               network.value(data.quiet[0].board));
}

BOOST_AUTO_TEST_SUITE_END()

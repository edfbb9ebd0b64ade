#include "tools/match/standings.h"

#include <boost/test/unit_test.hpp>

namespace {

using tools::Outcome;
using tools::match::Ending;

tools::match::PlayedGame game(Outcome outcome, Ending ending = Ending::Checkmate) {
    tools::match::PlayedGame record;
    record.outcome = outcome;
    record.ending = ending;
    return record;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(standings)

BOOST_AUTO_TEST_CASE(results_count_for_the_first_engine_in_either_colour) {
    tools::match::Standings table({"A", "B"});
    table.add({0, 0, false}, game(Outcome::WhiteWins));
    table.add({0, 0, true}, game(Outcome::WhiteWins));
    table.add({0, 1, false}, game(Outcome::Draw, Ending::Repetition));
    table.add({0, 1, true}, game(Outcome::BlackWins));
    const tools::Tally& t = table.against(0);
    BOOST_TEST(t.wins == 2);
    BOOST_TEST(t.losses == 1);
    BOOST_TEST(t.draws == 1);
    BOOST_TEST(t.pairs[2] == 1);
    BOOST_TEST(t.pairs[3] == 1);
    BOOST_TEST(t.full_pairs() == 2);
}

BOOST_AUTO_TEST_CASE(pairs_join_across_other_games) {
    tools::match::Standings table({"A", "B", "C"});
    table.add({0, 0, false}, game(Outcome::WhiteWins));
    table.add({1, 0, false}, game(Outcome::BlackWins));
    table.add({0, 1, true}, game(Outcome::BlackWins));
    BOOST_TEST(table.total().full_pairs() == 0);
    table.add({0, 0, true}, game(Outcome::BlackWins));
    table.add({1, 0, true}, game(Outcome::WhiteWins));
    BOOST_TEST(table.against(0).pairs[4] == 1);
    BOOST_TEST(table.against(1).pairs[0] == 1);
    BOOST_TEST(table.total().full_pairs() == 2);
}

BOOST_AUTO_TEST_CASE(faults_are_laid_at_the_losers_door) {
    tools::match::Standings table({"A", "B", "C"});
    table.add({0, 0, false}, game(Outcome::WhiteWins, Ending::TimeForfeit));
    table.add({1, 0, true}, game(Outcome::WhiteWins, Ending::Crash));
    table.add({1, 0, false}, game(Outcome::WhiteWins, Ending::IllegalMove));
    BOOST_TEST(table.faults(1).time_forfeits == 1);
    BOOST_TEST(table.faults(0).crashes == 1);
    BOOST_TEST(table.faults(2).illegal_moves == 1);
    BOOST_TEST(table.faults(2).total() == 1);
}

BOOST_AUTO_TEST_CASE(breaking_down_after_the_game_is_a_fault_too) {
    tools::match::Standings table({"A", "B"});
    tools::match::PlayedGame record = game(Outcome::WhiteWins);
    record.broke_down[engine::Black] = true;
    table.add({0, 0, true}, record);
    BOOST_TEST(table.faults(0).breakdowns == 1);
    BOOST_TEST(table.faults(1).total() == 0);
}

BOOST_AUTO_TEST_CASE(unfinished_games_count_nowhere) {
    tools::match::Standings table({"A", "B"});
    table.add({0, 0, false}, game(Outcome::Unfinished, Ending::Unfinished));
    BOOST_TEST(table.total().games() == 0);
    BOOST_TEST(table.table(nullptr).find("\nendings: none\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(equal_results_have_no_known_error) {
    tools::match::Standings table({"A", "B"});
    table.add({0, 0, false}, game(Outcome::WhiteWins));
    table.add({0, 0, true}, game(Outcome::BlackWins));
    BOOST_TEST(table.progress_line(nullptr).ends_with(" +- ?  LOS ? %"));
    BOOST_TEST(table.table(nullptr).find("      ?      ?   0/0/0/0/1\n") != std::string::npos);
    table.add({0, 1, false}, game(Outcome::BlackWins));
    table.add({0, 1, true}, game(Outcome::WhiteWins));
    const std::string even = table.progress_line(nullptr);
    BOOST_TEST(even.find("Elo +0.0 +- ") != std::string::npos, even);
    BOOST_TEST(even.ends_with("  LOS 50.0 %"), even);
}

BOOST_AUTO_TEST_CASE(the_table_names_everyone) {
    tools::match::Standings table({"A", "B", "C"});
    table.add({0, 0, false}, game(Outcome::WhiteWins));
    table.add({1, 0, false}, game(Outcome::Draw, Ending::Stalemate));
    const std::string text = table.table(nullptr);
    for (const char* part : {"A against", "\nB ", "\nC ", "\nall ", "checkmate 1, stalemate 1\n"})
        BOOST_TEST(text.find(part) != std::string::npos, part);
    const tools::Sprt test;
    BOOST_TEST(table.progress_line(&test).find("LLR 0.00 (-2.94, 2.94) [0, 10]") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

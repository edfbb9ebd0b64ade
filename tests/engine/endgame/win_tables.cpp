// Endings solved 64 positions at a time: published lengths, symmetries, and agreement with the
// rules.
#include "engine/board/movegen.h"
#include "engine/endgame/win_solver.h"

#include <boost/test/unit_test.hpp>

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

WinMaterial material(std::string_view attacker, std::string_view defender) {
    WinMaterial found;
    for (const char c : attacker)
        ++found.count[0][PieceLetters.find(c)];
    for (const char c : defender)
        ++found.count[1][PieceLetters.find(c)];
    return found;
}

void solve(const WinMaterial& wanted, WinTables& tables) {
    if (tables.find(wanted) != nullptr)
        return;
    for (const WinMaterial& next : wanted.successors())
        solve(next, tables);
    tables.add(solve_wins(wanted, tables, true));
}
const WinTable& solved(std::string_view attacker, std::string_view defender, WinTables& tables) {
    solve(material(attacker, defender), tables);
    return tables.at(material(attacker, defender));
}

struct Counts {
    std::uint64_t legal = 0, won = 0, lost = 0;
    int longest_win = 0, longest_loss = 0;
};
// Over all placements of two men, each counted as often as it can be written.
Counts count(const WinTable& table, bool two) {
    Counts sum;
    WinTable::Men men{};
    for (Square king = 0; king < 64; ++king)
        for (men[0] = 0; men[0] < 64; ++men[0])
            for (men[1] = 0; men[1] < (two ? 64 : 1); ++men[1]) {
                const Bitboard legal = table.legal(king, men);
                const Bitboard won = legal & ~table.open(king, men), lost = table.lost(king, men);
                sum.legal += static_cast<std::uint64_t>(popcount(legal));
                sum.won += static_cast<std::uint64_t>(popcount(won));
                sum.lost += static_cast<std::uint64_t>(popcount(lost));
                const WinTable::Place at = table.place(king, men);
                for (Bitboard b = won; b != 0;)
                    sum.longest_win = std::max(sum.longest_win, table.won_plies(at, pop_lowest(b)));
                for (Bitboard b = lost; b != 0;)
                    sum.longest_loss =
                        std::max(sum.longest_loss, table.lost_plies(at, pop_lowest(b)));
            }
    return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(win_tables)

BOOST_AUTO_TEST_CASE(turns_bring_squares_and_sets_to_the_same_place) {
    for (Turn turn = 0; turn < 8; ++turn)
        for (Square s = 0; s < 64; ++s)
            BOOST_TEST(turned_back(bit(turned(s, turn)), turn) == bit(s));
    for (Square s = 0; s < 64; ++s) {
        const Square first = turned(s, turn_to_triangle(s));
        BOOST_TEST((file_of(first) < 4 && rank_of(first) <= file_of(first)));
    }
}

BOOST_AUTO_TEST_CASE(wins_are_as_long_as_published) {
    WinTables tables;
    const Counts rook = count(solved("R", "", tables), false);
    BOOST_TEST(rook.longest_win == 31);
    BOOST_TEST(rook.longest_loss == 32);
    BOOST_TEST(rook.won == rook.legal);
    const Counts queen = count(solved("Q", "", tables), false);
    BOOST_TEST(queen.longest_win == 19);
    const Counts knight = count(solved("N", "", tables), false);
    BOOST_TEST(knight.won + knight.lost == 0U);
    const Counts minors = count(solved("BN", "", tables), true);
    BOOST_TEST(minors.longest_win == 65);
    BOOST_TEST(minors.longest_loss == 66);
}

BOOST_AUTO_TEST_CASE(a_lone_king_never_wins) {
    WinTables tables;
    const Counts none = count(solved("", "QR", tables), true);
    BOOST_TEST(none.legal > 0U);
    BOOST_TEST(none.won + none.lost == 0U);
}

BOOST_AUTO_TEST_CASE(results_are_the_same_without_distances) {
    WinTables tables;
    const WinTable& table = solved("Q", "R", tables);
    // White: Kc6, Qa5; Black: Kc8, Rb7.
    const WinTable::Men men = {32, 49};
    BOOST_TEST((table.open(42, men) & bit(C8)) == 0U);
    BOOST_TEST(table.won_plies(table.place(42, men), C8) > 0);
    // Without distances the results are the same.
    WinTables results;
    for (const WinMaterial& next : material("Q", "R").successors()) {
        for (const WinMaterial& last : next.successors())
            results.add(solve_wins(last, results, false));
        results.add(solve_wins(next, results, false));
    }
    const auto same = solve_wins(material("Q", "R"), results, false);
    int different = 0;
    WinTable::Men at{};
    for (Square king = 0; king < 64; king += 3)
        for (at[0] = 0; at[0] < 64; ++at[0])
            for (at[1] = 0; at[1] < 64; ++at[1])
                different += same->open(king, at) != table.open(king, at) ||
                             same->lost(king, at) != table.lost(king, at);
    BOOST_TEST(different == 0);
    BOOST_TEST(!same->has_distances());
}

BOOST_AUTO_TEST_CASE(solving_can_be_stopped) {
    WinTables tables;
    solve(material("R", ""), tables);
    solve(material("N", ""), tables);
    BOOST_TEST(solve_wins(material("RN", ""), tables, true, [] { return true; }) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

// Solved endings: published counts, known results, agreement with brute force, files that are
// damaged or left by a run that was stopped.
#include "engine/board/movegen.h"
#include "tests/folder.h"
#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/lab/retro/move_check.h"
#include "tools/lab/retro/retro_run.h"
#include "tools/lab/retro/retro_solver.h"

#include <atomic>
#include <numeric>

#include <boost/test/unit_test.hpp>

using namespace tools::retro;  // NOLINT(google-build-using-namespace)

namespace {

Ending ending(std::string_view name) {
    return *Ending::from_name(name);
}

// Solved with all that they need.
TableSet solved(const std::vector<Ending>& endings) {
    TableSet set;
    for (const Ending& e : with_successors(endings)) {
        set.add(e, solve_wins(e, set, true, {}));
        set.add(std::make_shared<const DistanceTable>(distance_table(e, *set.wins(e))));
    }
    return set;
}

Value value_of(const TableSet& set, std::string_view fen) {
    const engine::Position pos = *engine::Position::from_fen(fen);
    return set.value(Placement::of(pos), pos.side_to_move());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(retro)

// Source: M. Bain, A. van Hoff, the data set "Chess (King-Rook vs. King)", 1994: 28,056 positions
// with Black to move by the white moves to mate.
BOOST_AUTO_TEST_CASE(king_and_rook_has_the_published_counts_by_distance) {
    constexpr std::array<std::uint64_t, 17> Published = {
        27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390};
    const TableSet set = solved({ending("KRvK")});
    const EndingSummary summary = summarise(*set.find(ending("KRvK").counts()));
    const EndingSummary::Side& black = summary.side[engine::Black];
    for (std::size_t moves = 0; moves < Published.size(); ++moves)
        BOOST_TEST(black.lost[2 * moves] == Published[moves]);
    BOOST_TEST(black.results[1] == 2'796U);
    BOOST_TEST(black.results[0] + black.results[1] == 28'056U);
    BOOST_TEST(black.longest(false) == 32);
    BOOST_TEST(summary.side[engine::White].longest(true) == 31);
    BOOST_TEST(summary.side[engine::White].results[2] == 21'959U);
}

BOOST_AUTO_TEST_CASE(every_value_follows_from_those_after_its_moves) {
    const TableSet set = solved({ending("KQvK"), ending("KPvK")});
    for (const std::string_view name : {"KQvK", "KRvK", "KBvK", "KPvK"})
        BOOST_TEST(check_moves(ending(name), set, 100'000).wrong == 0U);
    // Half of the published 124,960 and 97,604, since mirror images count once here.
    const EndingSummary pawn = summarise(*set.find(ending("KPvK").counts()));
    BOOST_TEST(pawn.side[engine::White].results[2] == 62'480U);
    BOOST_TEST(pawn.side[engine::Black].results[0] == 48'802U);
    BOOST_TEST(value_of(set, "8/8/8/8/8/2k5/8/KQ6 b - - 0 1") < 0);
    BOOST_TEST(value_of(set, "8/8/8/8/8/8/1q6/K4k2 w - - 0 1") == 0);  // takes
    BOOST_TEST(value_of(set, "8/8/8/8/8/1k6/1q6/K7 w - - 0 1") == lost_in(0));
}

BOOST_AUTO_TEST_CASE(a_value_that_does_not_follow_from_the_moves_is_found) {
    TableSet set = solved({ending("KRvK")});
    const auto first_wrong = [&](const Value from, const Value to) {
        auto changed = std::make_shared<DistanceTable>(*set.find(ending("KRvK").counts()));
        changed->for_each([&](Color side, const Squares& squares) {
            if (changed->value(side, squares) == from)
                changed->set(side, squares, to);
        });
        TableSet other = set;
        other.add(std::move(changed));
        const MoveCheck found = check_moves(ending("KRvK"), other, 10'000);
        BOOST_TEST(found.positions == 10'000U);
        BOOST_TEST(found.first_wrong.empty() == (found.wrong == 0));
        return found.wrong > 0;
    };
    BOOST_TEST(!first_wrong(won_in(9), won_in(9)));
    BOOST_TEST(first_wrong(won_in(9), won_in(11)));
    BOOST_TEST(first_wrong(lost_in(8), Value{0}));
    BOOST_TEST(first_wrong(Illegal, Value{0}));
}

BOOST_AUTO_TEST_CASE(pawns_on_both_sides_know_en_passant, *boost::unit_test::label("slow")) {
    const TableSet set = solved({ending("KPvKP")});
    BOOST_TEST(set.result(*engine::Position::from_fen("1k1K4/8/8/pP6/8/8/8/8 w - a6 0 1")) == 0);
    const auto longest = summarise(*set.find(ending("KPvKP").counts()));
    BOOST_TEST(longest.side[engine::White].longest(true) == 27);
    BOOST_TEST(longest.side[engine::White].results[2] == 1'606'514U);
    BOOST_TEST(longest.side[engine::Black].results[2] == 1'606'514U);
    BOOST_TEST(check_moves(ending("KPvKP"), set, 50'000).wrong == 0U);
    // A pawn must not step past one that then wins by taking it.
    int checked = 0;
    for (const std::string_view fen :
         {"7k/8/8/8/2p5/8/1P6/3K4 w - - 0 1", "8/8/8/8/5p2/8/4P1k1/K7 w - - 0 1"}) {
        const engine::Position pos = *engine::Position::from_fen(fen);
        int best = -1;
        for (const engine::Move m : engine::legal_moves(pos)) {
            engine::Position next = pos;
            next.make(m);
            best = std::max(best, -set.result(next));
            checked += next.ep_square() != engine::NoSquare;
        }
        BOOST_TEST(best == set.result(pos));
    }
    BOOST_TEST(checked == 2);
}

BOOST_AUTO_TEST_CASE(endings_know_what_they_can_become) {
    const auto names = [](const std::vector<Ending>& endings) {
        std::vector<std::string> all;
        for (const Ending& e : endings)
            all.push_back(e.name());
        std::sort(all.begin(), all.end());
        return all;
    };
    BOOST_TEST((names(ending("KRvKP").successors()) ==
                std::vector<std::string>{
                    "KBvK", "KNvK", "KPvK", "KQvK", "KQvKR", "KRvK", "KRvKB", "KRvKN", "KRvKR"}));
    BOOST_TEST(names(Ending::all()).size() == 35U);
    BOOST_TEST(ending("KvKR").name() == "KRvK");
    BOOST_TEST(ending("KRvKQ").name() == "KQvKR");
    BOOST_TEST(ending("KPvKPP").name() == "KPPvKP");
    const auto pawns = names(with_successors({ending("KPPvKP")}));
    BOOST_TEST(std::count_if(pawns.begin(), pawns.end(), [](const std::string& name) {
                   return name.size() == 6;
               }) == 75);
    for (const std::string_view name : {"", "KvK", "KRRvKRR", "KRK", "KXvK"})
        BOOST_TEST(!Ending::from_name(name));
}

BOOST_AUTO_TEST_CASE(files_are_used_again_and_damage_is_refused) {
    const Folder folder;
    const RetroPlan plan{.folder = folder.path().string(),
                         .endings = {ending("KPvK"), ending("KQvK"), ending("KQvK")},
                         .threads = 2};
    const TableSet set = solve_all(plan);
    for (const std::string_view name : {"KPvK", "KQvK"})
        BOOST_TEST(set.find(ending(name).counts()) != nullptr);
    for (const std::string_view name : {"KRvK", "KBvK", "KNvK"})
        BOOST_TEST(set.wins(ending(name)) != nullptr);
    const std::string path = (folder / "KQvK.retro").string();
    const std::string good = *tools::read_bytes(path);
    const auto loaded = DistanceTable::load(path, ending("KQvK"));
    BOOST_TEST_REQUIRE(loaded.has_value());
    bool same = true;
    loaded->for_each([&](Color side, const Squares& squares) {
        same = same && loaded->value(side, squares) ==
                           set.find(ending("KQvK").counts())->value(side, squares);
    });
    BOOST_TEST(same);
    BOOST_TEST(!DistanceTable::load(path, ending("KRvK")));
    std::string damaged = good;
    damaged[good.size() / 2] = static_cast<char>(damaged[good.size() / 2] ^ 1);
    std::string of_version_1 = good;
    of_version_1.at(good.find("2\n")) = '1';
    for (const std::string& bytes : {damaged,
                                     of_version_1,
                                     good + '\0',
                                     good.substr(0, good.size() - 9),
                                     good.substr(1),
                                     good.substr(0, 40),
                                     std::string()}) {
        BOOST_TEST_REQUIRE(tools::replace_file(path, bytes).has_value());
        BOOST_TEST(!DistanceTable::load(path, ending("KQvK")));
        BOOST_CHECK_THROW(solve_all(plan), tools::Failure);
    }
    // What a stopped run left out is solved by the next one.
    std::filesystem::remove(path);
    solve_all(plan);
    BOOST_TEST((*tools::read_bytes(path) == good));
}

BOOST_AUTO_TEST_CASE(results_come_back_from_a_file) {
    const Folder folder;
    const std::string path = (folder / "KRvKN.wins").string();
    TableSet set = solved({ending("KRvKN")});
    const auto table = set.find(ending("KRvKN").counts());
    BOOST_TEST_REQUIRE(set.wins(ending("KRvKN"))->save(path).has_value());
    const Result<Wins> loaded = Wins::load(path, ending("KRvKN"));
    BOOST_TEST_REQUIRE(loaded.has_value());
    std::uint64_t different = 0;
    table->for_each([&](Color side, const Squares& squares) {
        const Value v = table->value(side, squares), found = loaded->value(side, squares);
        different += sign(v) != sign(found) || (v == Illegal) != (found == Illegal) ? 1U : 0U;
    });
    BOOST_TEST(different == 0U);
    BOOST_TEST(!Wins::load(path, ending("KRvKB")));
    BOOST_TEST(!DistanceTable::load(path, ending("KRvKN")));
    const std::string good = *tools::read_bytes(path);
    BOOST_TEST_REQUIRE(tools::replace_file(path, good.substr(0, good.size() / 2)).has_value());
    BOOST_TEST(!Wins::load(path, ending("KRvKN")));
}

// They are not solved again, and what is named is not solved with them.
BOOST_AUTO_TEST_CASE(damaged_results_are_refused_where_they_are_needed) {
    const Folder folder;
    for (const char* name : {"KQNvKN", "KRNvKN", "KBNvKN", "KNNvKN"})
        BOOST_TEST_REQUIRE(
            tools::replace_file((folder / name).string() + ".wins", "Nutcracker wins 1\n")
                .has_value());
    const RetroPlan plan{
        .folder = folder.path().string(), .endings = {ending("KNPvKN")}, .threads = 2};
    BOOST_CHECK_EXCEPTION(solve_all(plan), tools::Failure, [](const tools::Failure& failure) {
        return std::string_view(failure.what()).find(".wins: not a table of") !=
               std::string_view::npos;
    });
    const std::filesystem::directory_iterator files(folder.path());
    BOOST_TEST(std::distance(begin(files), end(files)) == 4);
}

// Also two endings at a time.
BOOST_AUTO_TEST_CASE(five_men_are_solved_like_fewer, *boost::unit_test::label("slow")) {
    const Folder folder;
    const TableSet set = solve_all({.folder = folder.path().string(),
                                    .endings = {ending("KNNvKN")},
                                    .threads = 2,
                                    .successors = true});
    BOOST_TEST(std::filesystem::exists(folder / "KNNvKN.retro"));
    BOOST_TEST(check_moves(ending("KNNvKN"), set, 20'000).wrong == 0U);
}

BOOST_AUTO_TEST_CASE(a_solution_can_be_stopped) {
    BOOST_CHECK_THROW(solve(ending("KRvK"), {}, [] { return true; }), Interrupted);
    std::atomic<int> asked{0};
    BOOST_CHECK_THROW(solve(ending("KRvK"), {}, [&] { return ++asked > 5; }), Interrupted);
}

BOOST_AUTO_TEST_SUITE_END()

// The learning match: its poisoned books, its games, and its report.
#include "engine/board/notation.h"
#include "tests/folder.h"
#include "tools/common/files.h"
#include "tools/lab/learning/learning_run.h"
#include "tools/lab/learning/series_report.h"
#include "tools/lab/learning/subcommands.h"

#include <algorithm>
#include <fstream>

#include <boost/test/unit_test.hpp>

using namespace tools::learning;
using tools::elo_of;
using tools::mean_of;
using tools::Measured;

namespace {

template <typename T>
T must(Result<T> result) {
    BOOST_TEST_REQUIRE(result.has_value(), (result ? "" : result.error().what));
    return std::move(*result);
}

std::unique_ptr<engine::Searcher> searcher() {
    return tools::make_single_threaded(1);
}

// A book of a few lines with their number of games, half of them won by White.
book::Store lines_book(const std::vector<std::pair<std::vector<const char*>, int>>& lines) {
    book::Store store(":memory:", true);
    std::vector<book::KeyedEdge> edges;
    for (const auto& [moves, games] : lines) {
        engine::Position pos;
        for (const char* const san : moves) {
            const engine::Move m = engine::parse_move(pos, san).value();
            edges.push_back({.key = pos.key(),
                             .edge = {.move = book::store(m, pos.side_to_move()),
                                      .white = games / 2,
                                      .black = games - games / 2}});
            pos.make(m);
        }
    }
    store.positions.add_edges(edges, false);
    return store;
}
book::Store small_book() {
    return lines_book({{{"e4", "e5", "Nf3", "Nc6"}, 100}, {{"d4", "d5", "c4"}, 60}});
}

Series series(bool poisoned, bool learn, std::uint64_t seed) {
    Series s;
    s.rules = {.poisoned = poisoned, .learn = learn, .seed = seed, .games = 1'000};
    s.complete = true;
    for (int i = 1; i <= 1'000; ++i)
        s.games.push_back({.number = i, .book_moves = 4, .exit_ply = 8});
    return s;
}
// Makes `s` a run with the results that learning should have.
void improve(Series& s, int exit_gain, double score_gain) {
    for (GameRow& row : s.games) {
        row.poisoned = row.number <= 200 ? 1 : 0;
        if (row.number > 900) {
            row.exit_cp = exit_gain;
            row.score = 0.5 + score_gain;
        }
    }
}
bool passed(const std::vector<Check>& rows, const std::string& part) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&part](const Check& v) {
        return v.what.find(part) != std::string::npos;
    });
    BOOST_TEST_REQUIRE((row != rows.end()), part);
    return row->passed;
}

std::vector<GameRow> play(const Rules& rules, const std::filesystem::path& file) {
    Participants participants{.ours = searcher(),
                              .theirs = searcher(),
                              .judge = Judge(searcher(), 100),
                              .clean = small_book(),
                              .poisoned = {}};
    std::vector<GameRow> rows;
    play_run(rules, file, participants, [&rows](const GameRow& row) {
        rows.push_back(row);
        return true;
    });
    return rows;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(a_series_survives_its_text) {
    const Rules rules{.poisoned = false, .seed = 7, .games = 2};
    const GameRow first{.number = 1, .score = 1, .plies = 80, .book_moves = 5, .poisoned = 1};
    const GameRow second{.number = 2, .side = engine::Black, .exit_ply = 11, .exit_cp = -37};
    const std::string text = heading(rules) + to_text(first) + '\n' + to_text(second) + '\n';
    Series read = must(series_from_text(text));
    BOOST_TEST((read.rules == rules));
    BOOST_TEST((read.games == std::vector{first, second}));
    BOOST_TEST(!read.complete);
    read = must(series_from_text(text + CompleteMark));
    BOOST_TEST(read.complete);
}

BOOST_AUTO_TEST_CASE(a_damaged_series_is_refused) {
    const std::string head = heading({});
    BOOST_TEST(!series_from_text("").has_value());
    BOOST_TEST(!series_from_text(head + "nonsense\n").has_value());
    GameRow row{.number = 2};  // the first is missing
    BOOST_TEST(!series_from_text(head + to_text(row) + '\n').has_value());
    BOOST_TEST(series_from_text(head).has_value());
}

BOOST_AUTO_TEST_CASE(errors_come_from_the_differences_between_runs) {
    const Measured m = mean_of({1, 2, 3, 4});
    BOOST_TEST(m.mean == 2.5);
    BOOST_TEST(m.error == 0.6455, boost::test_tools::tolerance(1e-4));
    BOOST_TEST(mean_of({5}).error == 0);
    const Measured elo = elo_of({.mean = 10.0 / 11, .error = 0.01});
    BOOST_TEST(elo.mean == 400, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(elo.error == 21.02, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(games_outside_the_window_do_not_count) {
    Series s = series(true, true, 1);
    improve(s, 50, 0.2);
    BOOST_TEST(measure({&s}, Quantity::ExitScore, 901, 1'000).mean == 50);
    BOOST_TEST(measure({&s}, Quantity::ExitScore, 801, 1'000).mean == 25);
    BOOST_TEST(measure({&s}, Quantity::PoisonedMoves, 1, 100).mean == 0.25);
    BOOST_TEST(measure({&s}, Quantity::PoisonedGames, 1, 400).mean == 0.5);
    s.games[950].exit_ply.reset();  // never left the book: nothing to score
    BOOST_TEST(measure({&s}, Quantity::ExitScore, 901, 1'000).mean == 50);
}

BOOST_AUTO_TEST_CASE(a_check_follows_the_measures) {
    std::vector<Series> all{series(true, true, 1), series(true, false, 1)};
    improve(all[0], 45, 0.1);
    for (GameRow& row : all[1].games)
        row.poisoned = 1;
    std::vector<Check> rows = checks(all);
    BOOST_TEST(rows.size() == 5);  // no requirement for the clean book
    BOOST_TEST(std::all_of(rows.begin(), rows.end(), [](const Check& v) { return v.passed; }));

    improve(all[0], 35, 0.02);
    rows = checks(all);
    BOOST_TEST(!passed(rows, "exit score"));
    BOOST_TEST(!passed(rows, "last tenth"));
    BOOST_TEST(passed(rows, "poisoned moves"));
    all[0].games[500].poisoned = 4;
    for (std::size_t i = 300; i < 600; ++i)
        all[0].games[i].poisoned = 1;
    BOOST_TEST(!passed(checks(all), "poisoned moves"));

    all.push_back(series(false, true, 1));
    all.push_back(series(false, false, 1));
    BOOST_TEST(passed(checks(all), "clean"));
    for (GameRow& row : all[2].games)
        row.score = 0.48;
    BOOST_TEST(!passed(checks(all), "clean"));
    all[2].complete = false;  // a run that is not finished proves nothing
    BOOST_TEST(checks(all).size() == 5);
}

BOOST_AUTO_TEST_CASE(a_report_names_what_failed_and_shows_every_hundred) {
    const std::vector<Series> all{series(true, true, 1), series(true, false, 1)};
    const std::string text = report_text(all, "the command", "picture.svg");
    BOOST_TEST(text.find("`the command`") != std::string::npos);
    BOOST_TEST(text.find("**failed**") != std::string::npos);
    BOOST_TEST(text.find("| 901-1000 |") != std::string::npos);
    const std::string curves = report_curves(all);
    BOOST_TEST(curves.starts_with("# The learning match\n"));
    BOOST_TEST(curves.ends_with("\n"));
    BOOST_TEST(std::count(curves.begin(), curves.end(), '\n') == 3 + 2 * 3 * 10);
    BOOST_TEST(curves.find("nan") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_poisoned_book_recommends_worse_moves_as_strongly) {
    book::Store clean = small_book();
    book::Store target(":memory:", true);
    Judge quick(searcher(), 300), deep(searcher(), 1'000);
    const PoisonRules rules{.share = 1, .nodes = 300, .deep_nodes = 1'000};
    const std::vector<Poison> poisons =
        poison(clean, target, rules, quick, deep, [](std::size_t, std::size_t) {});
    BOOST_TEST_REQUIRE(!poisons.empty());
    for (const Poison& p : poisons) {
        BOOST_TEST(p.loss >= rules.min_loss);
        BOOST_TEST(p.loss <= rules.max_loss);
        BOOST_TEST(p.position.is_legal(p.move));
        const std::vector<book::Edge> before = clean.positions.edges(p.position.key());
        const std::vector<book::Edge> after = target.positions.edges(p.position.key());
        BOOST_TEST(before.size() == after.size());
        const auto has = [](const std::vector<book::Edge>& edges, engine::Move m) {
            return std::any_of(edges.begin(), edges.end(), [m](const book::Edge& e) {
                return book::stored_move(e.move) == m;
            });
        };
        BOOST_TEST(has(before, p.replaced));
        BOOST_TEST(!has(after, p.replaced));
        BOOST_TEST(has(after, p.move));
        for (const book::Edge& e : after)
            if (book::stored_move(e.move) == p.move) {
                BOOST_TEST(e.games() == p.games);
                const bool white = p.position.side_to_move() == engine::White;
                const auto wins = static_cast<double>(white ? e.white : e.black);
                const auto points = wins + static_cast<double>(e.draws) / 2;
                BOOST_TEST(points / static_cast<double>(p.games) == rules.score,
                           boost::test_tools::tolerance(0.05));
            }
        const Poison read = must(poison_from_text(to_text(p)));
        BOOST_TEST(read.position.key() == p.position.key());
        BOOST_TEST((read.move == p.move && read.replaced == p.replaced && read.loss == p.loss));
    }
}

BOOST_AUTO_TEST_CASE(without_poison_the_copy_is_the_book) {
    book::Store clean = small_book();
    book::Store target(":memory:", true);
    Judge quick(searcher(), 100), deep(searcher(), 100);
    const auto poisons =
        poison(clean, target, {.share = 0}, quick, deep, [](std::size_t, std::size_t) {});
    BOOST_TEST(poisons.empty());
    BOOST_TEST(target.positions.counts().edges == clean.positions.counts().edges);
    BOOST_TEST(positions_in(target).size() == 6);
}

BOOST_AUTO_TEST_CASE(equal_seeds_give_equal_runs) {
    const Rules rules{.poisoned = false, .seed = 3, .games = 4, .nodes = 30, .exit_nodes = 100};
    const std::vector<GameRow> first = play(rules, ":memory:"), second = play(rules, ":memory:");
    BOOST_TEST(first.size() == 4);
    BOOST_TEST((first == second));
    BOOST_TEST((first[0].side == engine::White && first[1].side == engine::Black));
    Rules other = rules;
    other.seed = 4;
    BOOST_TEST((play(other, ":memory:") != first));
}

BOOST_AUTO_TEST_CASE(no_command_takes_the_place_of_its_book) {
    const Folder folder;
    const std::string book = (folder / "poisoned-1.db").string();
    (void)book::Store(book, true);
    const auto size = std::filesystem::file_size(book);
    const auto fails = [](const tools::Failure& f) { return f.code == 1; };
    BOOST_CHECK_EXCEPTION(
        command::poison({"--book", book, "--out", folder.path().string()}), tools::Failure, fails);
    const std::string out = (folder / "poisoned-1.tsv").string();
    BOOST_CHECK_EXCEPTION(
        command::play({"--clean", book, "--book", book, "--out", out}), tools::Failure, fails);
    BOOST_TEST(std::filesystem::file_size(book) == size);
}

BOOST_AUTO_TEST_CASE(a_finished_run_is_not_replaced_by_one_with_other_options) {
    const Folder folder;
    const std::string book = (folder / "clean.db").string(), out = (folder / "run.tsv").string();
    (void)book::Store(book, true);
    const auto run = [&](const char* games) {
        return command::play({"--clean",
                              book,
                              "--book",
                              book,
                              "--out",
                              out,
                              "--games",
                              games,
                              "--nodes",
                              "20",
                              "--exit-nodes",
                              "20"});
    };
    BOOST_TEST(run("2") == 0);
    const std::string played = must(tools::read_bytes(out));
    BOOST_TEST(run("2") == 0);
    BOOST_CHECK_EXCEPTION(
        run("3"), tools::Failure, [](const tools::Failure& f) { return f.code == 1; });
    BOOST_TEST(must(tools::read_bytes(out)) == played);
}

BOOST_AUTO_TEST_CASE(errors_have_exit_code_1_and_wrong_use_2) {
    const Folder folder;
    const std::string file = (folder / "file").string(), out = (folder / "out").string();
    std::ofstream(file) << "neither a book nor a table of openings";
    const auto code_of = [](int (*run)(const tools::Words&), const tools::Words& words) {
        try {
            return run(words);
        } catch (const tools::Failure& failure) {
            return failure.code;
        }
    };
    BOOST_TEST(code_of(command::games, {"--openings", file}) == 1);
    BOOST_TEST(code_of(command::games, {"--openings", file, "--games", "0"}) == 2);
    BOOST_TEST(code_of(command::poison, {"--book", file, "--out", out}) == 1);
    BOOST_TEST(code_of(command::poison, {"--book", file, "--out", out, "--score", "2"}) == 2);
    BOOST_TEST(code_of(command::play, {"--clean", file, "--book", file, "--out", out}) == 1);
    BOOST_TEST(code_of(command::report, {"--folder", out, "--out", out}) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

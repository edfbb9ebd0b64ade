// The learning match against foreign engines: engines that break down, runs that go on, the report.
#include "book/book.h"
#include "book/store/store.h"
#include "engine/platform/file.h"
#include "engine/platform/program.h"
#include "tests/folder.h"
#include "tests/system.h"
#include "tools/common/files.h"
#include "tools/lab/learning/foreign_report.h"
#include "tools/lab/learning/foreign_run.h"
#include "tools/lab/learning/judge.h"
#include "tools/lab/learning/series.h"
#include "tools/lab/learning/subcommands.h"

#include <fstream>

#include <boost/test/unit_test.hpp>

using namespace tools::learning;
using namespace std::chrono_literals;
namespace match = tools::match;

namespace {

template <typename T>
T must(Result<T> result) {
    BOOST_TEST_REQUIRE(result.has_value(), (result ? "" : result.error().what));
    return std::move(*result);
}

// fake_engine.cpp with a behaviour; it plays the moves first.
match::EngineSpec fake(const std::string& name, std::vector<std::string> words) {
    match::EngineSpec spec;
    spec.name = name;
    spec.protocol = words.at(0) == "uci" ? match::Protocol::Uci : match::Protocol::Xboard;
    spec.command.words = {std::filesystem::absolute(FAKE_ENGINE).string()};  // runs elsewhere
    spec.command.words.insert(spec.command.words.end(), words.begin(), words.end());
    spec.time.depth = 1;
    return spec;
}

struct Match {
    Folder folder;
    ForeignRules rules{.games = 4, .nodes = 20};
    ForeignSetup setup{.patience = 60s};
    std::filesystem::path out = folder / "run.tsv";

    Match() { engine::platform::ignore_broken_pipes(); }
    void add(const std::string& name, const std::vector<std::string>& words) {
        rules.against.push_back(name);
        setup.opponents.push_back(fake(name, words));
    }
    [[nodiscard]] bool play() const { return play_or_resume(rules, setup, out); }
    [[nodiscard]] ForeignSeries result() const {
        return must(foreign_series_from_text(must(tools::read_bytes(out.string()))));
    }
    [[nodiscard]] std::int64_t learned() const {
        const auto book = must(
            book::Book::open({.experience = folder / "run.db", .base = {}, .read_only = true}));
        return must(book->stats()).own_games;
    }
};

// Complete runs of one game after the other with these scores; all moves differ.
ForeignSeries series(Start start, bool learn, const std::vector<double>& scores) {
    ForeignSeries s;
    s.rules = {.start = start,
               .learn = learn,
               .games = static_cast<int>(scores.size()),
               .against = {"one", "two"}};
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const int number = static_cast<int>(i) + 1;
        s.games.push_back({.number = number,
                           .opponent = opponent_in(s.rules, number),
                           .side = side_in(number),
                           .score = scores[i],
                           .exit_ply = 4,
                           .moves = i,
                           .opening = "e2e4"});
    }
    s.complete = true;
    return s;
}
// Half of the points, but `last` in the last third.
std::vector<double> scores(std::size_t games, double last) {
    std::vector<double> all(games, 0.5);
    for (std::size_t i = 2 * games / 3; i < games; ++i)
        all[i] = last;
    return all;
}

bool passed(const std::vector<Check>& rows, const std::string& part) {
    for (const Check& row : rows)
        if (row.what.find(part) != std::string::npos)
            return row.passed;
    BOOST_FAIL("no requirement: " + part);
    return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(foreign_engines, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(a_run_survives_its_text) {
    const ForeignRules rules{.start = Start::Base,
                             .learn = false,
                             .seed = 7,
                             .games = 2,
                             .variation = 0,
                             .exit_nodes = 9,
                             .book = "00ff",
                             .against = {"toga2 proto=uci depth=4", "cmd='x y' nodes=5"}};
    const ForeignRow first{.number = 1, .score = 1, .plies = 80, .exit_ply = 6, .moves = ~0ULL};
    const ForeignRow second{.number = 2,
                            .opponent = 1,
                            .side = engine::Black,
                            .exit_cp = -37,
                            .opening = "g8f6,d7d5",
                            .fault = "illegal move"};
    const std::string text = heading(rules) + to_text(first) + '\n' + to_text(second) + '\n';
    ForeignSeries read = must(foreign_series_from_text(text));
    BOOST_TEST((read.rules == rules));
    BOOST_TEST((read.games == std::vector{first, second}));
    BOOST_TEST(!read.complete);
    BOOST_TEST(must(foreign_series_from_text(text + CompleteMark)).complete);
    BOOST_TEST(name_of(rules) == "repeat-base-control-7");

    std::string older = text;
    older.erase(older.find("# exit-nodes"), std::string("# exit-nodes 9\n").size());
    BOOST_TEST(must(foreign_series_from_text(older)).rules.exit_nodes == 0);

    BOOST_TEST(must(foreign_series_from_text(text.substr(0, text.size() - 3))).games.size() == 1);
    BOOST_TEST(!foreign_series_from_text("").has_value());
    BOOST_TEST(!foreign_series_from_text(text + "nonsense\n").has_value());
    BOOST_TEST(!foreign_series_from_text(heading(rules) + to_text(second) + '\n').has_value());
    BOOST_TEST(!foreign_series_from_text("# colour blue\n" + text).has_value());
}

BOOST_AUTO_TEST_CASE(opponents_take_turns_with_both_colours) {
    const ForeignRules rules{.against = {"a", "b", "c"}};
    std::vector<std::size_t> turns;
    for (int number = 1; number <= 7; ++number)
        turns.push_back(opponent_in(rules, number));
    BOOST_TEST((turns == std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 0}));
    BOOST_TEST((side_in(1) == engine::White && side_in(2) == engine::Black));
}

BOOST_AUTO_TEST_CASE(an_engine_that_breaks_down_does_not_stop_the_run) {
    Match m;
    m.add("crashing", {"cecp", "crash"});
    m.add("illegal", {"uci", "illegal"});
    m.add("illegal too", {"cecp", "illegal"});
    m.add("crashing too", {"uci", "crash"});
    m.add("resigning", {"cecp", "resign"});
    m.rules.games = 10;
    BOOST_TEST(m.play());
    const ForeignSeries run = m.result();
    BOOST_TEST(run.complete);
    std::vector<std::string> faults;
    for (const ForeignRow& row : run.games)
        faults.push_back(row.fault);
    const std::vector<std::string> expected{"crash",
                                            "crash",  // started again
                                            "illegal move",
                                            "illegal move",
                                            "illegal move",
                                            "illegal move",
                                            "crash",
                                            "crash",
                                            "",
                                            ""};
    BOOST_TEST(faults == expected, boost::test_tools::per_element());
    BOOST_TEST(run.games[8].score == 1);
    BOOST_TEST(run.games[9].score == 1);
    BOOST_TEST(m.learned() == 1);  // not a game with a fault, nor one without a move
}

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_started_ends_the_run_before_it_begins) {
    if (test_system::is_emulated())
        return;
    Match m;
    m.add("resigning", {"cecp", "resign"});
    m.add("missing", {"uci", ""});
    m.setup.opponents.back().command.words = {"/no/such/engine"};
    BOOST_CHECK_EXCEPTION((void)m.play(), tools::Failure, [](const tools::Failure& f) {
        return std::string(f.what()).find("/no/such/engine") != std::string::npos;
    });
    const std::string part = m.out.string() + ".part";
    BOOST_TEST((!std::filesystem::exists(part) ||
                must(tools::read_bytes(part)).find("\n1\t") == std::string::npos));
}

BOOST_AUTO_TEST_CASE(an_engine_may_write_what_it_learned_before_it_ends) {
    for (const bool restart : {false, true}) {
        Match m;
        m.add("learning", {"cecp", "diary"});
        m.setup.opponents.back().restart = restart;
        m.rules.games = 2;
        BOOST_TEST(m.play());
        const std::string diary = (m.folder / "run.work" / "diary").string();
        BOOST_TEST(must(tools::read_bytes(diary)) == (restart ? "quit\nquit\n" : "quit\n"));
    }
}

BOOST_AUTO_TEST_CASE(an_engine_that_is_silent_costs_no_more_than_its_time) {
    Match m;
    m.add("silent", {"cecp", "hang"});
    m.setup.patience = 50ms;
    m.rules.games = 2;
    BOOST_TEST(m.play());
    for (const ForeignRow& row : m.result().games)
        BOOST_TEST(row.fault == "stall");
    BOOST_TEST(m.learned() == 0);
}

BOOST_AUTO_TEST_CASE(a_run_that_was_stopped_goes_on) {
    Match m;
    m.add("resigning", {"cecp", "resign", "e7e5"});
    BOOST_TEST(m.play());
    const std::string whole = must(tools::read_bytes(m.out.string()));
    BOOST_TEST(m.learned() == 2);  // as White it makes an illegal move

    // As if it was killed while it wrote the third game.
    const std::filesystem::path part = m.out.string() + ".part";
    const std::size_t third = whole.find("\n3\t") + 1;
    std::ofstream(part, std::ios::binary) << whole.substr(0, third + 4);
    std::filesystem::remove(m.out);
    BOOST_TEST(m.play());
    const std::string rest = must(tools::read_bytes(m.out.string()));
    BOOST_TEST(rest.substr(0, third) == whole.substr(0, third));
    BOOST_TEST(m.result().complete);
    BOOST_TEST(m.result().games.size() == 4);
    BOOST_TEST(!std::filesystem::exists(part));
    BOOST_TEST(m.learned() == 2);  // each game once

    // A finished run is not played again: this engine would not resign.
    m.setup.opponents = {fake("resigning", {"cecp", "crash"})};
    BOOST_TEST(m.play());
    BOOST_TEST(must(tools::read_bytes(m.out.string())) == rest);
    m.rules.book = "another";
    BOOST_CHECK_THROW((void)m.play(), tools::Failure);
    m.rules.book.clear();
    m.rules.nodes += 1;
    BOOST_CHECK_THROW((void)m.play(), tools::Failure);
    BOOST_TEST(must(tools::read_bytes(m.out.string())) == rest);
}

BOOST_AUTO_TEST_CASE(a_run_does_not_take_the_place_of_its_book) {
    for (const bool base : {false, true}) {
        Match m;
        m.add("resigning", {"cecp", "resign"});
        (void)book::Store(m.folder / "run.db", true);
        const std::string before = must(tools::read_bytes((m.folder / "run.db").string()));
        m.rules.start = base ? Start::Base : Start::Cold;
        (base ? m.setup.base : m.setup.start_book) = m.folder / "." / "run.db";
        BOOST_CHECK_EXCEPTION((void)m.play(), tools::Failure, [](const tools::Failure& f) {
            return std::string(f.what()).find("is the book to read") != std::string::npos;
        });
        BOOST_TEST_REQUIRE(std::filesystem::exists(m.folder / "run.db"));
        BOOST_TEST((must(tools::read_bytes((m.folder / "run.db").string())) == before));
    }
}

BOOST_AUTO_TEST_CASE(a_run_is_played_by_one_program_at_a_time) {
    using engine::platform::File;
    Match m;
    m.add("resigning", {"cecp", "resign"});
    std::filesystem::create_directory(m.folder / "run.work");
    std::optional<File> other(File(m.folder / "run.work" / "in-use.lock", File::Mode::Create));
    BOOST_TEST_REQUIRE(other->try_lock());
    BOOST_CHECK_EXCEPTION((void)m.play(), tools::Failure, [](const tools::Failure& f) {
        return std::string(f.what()).find("is in use") != std::string::npos;
    });
    BOOST_TEST(!std::filesystem::exists(m.folder / "run.db"));
    other.reset();
    BOOST_TEST(m.play());
}

BOOST_AUTO_TEST_CASE(a_longer_search_scores_where_the_book_was_left) {
    Match m;
    m.add("resigning", {"cecp", "resign"});
    m.rules.exit_nodes = 1'000;
    BOOST_TEST(m.play());
    Judge judge(tools::make_single_threaded(4), m.rules.exit_nodes);
    const ForeignRow first = m.result().games.at(0);
    BOOST_TEST_REQUIRE((first.exit_ply == 0));
    BOOST_TEST(first.exit_cp == judge.score(engine::Position()));
}

BOOST_AUTO_TEST_CASE(a_control_learns_nothing_and_no_book_leaves_none) {
    Match m;
    m.add("resigning", {"cecp", "resign"});
    m.rules.learn = false;
    BOOST_TEST(m.play());
    BOOST_TEST(m.learned() == 0);
    Match none;
    none.add("resigning", {"cecp", "resign"});
    none.rules.start = Start::NoBook;
    none.rules.learn = false;
    BOOST_TEST(none.play());
    BOOST_TEST(none.result().games.size() == 4);
    BOOST_TEST(!std::filesystem::exists(none.folder / "run.db"));
}

BOOST_AUTO_TEST_CASE(repeated_games_are_counted_apart) {
    ForeignSeries s = series(Start::Cold, true, {1, 0, 1, 0, 1, 0});
    BOOST_TEST(share_repeated({&s}, {}) == 0);
    s.games[4].moves = 0;  // game 1 once more, against the same opponent
    s.games[2].moves = 0;  // against the other one: no repeat
    BOOST_TEST(share_repeated({&s}, {}) == 1.0 / 6);
    BOOST_TEST(share_repeated({&s}, {.opponent = 0}) == 1.0 / 4);
    BOOST_TEST(score_of({&s}, {}).mean == 0.5);
    BOOST_TEST(score_of({&s}, {.without_repeats = true}).mean == 0.4);
    BOOST_TEST(score_of({&s}, {.first = 5, .last = 5}).mean == 1);
    s.games[1].fault = "stall";
    BOOST_TEST(score_of({&s}, {}).mean == 0.6);
}

BOOST_AUTO_TEST_CASE(openings_are_counted_in_the_last_hundred_games_by_colour) {
    ForeignSeries s = series(Start::Cold, true, scores(300, 0.5));
    BOOST_TEST(openings_in_last_hundred({&s}) == 2);  // one for each colour
    s.games[100].opening = "c2c4";                    // too long ago
    s.games[200].opening = "d2d4";
    BOOST_TEST(openings_in_last_hundred({&s}) == 3);
}

BOOST_AUTO_TEST_CASE(requirements_compare_the_last_thirds) {
    std::vector<ForeignSeries> all{series(Start::Cold, true, scores(300, 0.6)),
                                   series(Start::Cold, false, scores(300, 0.5)),
                                   series(Start::Base, true, scores(300, 0.52)),
                                   series(Start::NoBook, false, scores(300, 0.5))};
    std::vector<Check> rows = foreign_checks(all);
    BOOST_TEST(passed(rows, "cold-learning less cold-control"));
    BOOST_TEST(!passed(rows, "base-learning less nobook"));  // 14 Elo
    BOOST_TEST(passed(rows, "repeated games, cold-learning"));
    for (ForeignRow& row : all[0].games)
        row.moves %= 280;
    rows = foreign_checks(all);
    BOOST_TEST(!passed(rows, "repeated games, cold-learning"));

    for (ForeignSeries& s : all)
        s.rules.variation = 0;
    rows = foreign_checks(all);
    BOOST_TEST(!passed(rows, "cold-learning less cold-control, games 201 to 300"));  // 70 Elo
    BOOST_TEST(!passed(rows, "openings"));
    all[0].complete = false;  // a run that is not finished proves nothing
    BOOST_TEST(foreign_checks(all).size() == 1);
}

BOOST_AUTO_TEST_CASE(the_report_has_every_kind_and_every_opponent) {
    std::vector<ForeignSeries> all{series(Start::Cold, true, scores(300, 0.6)),
                                   series(Start::Cold, false, scores(300, 0.5))};
    all[0].games[7].fault = "crash";
    const std::string text = foreign_report(all, "the command");
    for (const char* const part :
         {"`the command`",
          "| cold-learning | 1 | 299 | 1 | 50.0 ± 0.0 % | 50.0 ± 0.0 % | 60.0 ± 0.0 % |",
          "| 2.0 | 4.0 | 0.0 ± 0.0 cp |",
          "| cold-control | `two` |",
          "| cold: learning less control | +70 ± 0 Elo |"})
        BOOST_TEST(text.find(part) != std::string::npos, part << "\n" << text);
    BOOST_TEST(text.find("may repeat") == std::string::npos);
    BOOST_TEST(foreign_report({}, "").empty());

    const Folder folder;
    std::string file = heading(all[0].rules);
    for (const ForeignRow& row : all[0].games)
        file += to_text(row) + '\n';
    std::ofstream(folder / "foreign-cold-learning-1.tsv", std::ios::binary) << file + CompleteMark;
    std::ofstream(folder / "foreign-cold-control-1.tsv", std::ios::binary) << file;  // not complete
    const std::string out = (folder / "page").string();
    BOOST_TEST(command::report({"--folder", folder.path().string(), "--out", out, "--note", "n"}) ==
               0);
    const std::string page = must(tools::read_bytes(out + ".md"));
    BOOST_TEST(page.starts_with("# The learning match\n"));
    BOOST_TEST(page.find("| cold-learning | 1 |") != std::string::npos);
    BOOST_TEST(page.find("| cold-control |") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(wrong_words_are_refused_before_anything_is_played) {
    const Folder folder;
    const std::string out = (folder / "run.tsv").string();
    const auto code_of = [](const tools::Words& words) {
        try {
            return command::against(words);
        } catch (const tools::Failure& failure) {
            return failure.code;
        }
    };
    BOOST_TEST(code_of({"--out", out}) == 2);
    BOOST_TEST(code_of({"--out", out, "--against", "engine colour=blue depth=1"}) == 2);
    BOOST_TEST(code_of({"--out", out, "--against", "engine tc=1+0"}) == 2);
    BOOST_TEST(code_of({"--out", out, "--against", "engine"}) == 2);  // no limit
    BOOST_TEST(code_of({"--out", out, "--against", "engine depth=1", "--start", "warm"}) == 2);
    BOOST_TEST(!std::filesystem::exists(out + ".part"));
}

BOOST_AUTO_TEST_SUITE_END()

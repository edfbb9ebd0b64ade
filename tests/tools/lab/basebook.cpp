// The builder of the base book: its searches, values and text.
#include "engine/board/notation.h"
#include "tests/folder.h"
#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/lab/basebook/base_builder.h"
#include "tools/lab/basebook/base_writer.h"
#include "tools/lab/basebook/play_policy.h"

#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include <boost/test/unit_test.hpp>

using namespace tools::basebook;

namespace {

constexpr const char* EngineName = "bench 1 net 2 hash 1";
constexpr std::uint64_t Million = 1'000'000;

BuildRules quick_rules() {
    BuildRules rules;
    rules.ours = rules.theirs = {400, 200, 100};
    rules.rounds = 5;
    rules.round_tasks = 24;
    rules.exits = 20;
    return rules;
}

// The text after a build that begins with the results in the log.
std::string
build(const std::string& log_file, int workers, const BuildRules& rules = quick_rules()) {
    static const MasterCounts counts =
        read_counts(tools::read_bytes(DATA_DIR "/base-counts.tsv").value());
    TaskLog log(log_file, EngineName);
    TaskRunner runner(log, workers, 1, nullptr);
    Builder builder(counts, rules, log);
    while (true) {
        const std::vector<Task> tasks = builder.next_round();
        if (tasks.empty())
            break;
        BOOST_REQUIRE(runner.run(tasks));
        builder.finish_round(tasks);
    }
    tools::BaseText text;
    text.head = {{"tasks", builder.digest()}};
    text.moves = moves_of(builder.graph());
    std::string written = to_text(text);
    BOOST_TEST(tools::read_base_text(written).moves.size() == text.moves.size());
    return written;
}

// A graph made by hand: moves are given as SAN after a node.
struct HandMade {
    BookGraph graph;

    engine::Move move(std::size_t node, const char* san) const {
        return engine::parse_move(graph.nodes[node].position, san).value();
    }
    Edge& edge(std::size_t node, const char* san) {
        Edge& e = graph.edge_of(node, move(node, san));
        e.walked = true;
        return e;
    }
    std::size_t child(std::size_t node, const char* san) { return edge(node, san).child; }
    void score(std::size_t node, const char* best, int cp, std::uint64_t nodes = Million) {
        graph.nodes[node].whole.push_back(
            {.move = move(node, best), .cp = cp, .depth = 10, .nodes = nodes});
    }
    void direct(std::size_t node, const char* san, int cp, std::uint64_t nodes = Million) {
        edge(node, san).direct = {.move = move(node, san), .cp = cp, .depth = 10, .nodes = nodes};
    }
    const Edge& look(std::size_t node, const char* san) {
        return graph.edge_of(node, move(node, san));
    }
};

std::string read(const std::filesystem::path& path) {
    return tools::read_bytes(path.string()).value();
}

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(basebook, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(one_or_two_workers_and_a_kill_give_the_same_book) {
    const Folder folder;
    const std::string one = (folder / "one.log").string(), two = (folder / "two.log").string();
    const std::string text = build(one, 1);
    BOOST_TEST(build(two, 2) == text);
    BOOST_TEST(std::count(text.begin(), text.end(), '\n') > 60);
    // A kill leaves the head of the log, and perhaps the beginning of a line.
    const std::string log = read(two);
    for (const double part : {0.3, 0.7}) {
        const auto size = static_cast<std::size_t>(part * static_cast<double>(log.size()));
        BOOST_TEST_REQUIRE(log[size - 1] != '\n');
        write(folder / "killed.log", log.substr(0, size));
        BOOST_TEST(build((folder / "killed.log").string(), 2) == text);
        BOOST_TEST(build((folder / "killed.log").string(), 1) ==
                   text);  // nothing torn was left in the log
        const std::string again = read(folder / "killed.log");
        BOOST_TEST(std::count(again.begin(), again.end(), '\n') ==
                   std::count(log.begin(), log.end(), '\n'));
    }
}

BOOST_AUTO_TEST_CASE(results_that_the_build_does_not_use_change_nothing) {
    const Folder folder;
    const std::string log = (folder / "tasks.log").string();
    BuildRules longer = quick_rules();
    longer.rounds = 7;
    build(log, 2, longer);
    const std::string text = build(log, 1);
    BOOST_TEST(text == build((folder / "fresh.log").string(), 1));
}

BOOST_AUTO_TEST_CASE(a_log_of_another_search_or_with_a_bad_line_is_refused) {
    const Folder folder;
    const std::string path = (folder / "tasks.log").string();
    {
        TaskLog log(path, EngineName);
        log.add({.key = 1, .bits = 2, .nodes = 3, .excluded = "-"},
                {.move = "e2e4", .cp = -4, .depth = 5, .nodes = 6});
        BOOST_CHECK_THROW(TaskLog(path, EngineName), tools::Failure);  // in use
    }
    const auto found =
        TaskLog(path, EngineName).find({.key = 1, .bits = 2, .nodes = 3, .excluded = "-"});
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->move == "e2e4");
    BOOST_TEST(found->cp == -4);
    BOOST_CHECK_THROW(TaskLog(path, "bench 2 net 2 hash 1"), tools::Failure);
    const std::string good = read(path);
    write(path, good + "1 2 3 - e2e4 4 5\n");
    BOOST_CHECK_EXCEPTION(TaskLog(path, EngineName), tools::Failure, [](const tools::Failure& f) {
        return std::string(f.what()).find("line 3") != std::string::npos;
    });
    BOOST_TEST(read(path) == good + "1 2 3 - e2e4 4 5\n");
}

BOOST_AUTO_TEST_CASE(near_moves_and_the_deviation_are_blended_into_the_value) {
    HandMade made;
    made.graph.nodes[0].ours_done = true;
    made.score(0, "e4", 30);
    made.direct(0, "e4", 30);
    made.score(made.child(0, "d4"), "d5", -20);
    made.direct(0, "c4", 27);
    made.edge(0, "c4").deviation = true;
    made.direct(0, "h4", -40);
    evaluate(made.graph);
    // 0.75 x 30 + 0.25 x (30 / 1 + 22 / 2 + 20 / 3) / (1 + 1 / 2 + 1 / 3)
    BOOST_TEST(made.graph.nodes[0].value == 29, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(made.look(0, "d4").value == 20);
    BOOST_TEST(made.look(0, "d4").walked);
    BOOST_TEST(!made.look(0, "c4").walked);  // the deviation
    BOOST_TEST(!made.look(0, "h4").walked);  // too bad
    BOOST_TEST(made.graph.nodes[0].reach[0] == 1);
    const double shares = made.look(0, "e4").share + made.look(0, "d4").share;
    BOOST_TEST(shares == 1, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_value_is_weighed_by_the_errors_of_leaf_and_subtree) {
    HandMade made;
    made.graph.nodes[0].ours_done = true;
    made.score(0, "e4", 30);
    made.direct(0, "e4", 30);
    const std::size_t e4 = made.child(0, "e4");
    made.graph.nodes[e4].theirs_done = true;
    made.direct(e4, "e5", -30);
    made.score(made.child(e4, "e5"), "Nf3", 10, 4 * Million);
    evaluate(made.graph);
    // Errors: 13 cp of a million nodes, 10 of four million.
    BOOST_TEST(made.graph.nodes[e4].value == -10);
    const double weight = 100.0 / (100 + 169);
    BOOST_TEST(made.look(0, "e4").value == weight * 30 + (1 - weight) * 10,
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(made.look(0, "e4").error == std::sqrt(1.5 / (1 / 100.0 + 1 / 169.0)),
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(made.look(0, "e4").depth == 12);
}

BOOST_AUTO_TEST_CASE(a_transposition_is_one_position_with_shared_effort) {
    HandMade made;
    made.graph.nodes[0].ours_done = true;
    for (const auto& line : {std::array{"Nf3", "Nf6", "d4"}, std::array{"d4", "Nf6", "Nf3"}}) {
        std::size_t node = 0;
        for (const char* const san : line) {
            made.graph.nodes[node].ours_done = made.graph.nodes[node].theirs_done = true;
            made.direct(node, san, 0);
            node = made.child(node, san);
        }
        made.graph.nodes[node].theirs_done = true;
        if (made.graph.nodes[node].whole.empty())
            made.score(node, "g6", 0);
        made.direct(node, "g6", 0);
    }
    evaluate(made.graph);
    const std::size_t after_nf3 = made.child(0, "Nf3"), nf6 = made.child(after_nf3, "Nf6");
    const std::size_t shared = made.child(nf6, "d4");
    BOOST_TEST(made.graph.nodes[shared].ply == 3);
    BOOST_TEST(made.graph.nodes[shared].effort == Million);
    BOOST_TEST(made.graph.nodes[nf6].effort == Million / 2);
    // All ways that lead here add up: both first moves, and the only replies but for what nobody
    // listed.
    BOOST_TEST(made.graph.nodes[shared].reach[0] == 0.98 * 0.6, boost::test_tools::tolerance(1e-9));
    int transpositions = 0;
    for (const tools::BaseMove& m : moves_of(made.graph))
        transpositions += m.transposition ? 1 : 0;
    BOOST_TEST(transpositions == 1);
}

BOOST_AUTO_TEST_CASE(a_way_back_is_a_draw_at_best_and_is_not_walked) {
    HandMade made;
    std::size_t node = 0;
    made.score(0, "Nf3", 25);
    for (const char* const san : {"Nf3", "Nf6", "Ng1", "Ng8"}) {
        made.graph.nodes[node].ours_done = made.graph.nodes[node].theirs_done = true;
        made.direct(node, san, 40);
        node = made.child(node, san);
    }
    BOOST_TEST(node == 0);
    evaluate(made.graph);
    std::size_t last = 0;
    for (const char* const san : {"Nf3", "Nf6", "Ng1"})
        last = made.child(last, san);
    const Edge& back = made.look(last, "Ng8");
    BOOST_TEST(back.back);
    BOOST_TEST(back.value == 0);
    BOOST_TEST(back.share == 0);
    const std::vector<tools::BaseMove> moves = moves_of(made.graph);
    BOOST_TEST_REQUIRE(moves.size() == 4);
    BOOST_TEST(moves.back().kind == 'x');
}

BOOST_AUTO_TEST_CASE(a_line_that_was_given_up_keeps_its_value) {
    HandMade made;
    made.graph.nodes[0].ours_done = true;
    made.score(0, "e4", 30);
    made.direct(0, "e4", 30);
    made.direct(0, "f4", 20);
    const std::size_t f4 = made.child(0, "f4");
    made.graph.nodes[f4].theirs_done = true;
    made.score(f4, "e5", 0);
    made.direct(f4, "e5", 100, 16 * Million);
    for (int i = 0; i < 3; ++i) {
        evaluate(made.graph);
        const Edge& edge = made.graph.edge_of(0, made.move(0, "f4"));
        BOOST_TEST(edge.value < -50);
        BOOST_TEST(!edge.walked);
        BOOST_TEST(edge.share == 0);
    }
    BOOST_TEST(moves_of(made.graph).size() == 2U);
}

BOOST_AUTO_TEST_CASE(our_moves_are_varied_and_never_much_worse) {
    const std::vector<Option> options{
        {30, 68'000}, {28, 55'000}, {27, 15'000}, {22, 11'000}, {-20, 900}, {std::nullopt, 5}};
    const std::vector<double> first = our_policy(options, 1), late = our_policy(options, 6);
    BOOST_TEST(std::accumulate(first.begin(), first.end(), 0.0) == 1,
               boost::test_tools::tolerance(1e-9));
    for (std::size_t i = 0; i < 4; ++i)
        BOOST_TEST(first[i] > 0.02);
    BOOST_TEST(first[0] < 0.6);
    BOOST_TEST(first[4] == 0);
    BOOST_TEST(first[5] == 0);
    BOOST_TEST(late[0] > first[0]);
    const std::vector<double> theirs = their_policy(options, 150'000);
    BOOST_TEST(theirs[4] > 0);
    BOOST_TEST(std::accumulate(theirs.begin(), theirs.end(), 0.0) < 0.981);
}

BOOST_AUTO_TEST_CASE(counts_are_read_back_and_bad_lines_are_refused) {
    const Folder folder;
    std::string games;
    for (int i = 0; i < 3; ++i)
        games += "[Event \"" + std::to_string(i) + "\"]\n[White \"" + std::to_string(i) +
                 "\"]\n\n1. d4 Nf6 2. Nf3 *\n\n[Event \"?\"]\n[Round \"" + std::to_string(i) +
                 "\"]\n\n1. Nf3 Nf6 2. d4 g6 *\n\n";
    write(folder / "games.pgn", games);
    const std::string text =
        count_games({(folder / "games.pgn").string()}, {.min_games = 1, .max_ply = 4}).text;
    BOOST_TEST(text.find("\n3 =") != std::string::npos);
    const MasterCounts counts = read_counts(text);
    BOOST_TEST(counts.games(engine::Position().key()) > 0);
    engine::Position pos;
    for (const char* const san : {"Nf3", "Nf6", "d4"})
        pos.make(engine::parse_move(pos, san).value());
    BOOST_TEST(counts.moves(pos.key()).size() == 1U);
    for (const char* const bad : {"1 e5 3\n", "2 e4 3\n", "1 e4\n", "1 e4 0\n", "1 e4 x\n"})
        BOOST_CHECK_EXCEPTION(
            read_counts("# base counts 1\n" + std::string(bad)),
            tools::Failure,
            [](const tools::Failure& f) { return std::string(f.what()).starts_with("line 2: "); });
    BOOST_CHECK_THROW(read_counts("e4"), tools::Failure);
}

BOOST_AUTO_TEST_SUITE_END()

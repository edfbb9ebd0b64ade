// The commands counts and build.
#include "engine/platform/events.h"
#include "tools/common/base_text.h"
#include "tools/common/files.h"
#include "tools/lab/basebook/base_builder.h"
#include "tools/lab/basebook/base_writer.h"
#include "tools/lab/basebook/basebook_command.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

namespace tools::basebook::command {
namespace {

namespace po = boost::program_options;

struct BuildOptions {
    std::string counts, out, list;
    SearchOptions search;
    BuildRules rules;
    double scale = 1, budget = 0;
};

constexpr std::uint64_t MaxTaskNodes = 10'000'000'000;
constexpr std::size_t ListedMoves = 100;

void apply_scale(BuildOptions& o) {
    const auto scaled = [&o](std::uint64_t nodes) {
        const double wanted = static_cast<double>(nodes) * o.scale;
        if (!(wanted >= 1 && wanted <= static_cast<double>(MaxTaskNodes)))
            throw Failure("build: the nodes of a search must be 1..1e10");
        return static_cast<std::uint64_t>(std::llround(wanted));
    };
    for (auto* const table : {&o.rules.ours, &o.rules.theirs})
        for (std::uint64_t& nodes : *table)
            nodes = scaled(nodes);
    const double budget = o.budget > 0 ? o.budget : 1e11 * o.scale;
    if (budget > 1e15)
        throw Failure("build: --budget-nodes is too large");
    o.rules.budget = static_cast<std::uint64_t>(budget);
}

BuildOptions parse_build(const Words& words) {
    BuildOptions o;
    po::options_description options(
        "Usage: nutcracker-basebook build --counts TABLE --log LOG --out TEXT [OPTION...]\n\n"
        "Builds the base book and writes it after every round of searches. Results are kept in "
        "the\n"
        "log: run the same command again to continue where it was stopped or killed.\n\nOptions");
    auto option = options.add_options();
    option("counts", po::value(&o.counts)->required(), "table of masters' games (command counts)");
    option("out", po::value(&o.out)->required(), "the text to write");
    option("list", po::value(&o.list), "file for a list of our most reached moves");
    option("nodes-a", bound(o.rules.ours[0]), "nodes where we move, at a reach of 0.01 or more");
    option("nodes-b", bound(o.rules.ours[1]), "the same, 0.001 or more");
    option("nodes-c", bound(o.rules.ours[2]), "the same, 0.0002 or more");
    option("their-nodes-a", bound(o.rules.theirs[0]), "nodes where the opponent moves");
    option("their-nodes-b", bound(o.rules.theirs[1]), "the same");
    option("their-nodes-c", bound(o.rules.theirs[2]), "the same");
    option("scale", bound(o.scale), "multiply all these numbers of nodes by this");
    option("budget-nodes",
           bound(o.budget, 0),
           "stop after this number of nodes; 0: 1e11 times the scale");
    option("rounds", bound(o.rules.rounds, 0), "stop after this number of rounds; 0: no limit");
    option("round-tasks", bound(o.rules.round_tasks, 1), "searches in a round");
    option("positions", bound(o.rules.positions), "stop with N positions");
    option("exits", bound(o.rules.exits), "positions after the last move of the book to check");
    add_search_options(options, o.search);
    parse_options({.who = "nutcracker-basebook: build", .words = words}, options);
    apply_scale(o);
    return o;
}

std::string head_nodes(const std::array<std::uint64_t, 3>& nodes) {
    return fmt::format("{}/{}/{}", nodes[0], nodes[1], nodes[2]);
}

void write_book(const BuildOptions& o, const Builder& builder, const MasterCounts& counts) {
    BaseText text;
    text.head = {{"counts", counts.digest},
                 {"engine", "Nutcracker " NUTCRACKER_VERSION},
                 {"network", NUTCRACKER_NETWORK_DIGEST},
                 {"nodes", head_nodes(o.rules.ours)},
                 {"tasks", fmt::format("{} {}", builder.state().tasks, builder.digest())},
                 {"their-nodes", head_nodes(o.rules.theirs)}};
    text.moves = moves_of(builder.graph());
    value_or_throw(replace_file(o.out, to_text(text)));
    if (!o.list.empty())
        value_or_throw(replace_file(o.list, most_reached(builder.graph(), ListedMoves)));
}

void print_progress(const BuildState& state, const TaskRunner& runner) {
    std::cerr << fmt::format(
        "round {}{}: {} searches, {:.3f} G nodes, priority {:.4f}, positions A {} B {} C {}",
        state.round,
        state.checks_exits ? " (exit checks)" : "",
        state.tasks,
        static_cast<double>(state.nodes) / 1e9,
        state.priority,
        state.positions[0],
        state.positions[1],
        state.positions[2]);
    if (runner.seconds() > 0)
        std::cerr << fmt::format(", {:.0f} kN/s",
                                 static_cast<double>(runner.nodes()) / runner.seconds() / 1e3);
    std::cerr << std::endl;
}

}  // namespace

int counts(const Words& words) {
    CountRules rules;
    std::string out;
    std::vector<std::string> files;
    po::options_description options("Usage: nutcracker-basebook counts --out TABLE PGN...\n\n"
                                    "Counts moves of masters by position.\n\nOptions");
    auto option = options.add_options();
    option("out", po::value(&out)->required(), "the table to write");
    option("min-games", bound(rules.min_games, 1), "least number of games of a move");
    option("max-ply", bound(rules.max_ply, 1), "number of plies of each game to count");
    const po::variables_map given = parse_options(
        {.who = "nutcracker-basebook: counts", .words = words, .rest = "files"}, options);
    if (given.count("files") != 0)
        files = given["files"].as<std::vector<std::string>>();
    if (files.empty())
        throw Failure("counts: games are missing");
    const CountedGames counted = count_games({files.begin(), files.end()}, rules);
    if (counted.bad > 0)
        std::cerr << fmt::format("counts: games not counted because of errors: {}; {}\n",
                                 counted.bad,
                                 counted.first_bad);
    value_or_throw(replace_file(out, counted.text));
    return 0;
}

void add_search_options(po::options_description& options, SearchOptions& o) {
    options.add_options()(
        "log", po::value(&o.log)->required(), "results of searches; created if it does not exist")(
        "workers",
        bound(o.workers, 1, 256),
        "searches at the same time; they do not change the results")(
        "hash",
        bound(o.hash_mib, 1),
        "MiB of the hash table of a search; the same for all of a log");
}

int build(const Words& words) {
    const BuildOptions o = parse_build(words);
    const auto& signals = engine::platform::end_requests();
    const MasterCounts counts = [&] {
        const std::string text = value_or_throw(read_bytes(o.counts));
        const auto read = to_result([&] { return read_counts(text); });
        return value_or_throw(Result<MasterCounts>(read), o.counts + ": ");
    }();
    TaskLog log(o.search.log, engine_name(o.search.hash_mib));
    TaskRunner runner(log, o.search.workers, o.search.hash_mib, &signals);
    Builder builder(counts, o.rules, log);
    while (true) {
        const std::vector<Task> tasks = builder.next_round();
        // The text has the values of all rounds before this one.
        const bool known = std::all_of(tasks.begin(), tasks.end(), [&log](const Task& t) {
            return log.find(t.name).has_value();
        });
        if (!known || tasks.empty()) {
            write_book(o, builder, counts);
            print_progress(builder.state(), runner);
        }
        if (tasks.empty())
            return 0;
        if (!runner.run(tasks)) {
            std::cerr << "stopped; the same command continues\n";
            return 1;
        }
        builder.finish_round(tasks);
    }
}

}  // namespace tools::basebook::command

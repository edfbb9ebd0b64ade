// nutcracker-pruning: what alpha-beta and its refinements save over minimax, in nodes and seconds.
#include "engine/engine.h"
#include "tools/common/command_line.h"
#include "tools/common/curve_table.h"
#include "tools/common/files.h"
#include "tools/pruning/methods.h"

#include <functional>
#include <iostream>

#include <fmt/format.h>

namespace po = boost::program_options;

namespace {

using tools::pruning::Count;
using Row = std::vector<std::optional<Count>>;  // by depth, from 1

constexpr int MaxDepth = 12;  // of --depth; the finished search goes further, the others do not

struct Options {
    std::vector<std::string> fens;
    int depth = 6;
    std::uint64_t max_nodes = 20'000'000;
    std::string curves;
};

struct Result {
    std::vector<std::pair<std::string, Row>> rows;
    std::vector<double> least;  // leaves, by depth
};

Options parse(const tools::Words& words) {
    Options o;
    po::options_description options(
        "Usage: nutcracker-pruning [OPTION...] [FEN...]\n\n"
        "Shows what each step from minimax to the finished search saves: searches the positions\n"
        "(default: the start position) to depth 1, 2, ... and prints nodes, seconds, and the\n"
        "nodes divided by the least number of leaves, b^ceil(d/2) + b^floor(d/2) - 1 for b moves\n"
        "in each position.\n\nOptions");
    auto option = options.add_options();
    option("depth", tools::bound(o.depth, 1, MaxDepth), "the greatest depth");
    option("max-nodes", tools::bound(o.max_nodes), "leave out searches that need more nodes");
    option("curves", po::value(&o.curves), "write the curves to this file, for tools/lab/plot");
    option("fen", po::value(&o.fens), "positions, each quoted");
    tools::parse_options({.who = "nutcracker-pruning",
                          .words = words,
                          .rest = "fen",
                          .explanation =
                              "\nThe steps before the finished search evaluate material "
                              "and squares;\nthose up to the hash table give the same values.\n"},
                         options);
    if (o.fens.empty())
        o.fens.emplace_back(engine::StartFen);
    return o;
}

Row by_engine(const engine::Position& pos, int depth) {
    const auto searcher = engine::make_searcher();
    tools::value_or_throw(searcher->set_hash(16));
    Row row;
    for (int d = 1; d <= depth; ++d) {
        searcher->clear();
        engine::Limits limits;
        limits.depth = d;
        const auto start = engine::Clock::now();
        const engine::SearchResult found = searcher->search(engine::Game(pos), limits);
        row.emplace_back(Count{found.score, found.nodes, 0, engine::Clock::now() - start});
    }
    return row;
}

Result measure(const engine::Position& pos, const Options& o) {
    Result result;
    double branching = 1;
    for (const tools::pruning::Method method : tools::pruning::AllMethods) {
        Row row;
        for (int d = 1; d <= o.depth; ++d) {
            std::optional<Count> count;
            if (row.empty() || row.back())
                count = tools::pruning::count_nodes(method, pos, d, o.max_nodes);
            if (count && method == tools::pruning::Method::Minimax)
                branching = tools::pruning::mean_branching(count->leaves, d);
            row.push_back(count);
        }
        result.rows.emplace_back(name(method), row);
    }
    result.rows.emplace_back("finished search", by_engine(pos, o.depth));
    for (int d = 1; d <= o.depth; ++d)
        result.least.push_back(tools::pruning::least_leaves(branching, d));
    return result;
}

// A block of the table; `text` formats one value.
void print_block(const std::string& title,
                 const Result& result,
                 const std::function<std::string(const Count&, double least)>& text) {
    std::cout << fmt::format("\n{:<18}", title);
    for (std::size_t d = 1; d <= result.least.size(); ++d)
        std::cout << fmt::format("{:>13}", fmt::format("depth {}", d));
    std::cout << '\n';
    for (const auto& [name, row] : result.rows) {
        std::cout << fmt::format("{:<18}", name);
        for (std::size_t i = 0; i < row.size(); ++i)
            std::cout << fmt::format("{:>13}", row[i] ? text(*row[i], result.least[i]) : "-");
        std::cout << '\n';
    }
}

void print(const std::string& fen, const Result& result) {
    std::cout << fen << '\n';
    print_block("nodes", result, [](const Count& c, double) { return fmt::format("{}", c.nodes); });
    std::cout << fmt::format("{:<18}", "least leaves");
    for (const double least : result.least)
        std::cout << fmt::format("{:>13.0f}", least);
    std::cout << '\n';
    print_block("seconds", result, [](const Count& c, double) {
        return fmt::format("{:.4f}", c.spent.count());
    });
    print_block("nodes : least", result, [](const Count& c, double least) {
        return fmt::format("{:.2f}", static_cast<double>(c.nodes) / least);
    });
    std::cout << std::endl;
}

void add_curves(tools::CurveTable& curves, const std::string& fen, const Result& result) {
    for (const auto& [name, row] : result.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            if (row[i])
                curves.add(
                    fen, name, static_cast<double>(i + 1), static_cast<double>(row[i]->nodes), 0);
    for (std::size_t i = 0; i < result.least.size(); ++i)
        curves.add(fen, "least leaves", static_cast<double>(i + 1), result.least[i], 0);
}

int run(const tools::Words& words) {
    const Options o = parse(words);
    std::vector<engine::Position> positions;
    for (const std::string& fen : o.fens)
        positions.push_back(tools::value_or_throw(tools::pruning::position_to_search(fen)));
    tools::CurveTable curves("Nodes of the search with each step", "depth in plies");
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Result result = measure(positions[i], o);
        print(o.fens[i], result);
        add_curves(curves, o.fens[i], result);
    }
    if (!o.curves.empty())
        tools::value_or_throw(tools::replace_file(o.curves, curves.text()));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-pruning", argc, argv, run);
}

// nutcracker-bench: the signature of the search, and its speed.
#include "engine/engine.h"
#include "tools/common/command_line.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

namespace po = boost::program_options;

namespace {

struct Speed {
    std::uint64_t nodes = 0;
    std::uint64_t best = 0, median = 0;  // nodes per second
    bool repeats = true;                 // every run had the same nodes
};

Speed measure(engine::Searcher& searcher, int depth, int runs) {
    Speed m;
    std::vector<std::uint64_t> speeds;
    for (int i = 0; i < runs; ++i) {
        const engine::BenchResult result = tools::value_or_throw(searcher.bench(depth));
        m.repeats = m.repeats && (i == 0 || result.nodes == m.nodes);
        m.nodes = result.nodes;
        const auto spent = static_cast<std::uint64_t>(std::max<long long>(result.spent.count(), 1));
        speeds.push_back(result.nodes * 1000 / spent);
        if (runs > 1)
            std::cerr << "run " << i + 1 << ": " << speeds.back() << " nodes/s\n";
    }
    std::sort(speeds.begin(), speeds.end());
    m.best = speeds.back();
    m.median = speeds[speeds.size() / 2];
    return m;
}

int run(const tools::Words& words) {
    int depth = 0, runs = 1;
    std::string slice;
    bool all_slices = false;
    po::options_description options(
        "Usage: nutcracker-bench [DEPTH] [OPTION...]\n\n"
        "Searches a fixed set of positions and prints the number of nodes, which is the signature "
        "of\n"
        "the search, and the speed in nodes per second (nps).\n\nOptions");
    auto option = options.add_options();
    option("depth",
           tools::ranged(depth, 0, engine::MaxPly - 1),
           "depth in plies; 0: the depth of the signature");
    option("runs", tools::bound(runs, 1), "repeat; print the best and the median speed");
    option("slice", po::value(&slice), "code for this instruction set instead of the fastest");
    option("all-slices",
           po::bool_switch(&all_slices),
           "run the code for each instruction set of this processor");
    tools::parse_options({.who = "nutcracker-bench",
                          .words = words,
                          .rest = "depth",
                          .max_rest = 1,
                          .explanation =
                              "\nExit status: 0; 1 if the nodes differ between runs or instruction "
                              "sets; 2 for wrong use.\n"},
                         options);
    if (all_slices && !slice.empty())
        throw tools::Failure("--slice and --all-slices cannot be used together");
    std::vector<std::string_view> slices{slice};
    if (all_slices)
        slices = engine::slices_here();
    bool same = true;
    std::optional<std::uint64_t> nodes;
    for (const std::string_view name : slices) {
        const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher(name);
        if (!searcher)
            throw tools::Failure(fmt::format("no slice {} on this processor", name));
        const Speed m = measure(*searcher, depth, runs);
        same = same && m.repeats && m.nodes == nodes.value_or(m.nodes);
        nodes = m.nodes;
        std::cout << m.nodes << " nodes " << m.best << " nps";
        if (runs > 1)
            std::cout << " median " << m.median;
        std::cout << ' ' << searcher->slice() << std::endl;
    }
    if (!same)
        std::cout << "the nodes differ\n";
    return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-bench", argc, argv, run);
}

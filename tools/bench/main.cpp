// nutcracker-bench: the signature of the search, and its speed.
#include "engine/engine.h"
#include "tools/common/command_line.h"

#include <algorithm>
#include <iostream>

namespace po = boost::program_options;

namespace {

struct Measured {
    std::uint64_t nodes = 0;
    std::uint64_t best_speed = 0, median_speed = 0;  // nodes per second
    bool repeats = true;                             // every run had the same nodes
};

int complain(const std::string& what) {
    std::cerr << "nutcracker-bench: " << what << '\n';
    return 2;
}

Measured measure(engine::Searcher& searcher, int depth, int runs) {
    Measured m;
    std::vector<std::uint64_t> speeds;
    for (int i = 0; i < runs; ++i) {
        const engine::BenchResult result = searcher.bench(depth);
        m.repeats = m.repeats && (i == 0 || result.nodes == m.nodes);
        m.nodes = result.nodes;
        const auto spent = static_cast<std::uint64_t>(std::max<long long>(result.spent.count(), 1));
        speeds.push_back(result.nodes * 1000 / spent);
        if (runs > 1)
            std::cerr << "run " << i + 1 << ": " << speeds.back() << " nodes/s\n";
    }
    std::sort(speeds.begin(), speeds.end());
    m.best_speed = speeds.back();
    m.median_speed = speeds[speeds.size() / 2];
    return m;
}

int run(const std::vector<std::string>& words) {
    int depth = 0, runs = 1;
    std::string slice;
    po::options_description options(
        "nutcracker-bench [DEPTH]\n"
        "Exit status: 0; 1 if the nodes differ between runs or slices; 2 for wrong use");
    auto option = options.add_options();
    option("help,h", "show this");
    option("depth", po::value(&depth), "plies; 0: that of the signature");
    option("runs", po::value(&runs)->default_value(1), "repeat, and tell the best and the median");
    option("slice", po::value(&slice), "code for this instruction set instead of the fastest");
    option("all-slices", "all that run here, one after the other");
    po::variables_map given;
    if (const auto code = tools::read_options(
            {.who = "nutcracker-bench", .words = words, .rest = "depth", .most_rest = 1},
            options,
            given))
        return *code;
    if (depth < 0 || depth >= engine::MaxPly || runs < 1)
        return complain("depth must be 0 or more, runs 1 or more");
    std::vector<std::string_view> slices{slice};
    if (given.contains("all-slices"))
        slices = engine::slices_here();
    bool same = true;
    std::optional<std::uint64_t> nodes;
    for (const std::string_view name : slices) {
        const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher(name);
        if (!searcher)
            return complain("no slice " + std::string(name) + " on this processor");
        const Measured m = measure(*searcher, depth, runs);
        same = same && m.repeats && m.nodes == nodes.value_or(m.nodes);
        nodes = m.nodes;
        std::cout << m.nodes << " nodes " << m.best_speed << " nps";
        if (runs > 1)
            std::cout << " median " << m.median_speed;
        std::cout << ' ' << searcher->slice() << std::endl;
    }
    if (!same)
        std::cout << "the nodes differ\n";
    return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return run({argv + 1, argv + argc});
}

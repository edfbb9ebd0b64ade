// nutcracker-perft: counts the leaves of the tree of legal moves, the usual test of a move
// generator.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "engine/platform/file.h"
#include "tools/common/command_line.h"
#include "tools/perft/perft_suite.h"

#include <fstream>
#include <iostream>

#include <fmt/format.h>

namespace po = boost::program_options;

namespace {

struct Options {
    int depth = -1;
    std::string fen, suite, slice;
    std::uint64_t max_nodes = 0;  // 0: any
    bool divide = false;
};

class Counter {
  public:
    explicit Counter(std::unique_ptr<engine::Searcher> searcher) : searcher_(std::move(searcher)) {}

    std::uint64_t count(const engine::Position& pos, int depth) {
        const auto start = engine::Clock::now();
        const std::uint64_t leaves = searcher_->perft(pos, depth);
        spent_ += engine::Clock::now() - start;
        total_ += leaves;
        return leaves;
    }
    [[nodiscard]] std::string summary() const {
        const double seconds = std::chrono::duration<double>(spent_).count();
        const double speed = seconds > 0 ? static_cast<double>(total_) / seconds : 0;
        return fmt::format(
            "{} nodes, {:.6f} s, {:.0f} nodes/s ({})", total_, seconds, speed, searcher_->slice());
    }

  private:
    std::unique_ptr<engine::Searcher> searcher_;
    engine::Clock::duration spent_{};
    std::uint64_t total_ = 0;
};

int run_one(const Options& o, Counter& counter) {
    const auto pos =
        tools::value_or_throw(engine::Position::from_fen(o.fen, engine::Material::Any));
    std::uint64_t leaves = 0;
    if (o.divide && o.depth > 0) {
        const bool chess960 = pos.is_chess960();
        for (const engine::Move move : engine::legal_moves(pos)) {
            engine::Position next = pos;
            next.make(move);
            const std::uint64_t count = counter.count(next, o.depth - 1);
            std::cout << engine::to_coordinates(move, chess960) << ' ' << count << '\n';
            leaves += count;
        }
    } else {
        leaves = counter.count(pos, o.depth);
    }
    std::cout << leaves << '\n';
    std::cerr << counter.summary() << '\n';
    return 0;
}

// Checks the counts of one position up to the limits; false on the first wrong one.
bool check_case(const Options& o,
                const tools::perft::PerftCase& c,
                Counter& counter,
                int& checked) {
    for (const tools::perft::PerftCount& expected : c.counts) {
        if ((o.max_nodes && expected.leaves > o.max_nodes) ||
            (o.depth >= 0 && expected.depth > o.depth))
            continue;
        const std::uint64_t leaves = counter.count(c.position, expected.depth);
        ++checked;
        if (leaves != expected.leaves) {
            std::cout << "line " << c.line << ": " << c.fen << ": depth " << expected.depth
                      << " has " << leaves << " leaves, expected " << expected.leaves << '\n';
            return false;
        }
    }
    return true;
}

int run_suite(const Options& o, Counter& counter) {
    std::ifstream file(engine::platform::long_path(o.suite));
    if (!file)
        throw tools::Failure("cannot read " + o.suite);
    const std::vector<tools::perft::PerftCase> cases =
        tools::value_or_throw(tools::perft::read_perft_suite(file), o.suite + ": ");
    if (cases.empty())
        throw tools::Failure(o.suite + " has no positions");
    int checked = 0, wrong = 0;
    std::size_t done = 0;
    for (const tools::perft::PerftCase& c : cases) {
        wrong += check_case(o, c, counter, checked) ? 0 : 1;
        if (++done % 100 == 0)
            std::cerr << done << " of " << cases.size() << " positions\n";
    }
    if (checked == 0 && wrong == 0)
        throw tools::Failure(o.suite + " has no counts within these limits");
    std::cout << cases.size() << " positions, " << checked << " counts, " << wrong
              << " positions wrong\n";
    std::cerr << counter.summary() << '\n';
    return wrong > 0 ? 1 : 0;
}

int run(const tools::Words& words) {
    Options o;
    po::options_description options(
        "Usage: nutcracker-perft DEPTH [--fen FEN] [--divide]\n"
        "  or:  nutcracker-perft --suite FILE [--max-nodes N] [DEPTH]\n\n"
        "Counts the leaves of the tree of legal moves (perft), the usual test of a move "
        "generator.\n"
        "\nOptions");
    auto option = options.add_options();
    option("depth",
           tools::ranged(o.depth, 0, 20),
           "plies, 0 to 20; with --suite the largest depth counted");
    option("fen", po::value(&o.fen)->default_value(engine::StartFen), "position to start from");
    option("divide", po::bool_switch(&o.divide), "print the count of each first move as well");
    option("suite",
           po::value(&o.suite),
           "check all counts of a file: lines \"FEN ;D1 20 ;D2 400\", or id, epd and perft lines");
    option(
        "max-nodes", po::value(&o.max_nodes), "skip the counts of the suite that are above this");
    option("slice", po::value(&o.slice), "code for this instruction set instead of the fastest");
    const po::variables_map given = tools::parse_options(
        {.who = "nutcracker-perft",
         .words = words,
         .rest = "depth",
         .max_rest = 1,
         .explanation = "\nExit status: 0; 1 if a count is wrong; 2 for wrong use.\n"},
        options);
    if (o.suite.empty() && !given.contains("depth"))
        throw tools::Failure("a depth of 0 to 20 is needed (try --help)");
    std::unique_ptr<engine::Searcher> searcher = engine::make_searcher(o.slice);
    if (!searcher)
        throw tools::Failure("no slice " + o.slice + " on this processor");
    Counter counter(std::move(searcher));
    return o.suite.empty() ? run_one(o, counter) : run_suite(o, counter);
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-perft", argc, argv, run);
}

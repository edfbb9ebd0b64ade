// nutcracker-facts: generates evaluations of endings from facts, and reports how good they are.
#include "tools/common/command_line.h"
#include "tools/lab/facts/facts_report.h"
#include "tools/lab/facts/placement_network.h"
#include "tools/lab/retro/retro_run.h"

#include <fmt/format.h>

namespace {

namespace po = boost::program_options;
using namespace tools::facts;
using tools::Failure;
using tools::value_or_throw;

struct Options {
    std::string folder;
    std::vector<Ending> endings;
    FitSettings fit;
    NetworkSettings network{.neurons = 0};
    double sample = 1;
    bool apart = false;
};

Options parse(const tools::Words& words) {
    Options o;
    std::vector<std::string> names;
    bool board_only = false;
    po::options_description options(
        "Usage: nutcracker-facts --tables FOLDER [OPTION...] ENDING...\n\n"
        "Generates the evaluation of endings like KRvK, pieces against a bare king, or KPPvKP, "
        "pawns\n"
        "alone, from their tables: finds sets of facts that hold often enough, fits their "
        "weights,\n"
        "and reports how well they predict results, distances and moves.\n\nOptions");
    auto option = options.add_options();
    option("tables",
           po::value(&o.folder),
           "folder of nutcracker-retro's files; missing endings are solved");
    option("support",
           tools::bound(o.fit.support),
           "least share of the positions in which a set must hold");
    option("max-facts", tools::bound(o.fit.max_facts, 0, 8), "largest number of facts in a set");
    option("board-only",
           po::bool_switch(&board_only),
           "with pawns: leave out facts that use the results of KPvK and KPvKP");
    option("steps",
           tools::bound(o.fit.steps, 1),
           "largest number of steps of the conjugate gradients");
    option("neurons",
           tools::bound(o.network.neurons, 0, 1'024),
           "fit a network with N hidden neurons instead; 0: sets of facts");
    option("visits",
           tools::bound(o.network.visits, 1),
           "positions that it is trained on, in millions");
    option(
        "sample", tools::bound(o.sample), "share of the positions to use, the same ones each time");
    option("apart",
           po::bool_switch(&o.apart),
           "fit to one half of the positions, report on the other");
    option("ending", po::value(&names), "endings");
    tools::parse_options(
        {.who = "nutcracker-facts", .words = words, .rest = "ending", .explanation = ""}, options);
    if (o.folder.empty() || names.empty())
        throw Failure("a folder (--tables) and an ending are needed (try --help)");
    if (o.fit.support <= 0 || o.fit.support > 1)
        throw Failure("--support must be above 0 and at most 1");
    if (o.sample <= 0 || o.sample > 1)
        throw Failure("--sample must be above 0 and at most 1");
    o.fit.smaller_endings = !board_only;
    for (const std::string& name : names)
        o.endings.push_back(value_or_throw(ending_for_facts(name)));
    return o;
}

// Every second position, mixed well, is left out of `fit` and kept in `test`.
void split(std::size_t men, std::vector<Sample>& fit, std::vector<Board>& test) {
    const auto odd = [men](const Board& board) {
        std::uint64_t sum = board.side == engine::White ? 1 : 2;
        for (std::size_t i = 0; i < men; ++i)
            sum = (sum + static_cast<std::uint64_t>(board.squares[i]) + 1) * 0x9E37'79B9'7F4A'7C15;
        return (sum >> 40 & 1) != 0;
    };
    std::erase_if(fit, [&](const Sample& sample) { return odd(sample.board); });
    std::erase_if(test, [&](const Board& board) { return !odd(board); });
}

void print(const Ending& ending,
           const std::string& method,
           double threshold,
           const FactsReport& report) {
    const auto percent = [&](std::uint64_t n) {
        return 100.0 * static_cast<double>(n) / static_cast<double>(report.positions);
    };
    fmt::print("{}: {}, {} positions\n", ending.name(), method, report.positions);
    fmt::print(
        "  error of the distance, mean and squared: before {:.2f} {:.1f}, after {:.2f} {:.2f}\n",
        report.error_before,
        report.squared_before,
        report.error,
        report.squared);
    constexpr std::array<const char*, 3> Names = {"lost", "drawn", "won"};
    for (std::size_t r = 3; r-- > 0;)
        fmt::print("  {:<6} held for won {:6.2f} %, drawn {:6.2f} %, lost {:6.2f} %\n",
                   Names[r],
                   percent(report.results[r][2]),
                   percent(report.results[r][1]),
                   percent(report.results[r][0]));
    fmt::print("  {:.2f} % need an evaluation; of these {:.2f} % agree, with a threshold of {}\n",
               percent(report.quiet),
               100 * static_cast<double>(report.quiet_right) /
                   static_cast<double>(std::max<std::uint64_t>(report.quiet, 1)),
               threshold);
    fmt::print("  agreement {:.2f} %, optimal moves {:.1f} % (by chance {:.1f} %)\n",
               100 * report.agreement(),
               100 * report.optimal,
               100 * report.by_chance);
    std::fflush(stdout);
}

// Reports on the evaluation, and prints that.
void judge(const Evaluation& evaluation,
           const std::string& method,
           const tools::retro::DistanceTable& table,
           const EndingRules& rules,
           const EndingData& data) {
    const double threshold = threshold_for(rules.ending(), evaluation, data.quiet);
    print(rules.ending(),
          method,
          threshold,
          report_on(evaluation, table, rules, data.positions, data.longest, threshold));
}

int run(const tools::Words& words) {
    const Options o = parse(words);
    const tools::retro::TableSet tables = tools::retro::solve_all({o.folder, o.endings, 1, true});
    for (const Ending& ending : o.endings) {
        const auto table = tables.find(ending.counts());
        const EndingRules rules(ending,
                                [&](const tools::retro::Placement& placement, engine::Color side) {
                                    return tables.value(placement, side);
                                });
        EndingData data = data_of(*table, rules, {.opposite = true, .share = o.sample});
        if (o.apart)
            split(ending.size(), data.quiet, data.positions);
        if (o.network.neurons > 0) {
            const PlacementNetwork network(ending, data.quiet, o.network);
            judge([&](const Board& board) { return network.value(board); },
                  fmt::format("{} neurons, {} weights", o.network.neurons, network.weights()),
                  *table,
                  rules,
                  data);
        } else {
            const FactModel model(ending, data.quiet, o.fit);
            judge([&](const Board& board) { return model.value(board); },
                  fmt::format("{} configurations", model.configurations()),
                  *table,
                  rules,
                  data);
            fmt::print("  vectors known {:.2f} %\n", 100 * model.hit_rate());
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-facts", argc, argv, run);
}

// nutcracker-retro: solves endings of three to five men, and checks tables against each other.
#include "tools/common/command_line.h"
#include "tools/lab/retro/move_check.h"
#include "tools/lab/retro/retro_run.h"
#include "tools/lab/retro/syzygy_check.h"

#include <iostream>

#include <fmt/format.h>

namespace {

namespace po = boost::program_options;
using namespace tools::retro;
using tools::Failure;
using tools::value_or_throw;

struct Options {
    RetroPlan plan;
    std::string syzygy;
    std::uint64_t checks = 0;
    bool counts = false;
};

Options parse(const tools::Words& words) {
    Options o;
    std::vector<std::string> names;
    po::options_description options(
        "Usage: nutcracker-retro --out FOLDER [OPTION...] [ENDING...]\n\n"
        "Solves endings of three to five men, those named (KRvK KPPvKP ...) or all of three and\n"
        "four men, and writes one file for each. Prints for each its results and its longest "
        "wins.\n\nOptions");
    auto option = options.add_options();
    option("out,o", po::value(&o.plan.folder), "folder of the files; existing files are kept");
    option("threads,t", tools::bound(o.plan.threads, 1, 64), "endings to solve at the same time");
    option("counts", po::bool_switch(&o.counts), "print the number of positions by distance, too");
    option("compare",
           po::value(&o.syzygy),
           "folder of Syzygy tables: compare the result of every position");
    option("check",
           tools::bound(o.checks),
           "random positions of each ending to check: the value must follow from those after the "
           "moves");
    option("ending", po::value(&names), "endings");
    tools::parse_options({.who = "nutcracker-retro",
                          .words = words,
                          .rest = "ending",
                          .explanation = "\nThe distance is in plies: to mate, or in endings with "
                                         "pawns to mate, capture or promotion.\n"},
                         options);
    if (o.plan.folder.empty())
        throw Failure("a folder is needed (--out)");
    for (const std::string& name : names)
        o.plan.endings.push_back(value_or_throw(Ending::from_name(name)));
    if (names.empty())
        o.plan.endings = Ending::all();
    o.plan.successors = o.checks > 0 || !o.syzygy.empty();
    return o;
}

void print_row(const Ending& ending,
               std::string_view to_move,
               const EndingSummary::Side& side,
               const std::string& longest_fen) {
    const auto plies = [](int n) { return n < 0 ? "-" : std::to_string(n); };
    const auto& [lost, drawn, won] = side.results;
    const auto all = static_cast<double>(std::max<std::uint64_t>(lost + drawn + won, 1));
    const auto percent = [all](std::uint64_t n) { return 100 * static_cast<double>(n) / all; };
    fmt::print("{}\t{}\t{}\t{}\t{}\t{:.2f}\t{:.2f}\t{:.2f}\t{}\t{}\t{}\n",
               ending.name(),
               to_move,
               won,
               drawn,
               lost,
               percent(won),
               percent(drawn),
               percent(lost),
               plies(side.longest(true)),
               plies(side.longest(false)),
               longest_fen);
}

void print_summary(const Ending& ending, const EndingSummary& summary, bool counts) {
    constexpr std::array<std::string_view, 2> Names = {"white", "black"};
    for (std::size_t c = 0; c < 2; ++c) {
        const EndingSummary::Side& side = summary.side[c];
        print_row(ending, Names[c], side, summary.longest_fen[c]);
        for (std::size_t n = 0; counts && n < side.won.size(); ++n)
            if (side.won[n] + side.lost[n] > 0)
                fmt::print("\t{} plies\t{} won\t{} lost\n", n, side.won[n], side.lost[n]);
    }
    EndingSummary::Side both = summary.side[0];
    const auto add = [](auto& sums, const auto& more) {
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += more[i];
    };
    add(both.results, summary.side[1].results);
    add(both.won, summary.side[1].won);
    add(both.lost, summary.side[1].lost);
    print_row(ending, "both", both, "");
}

// True if all results are equal.
bool print_comparison(const Ending& ending, const Comparison& found) {
    fmt::print("{}\t{} positions compared, {} of them en passant: {} different, {} missing{}\n",
               ending.name(),
               found.positions,
               found.en_passant,
               found.different,
               found.missing,
               found.different > 0 ? ", first " + found.first_different : "");
    std::fflush(stdout);
    return found.different + found.missing == 0;
}

// True if no value is wrong.
bool print_check(const Ending& ending, const MoveCheck& found) {
    fmt::print("{}\t{} positions checked by their moves: {} wrong{}\n",
               ending.name(),
               found.positions,
               found.wrong,
               found.wrong > 0 ? ", first " + found.first_wrong : "");
    std::fflush(stdout);
    return found.wrong == 0;
}

int run(const tools::Words& words) {
    const Options o = parse(words);
    const TableSet tables = solve_all(o.plan);
    fmt::print("ending\tto move\twon\tdrawn\tlost\twon %\tdrawn %\tlost %\tlongest win\tlongest "
               "loss\tposition\n");
    for (const Ending& ending : o.plan.endings)
        print_summary(ending, summarise(*tables.find(ending.counts())), o.counts);
    bool right = true;
    if (o.checks > 0)
        for (const Ending& ending : o.plan.endings)
            right = print_check(ending, check_moves(ending, tables, o.checks)) && right;
    if (!o.syzygy.empty()) {
        const auto syzygy = value_or_throw(engine::Syzygy::open(o.syzygy));
        for (const Ending& ending : o.plan.endings)
            right = print_comparison(ending, compare(ending, tables, *syzygy)) && right;
    }
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-retro", argc, argv, run);
}

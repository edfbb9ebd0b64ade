// nutcracker-retro: solves endings of three to five men, and checks tables against each other.
#include "tools/common/command_line.h"
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
    option("out,o", po::value(&o.plan.folder), "folder of the files; what is there is kept");
    option("threads,t", tools::bound(o.plan.threads), "endings to solve at the same time");
    option("counts", po::bool_switch(&o.counts), "print the number of positions by distance, too");
    option("compare",
           po::value(&o.syzygy),
           "folder of Syzygy tables: compare the result of every position");
    option("ending", po::value(&names), "endings");
    tools::parse_options({.who = "nutcracker-retro",
                          .words = words,
                          .rest = "ending",
                          .explanation = "\nThe distance is in plies: to mate, or in endings with "
                                         "pawns to mate, capture or promotion.\n"},
                         options);
    if (o.plan.folder.empty() || o.plan.threads < 1 || o.plan.threads > 64)
        throw Failure("a folder (--out) and 1 to 64 threads are needed");
    for (const std::string& name : names)
        o.plan.endings.push_back(value_or_throw(Ending::from_name(name)));
    if (names.empty())
        o.plan.endings = Ending::all();
    return o;
}

constexpr std::string_view SideNames[] = {"white", "black"};

void print_summary(const Ending& ending, const EndingSummary& summary, bool counts) {
    for (std::size_t c = 0; c < 2; ++c) {
        const EndingSummary::Side& side = summary.side[c];
        const auto text = [](int plies) { return plies < 0 ? "-" : std::to_string(plies); };
        fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                   ending.name(),
                   SideNames[c],
                   side.results[2],
                   side.results[1],
                   side.results[0],
                   text(side.longest(true)),
                   text(side.longest(false)),
                   summary.longest_fen[c]);
        for (std::size_t n = 0; counts && n < side.won.size(); ++n)
            if (side.won[n] + side.lost[n] > 0)
                fmt::print("\t{} plies\t{} won\t{} lost\n", n, side.won[n], side.lost[n]);
    }
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

int run(const tools::Words& words) {
    const Options o = parse(words);
    const TableSet tables = solve_all(o.plan);
    fmt::print("ending\tto move\twon\tdrawn\tlost\tlongest win\tlongest loss\tposition\n");
    for (const Ending& ending : o.plan.endings)
        print_summary(ending, summarise(*tables.find(ending.counts())), o.counts);
    if (o.syzygy.empty())
        return 0;
    const auto syzygy = value_or_throw(engine::Syzygy::open(o.syzygy));
    bool equal = true;
    for (const Ending& ending : o.plan.endings)
        equal = print_comparison(ending, compare(ending, tables, *syzygy)) && equal;
    return equal ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-retro", argc, argv, run);
}

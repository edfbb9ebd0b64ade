// nutcracker-thermometer: measures networks by positions that none of them is trained on.
#include "engine/eval/network.h"
#include "engine/platform/events.h"
#include "tools/common/checksum.h"
#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/lab/thermometer/network_error.h"
#include "tools/lab/thermometer/position_draw.h"
#include "tools/lab/thermometer/thermometer_make.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

namespace {

namespace po = boost::program_options;
using namespace tools::thermometer;
using tools::bound;
using tools::Failure;
using tools::value_or_throw;

// Of the network that values the positions.
std::uint64_t network_checksum(const std::string& path) {
    if (path.empty())
        return tools::checksum(engine::built_in_network_file());
    return tools::checksum(path == engine::HandWritten ? path
                                                       : value_or_throw(tools::read_bytes(path)));
}

int make(const tools::Words& words) {
    Conditions c;
    std::vector<std::string> paths;
    std::string output, network;
    int threads = 1;
    po::options_description options(
        "Usage: nutcracker-thermometer make GAMES... --output FILE [OPTION...]\n\n"
        "Takes quiet positions from files of games that no network is trained on, and evaluates\n"
        "them by searches. The same command continues a file that was interrupted.\n\nOptions");
    auto option = options.add_options();
    option("games", po::value(&paths)->multitoken(), "files of games");
    option("output,o", po::value(&output), "file to write");
    option("positions", bound(c.positions, 1, 10'000'000), "number of positions");
    option("per-game", bound(c.per_game, 1, 1'000), "largest number of positions of a game");
    option("nodes", bound(c.nodes, 1), "nodes of a search");
    option("threads", bound(threads, 1, 256), "searches at the same time");
    option("seed", bound(c.seed), "equal seeds take equal positions");
    option("scale",
           bound(c.scale, 0, 1'000'000),
           "centipawns of a score of 73 %, for the win probability; 0: fitted to the games");
    option("eval-file",
           po::value(&network),
           "network file of the searches, instead of the built-in one; -: hand-written evaluation");
    tools::parse_options({.who = "nutcracker-thermometer: make", .words = words, .rest = "games"},
                         options);
    if (paths.empty() || output.empty())
        throw Failure("make: files of games and a file to write (--output) are needed");
    const auto& signals = engine::platform::end_requests();
    const auto games = draw_games(paths, c);
    c.network = network_checksum(network);
    c.games = checksum(games);
    if (const auto fitted = c.scale > 0 ? c.scale : fitted_scale(games))
        c.scale = *fitted;
    else
        throw Failure("make: no position to fit the scale to: give --scale");
    const auto made = make_file(output, games, c, network, threads, &signals);
    if (!made) {
        std::cerr << "stopped; the same command continues\n";
        return 1;
    }
    if (*made < c.positions)
        std::cerr << "the games have no more positions\n";
    std::cout << fmt::format("{} positions, scale {}\n", *made, c.scale);
    return 0;
}

// The error of every network, a line each, below the classes and their numbers of positions.
void print_table(const std::vector<std::pair<std::string, NetworkError>>& errors) {
    std::size_t width = 11;  // of the names
    for (const auto& [name, error] : errors)
        width = std::max(width, name.size());
    const auto print = [width](std::string_view name, const NetworkError& error, auto value) {
        std::string line = fmt::format("{:<{}}{:>9}", name, width, value(error.all));
        for (const MeanError& part : error.by_pieces)
            line += fmt::format("{:>9}", value(part));
        std::cout << line << '\n';
    };
    std::cout << fmt::format("{:<{}}{:>9}", "# pieces", width, "all");
    for (int from = 3; const int to : LargestOfClass) {
        std::cout << fmt::format("{:>9}", fmt::format("{}-{}", from, to));
        from = to + 1;
    }
    std::cout << '\n';
    print("# positions", errors[0].second, [](const MeanError& e) { return e.positions; });
    for (const auto& [name, error] : errors)
        print(name, error, [](const MeanError& e) { return fmt::format("{:.5f}", e.mean); });
}

int read(const tools::Words& words) {
    std::string path;
    std::vector<std::string> arguments;
    double scale = 0;
    po::options_description options(
        "Usage: nutcracker-thermometer read FILE [NETWORK...] [OPTION...]\n\n"
        "Prints for every network, without networks for the built-in one, the mean squared error\n"
        "of its win probability against the searches of the file: in all, and by the number of\n"
        "pieces on the board. Lower is better.\n\nOptions");
    auto option = options.add_options();
    option("files", po::value(&arguments), "the file, and networks");
    option("scale", bound(scale, 0), "centipawns of a score of 73 %; 0: that of the file");
    tools::parse_options({.who = "nutcracker-thermometer: read", .words = words, .rest = "files"},
                         options);
    if (arguments.empty())
        throw Failure("read: the file of a thermometer is needed");
    const Contents contents = value_or_throw(
        decode(value_or_throw(tools::read_bytes(arguments[0]))), arguments[0] + ": ");
    if (!contents.complete)
        throw Failure(fmt::format("{}: is not complete, it has {} positions; make continues it",
                                  arguments[0],
                                  contents.positions.size()));
    if (contents.positions.empty())
        throw Failure(arguments[0] + ": has no positions");
    if (scale <= 0)
        scale = contents.scale;
    std::vector<std::pair<std::string, NetworkError>> errors;
    const auto add = [&](const std::string& name, std::string_view bytes) {
        errors.emplace_back(name,
                            value_or_throw(measure(bytes, contents.positions, scale), name + ": "));
    };
    if (arguments.size() == 1)
        add("built-in", engine::built_in_network_file());
    for (std::size_t i = 1; i < arguments.size(); ++i)
        add(arguments[i], value_or_throw(tools::read_bytes(arguments[i])));
    print_table(errors);
    return 0;
}

constexpr std::array Commands{
    tools::Command{"make", "take positions from games and evaluate them by searches", make},
    tools::Command{"read", "print the error of networks", read},
};

int run(const tools::Words& words) {
    return tools::run_command("nutcracker-thermometer",
                              "Measures networks by positions that none of them is trained on.",
                              Commands,
                              words);
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-thermometer", argc, argv, run);
}

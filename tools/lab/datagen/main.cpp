// nutcracker-datagen: makes training data for networks by self-play.
#include "engine/platform/events.h"
#include "engine/platform/file.h"
#include "tools/common/adjudicator.h"
#include "tools/common/checksum.h"
#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/common/fixed_nodes.h"
#include "tools/common/workers.h"
#include "tools/lab/datagen/pack_command.h"
#include "tools/lab/datagen/rescore.h"
#include "tools/lab/datagen/training_game.h"

#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>

#include <fmt/format.h>

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;
using engine::platform::File;
using namespace tools::datagen;
using tools::bound;
using tools::Failure;
using tools::value_or_throw;

constexpr int HashMib = 8;
constexpr int ChildrenHashMib = 1;  // cleared every fifty searches or so

struct Options {
    std::string output, note, network;
    std::uint64_t seed = 1, games = 0, positions = 0, label_every = 1;
    int threads = 1, seconds = 0;
    std::vector<std::string> rescored, parents;  // files
    std::string to_pack, to_unpack;              // files; then nothing is searched
    bool skip_damaged = false;
    SelfPlayRules rules;

    [[nodiscard]] GenerationMode mode() const {
        return !parents.empty()    ? GenerationMode::LabelledChildren
               : !rescored.empty() ? GenerationMode::Rescored
                                   : GenerationMode::SelfPlay;
    }
};

// The file of games, and when it is complete. Shared by the workers. A task is one game, or
// children of one game or of some.
class OutputFile {
  public:
    OutputFile(const Options& o, File file, const Extent& before)
        : options_(o), file_(std::move(file)), before_(before),
          // The tasks of a file of children are not known: continue with a number never reached.
          next_(o.mode() == GenerationMode::LabelledChildren ? before.bytes / PlySize
                                                             : before.games),
          to_write_(next_) {}

    // The number of the next task; nothing if the file has enough games.
    std::optional<std::uint64_t> next() {
        const std::lock_guard lock(mutex_);
        if (stop_ || full())
            return std::nullopt;
        ++started_;
        return next_++;
    }
    // The games of a task. They are written in the order of the numbers, however many threads there
    // are. False if writing failed.
    bool add(std::uint64_t number, const std::vector<TrainingGame>& games) {
        std::string bytes;
        std::uint64_t usable = 0;
        for (const TrainingGame& game : games) {
            bytes += encode(game);
            usable += count_usable(game);
        }
        const std::lock_guard lock(mutex_);
        waiting_.emplace(number, std::move(bytes));
        for (auto it = waiting_.begin(); it != waiting_.end() && it->first == to_write_;
             it = waiting_.erase(it), ++to_write_)
            failed_ = failed_ || !file_.write(it->second);
        for (const TrainingGame& game : games) {
            plies_ += game.plies.size();
            ++results_.at(static_cast<std::size_t>(game.result));
        }
        games_ += games.size();
        usable_ += usable;
        return !failed_;
    }
    void stop() {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    [[nodiscard]] bool failed() {
        const std::lock_guard lock(mutex_);
        return failed_;
    }
    [[nodiscard]] std::string progress(double seconds) {
        const std::lock_guard lock(mutex_);
        return fmt::format("{} games, {} positions; now {:.0f} positions/s, {:.0f} usable/s; "
                           "white +{} ={} -{}",
                           before_.games + games_,
                           before_.plies + plies_,
                           static_cast<double>(plies_) / seconds,
                           static_cast<double>(usable_) / seconds,
                           results_[2],
                           results_[1],
                           results_[0]);
    }

  private:
    static std::uint64_t count_usable(const TrainingGame& game) {
        engine::Position pos = game.start;
        std::uint64_t usable = 0;
        for (const ScoredMove& ply : game.plies) {
            usable += is_usable(pos, ply, tools::game_ply(pos)) ? 1U : 0U;
            pos.make(ply.move);
        }
        return usable;
    }
    [[nodiscard]] bool full() const {
        const bool children = options_.mode() == GenerationMode::LabelledChildren;
        const std::uint64_t games = children ? games_ : started_;
        return (options_.games != 0 && before_.games + games >= options_.games) ||
               (options_.positions != 0 && before_.plies + plies_ >= options_.positions);
    }

    const Options& options_;
    std::mutex mutex_;  // guards all that follows
    File file_;
    Extent before_;
    std::uint64_t next_, to_write_;
    std::map<std::uint64_t, std::string> waiting_;  // by number: finished before an earlier task
    std::uint64_t started_ = 0, games_ = 0, plies_ = 0, usable_ = 0;
    std::array<std::uint64_t, 4> results_{};
    bool stop_ = false, failed_ = false;
};

Options parse(const tools::Words& words) {
    Options o;
    po::options_description options(
        "Usage: nutcracker-datagen --output FILE [OPTION...]\n\n"
        "Makes training data: games of the engine against itself, or new scores for existing\n"
        "games. Games are appended to a file that was begun with the same options. Packed files\n"
        "can be read wherever files of games are, but not continued.\n\nOptions");
    auto option = options.add_options();
    option("output,o", po::value(&o.output), "file of games to write");
    option("seed", bound(o.seed), "equal seeds give equal games");
    option("threads", bound(o.threads, 1, 256), "games at the same time");
    option("nodes",
           bound(o.rules.soft_nodes, 1),
           "soft node limit of a move, node limit of a rescore");
    option("random-plies",
           bound(o.rules.random_plies, 0, 40),
           "random plies at the start, or one more");
    option("games",
           bound(o.games),
           "stop when the file has this many games, or child positions; 0: no limit");
    option("positions", bound(o.positions), "stop when it has this many positions; 0: no limit");
    option("seconds", bound(o.seconds, 0), "stop after this time; 0: no limit");
    option("eval-file", po::value(&o.network), "network file; -: hand-written evaluation");
    const auto files = [](auto& names) { return po::value(&names)->multitoken(); };
    option("rescore", files(o.rescored), "write the games of these files with new scores");
    option("label-children",
           files(o.parents),
           "write child positions of the games of these files, after one or two random moves, "
           "with the scores of searches");
    option("label-every",
           bound(o.label_every, 1, 100),
           "with --label-children: use one position in N, on average");
    option("pack", po::value(&o.to_pack), "write the games of this file in a third of the space");
    option("unpack", po::value(&o.to_unpack), "write the file that was packed");
    option("skip-damaged",
           po::bool_switch(&o.skip_damaged),
           "unpack the undamaged parts of a damaged file; exit status 1 if games are lost");
    option("note", po::value(&o.note), "comment in the header of a new file");
    tools::parse_options({.who = "nutcracker-datagen",
                          .words = words,
                          .explanation =
                              "\nWithout a limit it works until it is interrupted. Games that have "
                              "begun are finished.\n"},
                         options);
    if (o.output.empty())
        throw Failure("no file to write (--output)");
    const std::array tasks{
        o.rescored.empty(), o.parents.empty(), o.to_pack.empty(), o.to_unpack.empty()};
    if (std::count(tasks.begin(), tasks.end(), false) > 1)
        throw Failure("only one of --rescore, --label-children, --pack and --unpack");
    if (o.skip_damaged && o.to_unpack.empty())
        throw Failure("--skip-damaged needs --unpack");
    return o;
}

// How a file was begun, by mode.
constexpr std::array ModeTexts{
    "by an older program", "by self-play", "with --label-children", "with --rescore"};

// The games to read, and what the header keeps of their files.
struct Input {
    std::vector<TrainingGame> games;
    std::uint64_t first_games = 0;  // checksum
};

// The games to rescore, or the parents without those that training holds out.
Input read_games(const Options& o) {
    Input input;
    std::uint64_t number = 0;
    bool first = true;  // of its file
    const auto keep = [&](TrainingGame game) {
        if (first)
            input.first_games = tools::checksum(encode(game), input.first_games);
        first = false;
        const bool child = game.result == GameResult::Unknown;
        if (!child && (o.parents.empty() || number++ % HeldOutInterval != 0))
            input.games.push_back(std::move(game));
    };
    const std::vector<std::string>& files = o.parents.empty() ? o.rescored : o.parents;
    std::error_code none;
    for (const std::string& path : files) {
        if (fs::equivalent(path, o.output, none))
            throw Failure(path + " is read, and cannot be written");
        first = true;
        value_or_throw(for_each_game(path, keep));
    }
    if (input.games.empty() && !files.empty())
        throw Failure("no games in " + files.front());
    return input;
}

Origin origin_of(const Options& o, const Input& input) {
    const auto folded = [](std::uint64_t sum) {
        return static_cast<std::uint32_t>(sum ^ sum >> 32U);
    };
    const bool file = !o.network.empty() && o.network != "-";
    const std::string network = o.network.empty() ? NUTCRACKER_NETWORK_DIGEST
                                : file            ? value_or_throw(tools::read_bytes(o.network))
                                                  : o.network;
    Origin origin{.network = folded(tools::checksum(network))};
    if (o.mode() == GenerationMode::SelfPlay)
        origin.random_plies = static_cast<std::uint8_t>(o.rules.random_plies);
    if (o.mode() == GenerationMode::LabelledChildren) {
        origin.label_every = static_cast<std::uint8_t>(o.label_every);
        origin.parents = folded(input.first_games);
    }
    return origin;
}

// Fails unless the file was begun with the same options, as far as its header has them.
void check_header(const Options& o, const GamesHeader& header, const Origin& origin) {
    const auto begun = [&o](const std::string& how) {
        return Failure(fmt::format("{}: was begun {}", o.output, how));
    };
    if (header.seed != o.seed || header.soft_nodes != o.rules.soft_nodes)
        throw begun(fmt::format("with seed {} and {} nodes", header.seed, header.soft_nodes));
    if (header.mode != o.mode())
        throw begun(ModeTexts.at(static_cast<std::size_t>(header.mode)));
    if (!header.origin)
        return;
    const Origin& before = *header.origin;
    if (before.random_plies != origin.random_plies)
        throw begun(fmt::format("with --random-plies {}", before.random_plies));
    if (before.label_every != origin.label_every)
        throw begun(fmt::format("with --label-every {}", before.label_every));
    if (before.network != origin.network)
        throw begun("with another network, or without naming it (--eval-file)");
    if (before.parents != origin.parents)
        throw begun("with other files of parents");
}

// Fails unless a rescored file has the games to rescore, from the first one on.
void check_rescored(const Options& o, std::string_view records, const Input& input) {
    for (std::size_t i = 0; !records.empty(); ++i) {
        if (i >= input.games.size() || !has_same_moves(records, input.games[i]))
            throw Failure(
                fmt::format("{}: game {} is not that of the files to rescore", o.output, i + 1));
        records.remove_prefix(GameHeaderSize + PlySize * input.games[i].plies.size());
    }
}

// The extent of an existing file, which must have been begun with the same options. Cuts off an
// incomplete record at its end.
Extent
continue_file(const Options& o, const File& file, const std::string& bytes, const Input& input) {
    const Extent extent = value_or_throw(measure_games(bytes), o.output + ": ");
    const GamesHeader header = value_or_throw(decode_header(bytes));
    check_header(o, header, origin_of(o, input));
    if (o.mode() == GenerationMode::Rescored)
        check_rescored(
            o, std::string_view(bytes).substr(0, extent.bytes).substr(GamesHeaderSize), input);
    if (extent.bytes < bytes.size() && !file.truncate(static_cast<std::int64_t>(extent.bytes)))
        throw Failure("cannot cut the last record of " + o.output);
    if (!header.origin)
        std::cerr << fmt::format(
            "{}: was begun by an older program; its other options are not known\n", o.output);
    return extent;
}

// Opens the file for appending, or begins it, and keeps other programs from it.
File open_output(const Options& o, const Input& input, Extent& extent) {
    const Failure cannot_write("cannot write " + o.output);
    File file(value_or_throw(tools::file_to_replace(o.output)), File::Mode::EditEnd);
    if (!file.is_open())
        throw cannot_write;
    if (!file.try_lock())
        throw Failure(o.output + " is in use by another program");
    const std::optional<std::string> bytes = file.read_all();
    if (!bytes)
        throw Failure("cannot read " + o.output);
    if (!bytes->empty()) {
        extent = continue_file(o, file, *bytes, input);
        return file;
    }
    if (!file.write(encode(GamesHeader{o.seed,
                                       static_cast<std::uint32_t>(o.rules.soft_nodes),
                                       NUTCRACKER_VERSION " " + o.note,
                                       o.mode(),
                                       origin_of(o, input)})))
        throw cannot_write;
    extent.bytes = GamesHeaderSize;
    return file;
}

std::vector<TrainingGame> do_task(const Options& o,
                                  const std::vector<TrainingGame>& games,
                                  engine::Searcher& searcher,
                                  std::uint64_t number) {
    const std::uint64_t seed = seed_of(o.seed, number);
    switch (o.mode()) {
    case GenerationMode::Rescored:
        return {rescore(searcher, games[number], o.rules.soft_nodes)};
    case GenerationMode::LabelledChildren:
        return label_children(
            searcher, games, {.nodes = o.rules.soft_nodes, .every = o.label_every}, seed);
    default:
        return {play_training_game(searcher, o.rules, seed)};
    }
}

int run(const tools::Words& words) {
    Options o = parse(words);
    if (!o.to_pack.empty())
        return pack_file(o.to_pack, o.output);
    if (!o.to_unpack.empty())
        return unpack_file(o.to_unpack, o.output, o.skip_damaged ? Damage::Skip : Damage::Refuse);
    const auto& signals = engine::platform::end_requests();
    std::vector<std::unique_ptr<engine::Searcher>> searchers;
    const int hash = o.mode() == GenerationMode::LabelledChildren ? ChildrenHashMib : HashMib;
    for (int i = 0; i < o.threads; ++i)
        searchers.push_back(tools::make_single_threaded(hash, o.network));
    const Input input = read_games(o);
    if (!o.rescored.empty())
        o.games = std::min<std::uint64_t>(o.games == 0 ? input.games.size() : o.games,
                                          input.games.size());
    Extent before;
    File file = open_output(o, input, before);
    OutputFile output(o, std::move(file), before);
    const auto work = [&](int i) {
        engine::Searcher& searcher = *searchers[static_cast<std::size_t>(i)];
        while (const auto number = output.next())
            if (!output.add(*number, do_task(o, input.games, searcher, *number)))
                break;
    };
    const auto check_time = [&](double seconds) {
        if (o.seconds > 0 && seconds >= o.seconds)
            output.stop();
    };
    tools::run_workers(
        o.threads,
        work,
        {.signals = &signals,
         .stop = [&output] { output.stop(); },
         .every_second = check_time,
         .progress = [&output](double seconds) { return output.progress(seconds); }});
    if (output.failed())
        throw Failure("cannot write " + o.output);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-datagen", argc, argv, run);
}

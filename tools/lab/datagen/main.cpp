// nutcracker-datagen: the engine plays itself and writes down what a network can learn from.
#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/common/signals.h"
#include "tools/common/workers.h"
#include "tools/lab/datagen/children.h"
#include "tools/lab/datagen/rescore.h"
#include "tools/lab/datagen/training_game.h"

#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>

namespace {

namespace po = boost::program_options;

constexpr int HashMib = 8;

struct Options {
    std::string output, note, network;
    std::uint64_t seed = 0, games = 0, positions = 0;
    int threads = 1, seconds = 0;
    std::vector<std::string> parents, revalued;
    tools::SelfPlay rules;
};

// The file of games, and when it is enough. Shared by the playing threads.
class Harvest {
  public:
    Harvest(const Options& o, std::ofstream file, const tools::Extent& before)
        : options_(o), file_(std::move(file)), before_(before),
          // Of children, a resumed run begins beyond the work of all in the file.
          next_(o.parents.empty() ? before.games : before.bytes / tools::PlySize),
          to_write_(next_) {}

    // The number of the next piece of work; nothing if there is enough.
    std::optional<std::uint64_t> next() {
        const std::lock_guard lock(mutex_);
        if (stop_ || full())
            return std::nullopt;
        ++started_;
        return next_++;
    }
    // What that work gave. Written in the order of the numbers, however many threads there are.
    bool add(std::uint64_t number, const std::vector<tools::TrainingGame>& games) {
        std::string bytes;
        std::uint64_t usable = 0;
        for (const tools::TrainingGame& game : games) {
            bytes += tools::encode(game);
            usable += count_usable(game);
        }
        const std::lock_guard lock(mutex_);
        waiting_.emplace(number, std::move(bytes));
        for (auto it = waiting_.begin(); it != waiting_.end() && it->first == to_write_;
             it = waiting_.erase(it), ++to_write_)
            file_.write(it->second.data(), static_cast<std::streamsize>(it->second.size())).flush();
        for (const tools::TrainingGame& game : games) {
            plies_ += game.plies.size();
            ++results_.at(static_cast<std::size_t>(game.result));
        }
        games_ += games.size();
        usable_ += usable;
        return file_.good();
    }
    void stop() {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    [[nodiscard]] bool failed() {
        const std::lock_guard lock(mutex_);
        return !file_.good();
    }
    [[nodiscard]] std::string report(double seconds) {
        const std::lock_guard lock(mutex_);
        std::ostringstream text;
        text << std::fixed << std::setprecision(0) << before_.games + games_ << " games, "
             << before_.plies + plies_ << " positions; now "
             << static_cast<double>(plies_) / seconds << " positions/s, "
             << static_cast<double>(usable_) / seconds << " usable/s; white +" << results_[2]
             << " =" << results_[1] << " -" << results_[0];
        return text.str();
    }

  private:
    static std::uint64_t count_usable(const tools::TrainingGame& game) {
        engine::Position pos = game.start;
        std::uint64_t usable = 0;
        for (const tools::ScoredMove& ply : game.plies) {
            usable += tools::is_usable(pos, ply, tools::game_ply(pos)) ? 1U : 0U;
            pos.make(ply.move);
        }
        return usable;
    }
    [[nodiscard]] bool full() const {
        const std::uint64_t games = options_.parents.empty() ? started_ : games_;
        return (options_.games != 0 && before_.games + games >= options_.games) ||
               (options_.positions != 0 && before_.plies + plies_ >= options_.positions);
    }

    const Options& options_;
    std::mutex mutex_;  // guards all that follows
    std::ofstream file_;
    tools::Extent before_;
    std::uint64_t next_, to_write_;
    std::map<std::uint64_t, std::string> waiting_;  // by number: done before an earlier one
    std::uint64_t started_ = 0, games_ = 0, plies_ = 0, usable_ = 0;
    std::array<std::uint64_t, 4> results_{};
    bool stop_ = false;
};

int complain(const std::string& what) {
    std::cerr << "nutcracker-datagen: " << what << '\n';
    return 2;
}

// Reads the options; an exit code if there is nothing more to do.
std::optional<int> parse(const std::vector<std::string>& arguments, Options& o) {
    po::options_description words("nutcracker-datagen: self-play games as training data");
    words.add_options()("help", "this text")(
        "output,o", po::value(&o.output), "file to write; games are added to one that exists")(
        "seed", po::value(&o.seed)->default_value(1), "equal seeds give equal games")(
        "threads", po::value(&o.threads)->default_value(1), "games at the same time")(
        "nodes", po::value(&o.rules.soft_nodes)->default_value(1'000), "soft node limit of a move")(
        "random-plies", po::value(&o.rules.random_plies)->default_value(8), "or one more")(
        "games", po::value(&o.games)->default_value(0), "stop when the file holds so many")(
        "positions", po::value(&o.positions)->default_value(0), "stop when the file holds so many")(
        "seconds", po::value(&o.seconds)->default_value(0), "stop after this time")(
        "eval-file",
        po::value(&o.network),
        "network that evaluates, not the built-in one; -: the hand-written evaluation")(
        "children-of",
        po::value(&o.parents)->multitoken(),
        "files of games: no new ones, but near positions, each with a search of its own")(
        "revalue",
        po::value(&o.revalued)->multitoken(),
        "files of games: the same ones, with the scores of new searches")(
        "note", po::value(&o.note)->default_value(""), "kept in the header of a new file");
    po::variables_map given;
    if (const auto code = tools::read_options(
            {.who = "nutcracker-datagen",
             .words = arguments,
             .explanation = "\nWithout a bound it plays until it is interrupted; games begun are "
                            "finished.\n"},
            words,
            given))
        return code;
    if (o.output.empty())
        return complain("no file to write (--output)");
    if (!o.parents.empty() && !o.revalued.empty())
        return complain("either --children-of or --revalue");
    if (o.threads < 1 || o.threads > 256 || o.seconds < 0 || o.rules.soft_nodes < 1 ||
        o.rules.random_plies < 0 || o.rules.random_plies > 40)
        return complain("a number is out of range");
    return std::nullopt;
}

tools::Work work_of(const Options& o) {
    return !o.parents.empty()    ? tools::Work::Children
           : !o.revalued.empty() ? tools::Work::Revalued
                                 : tools::Work::Played;
}

std::string name_of(tools::Work work) {
    switch (work) {
    case tools::Work::Played:
        return "by playing";
    case tools::Work::Children:
        return "with --children-of";
    case tools::Work::Revalued:
        return "with --revalue";
    case tools::Work::Unknown:
        break;
    }
    return "by an older program";
}

// Opens the file for appending, without a record that was cut off, or begins it.
Result<tools::Extent> open_games(const Options& o, std::ofstream& file) {
    tools::Extent extent;
    if (access(o.output.c_str(), F_OK) == 0) {
        const Result<std::string> read = tools::read_bytes(o.output);
        if (!read)
            return fail(read.error().what);
        const std::string& bytes = *read;
        const Result<tools::Extent> measured = tools::measure_games(bytes);
        if (!measured)
            return fail(o.output + ": " + measured.error().what);
        const Result<tools::GamesHeader> header = tools::decode_header(bytes);
        if (header->seed != o.seed || header->soft_nodes != o.rules.soft_nodes)
            return fail(o.output + ": was begun with seed " + std::to_string(header->seed) +
                        " and " + std::to_string(header->soft_nodes) + " nodes");
        if (header->work != work_of(o))
            return fail(o.output + ": was begun " + name_of(header->work));
        extent = *measured;
        if (extent.bytes < bytes.size() &&
            truncate(o.output.c_str(), static_cast<off_t>(extent.bytes)) != 0)
            return fail("cannot cut the last record of " + o.output);
    }
    file.open(o.output, std::ios::binary | std::ios::app);
    if (extent.bytes == 0) {
        file << tools::encode(tools::GamesHeader{o.seed,
                                                 static_cast<std::uint32_t>(o.rules.soft_nodes),
                                                 NUTCRACKER_VERSION " " + o.note,
                                                 work_of(o)})
             << std::flush;
        extent.bytes = tools::GamesHeaderSize;
    }
    if (!file)
        return fail("cannot write " + o.output);
    return extent;
}

// Empty if games are to be played. Parents without those that training holds out.
Result<std::vector<tools::TrainingGame>> read_games(const Options& o) {
    std::vector<tools::TrainingGame> games;
    std::uint64_t number = 0;
    const auto keep = [&](tools::TrainingGame game) {
        const bool child = game.result == tools::GameResult::Unknown;
        if (!child && (o.parents.empty() || number++ % tools::HeldOutEvery != 0))
            games.push_back(std::move(game));
    };
    const std::vector<std::string>& files = o.parents.empty() ? o.revalued : o.parents;
    for (const std::string& path : files)
        if (const Result<void> read = tools::for_each_game(path, keep); !read)
            return fail(read.error().what);
    if (games.empty() && !files.empty())
        return fail("no games in " + files.front());
    return games;
}

Result<std::unique_ptr<engine::Searcher>> make_player(const std::string& network) {
    std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    if (!searcher)
        return fail("no engine for this processor");
    searcher->set_threads(1);
    const Result<void> sized = searcher->set_hash(HashMib);
    if (!sized)
        return fail(sized.error().what);
    if (const Result<void> used = searcher->set_network(network); !used)
        return fail(used.error().what);
    return searcher;
}

// The piece of work of that number: one game, or children of one.
std::vector<tools::TrainingGame> work_on(const Options& o,
                                         const std::vector<tools::TrainingGame>& games,
                                         engine::Searcher& player,
                                         std::uint64_t number) {
    const std::uint64_t seed = tools::seed_of(o.seed, number);
    if (!o.revalued.empty())
        return {revalue(player, games[number], o.rules.soft_nodes)};
    if (!o.parents.empty())
        return value_children(player, games, o.rules.soft_nodes, seed);
    return {play_training_game(player, o.rules, seed)};
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    if (const auto code = parse({argv + 1, argv + argc}, o))
        return *code;
    const int signals = tools::signals_as_file();
    std::vector<std::unique_ptr<engine::Searcher>> searchers;
    for (int i = 0; i < o.threads; ++i) {
        Result<std::unique_ptr<engine::Searcher>> searcher = make_player(o.network);
        if (!searcher)
            return complain(searcher.error().what);
        searchers.push_back(std::move(*searcher));
    }
    const Result<std::vector<tools::TrainingGame>> games = read_games(o);
    if (!games)
        return complain(games.error().what);
    if (!o.revalued.empty())
        o.games = o.games == 0 ? games->size() : std::min<std::uint64_t>(o.games, games->size());
    std::ofstream file;
    const Result<tools::Extent> before = open_games(o, file);
    if (!before)
        return complain(before.error().what);
    Harvest harvest(o, std::move(file), *before);
    const auto work = [&](int i) {
        engine::Searcher& player = *searchers[static_cast<std::size_t>(i)];
        while (const auto number = harvest.next())
            if (!harvest.add(*number, work_on(o, *games, player, *number)))
                break;
    };
    const auto look = [&](double seconds) {
        if (o.seconds > 0 && seconds >= o.seconds)
            harvest.stop();
    };
    tools::work_together(
        o.threads,
        work,
        {.signals = signals,
         .stop = [&harvest] { harvest.stop(); },
         .look = look,
         .report = [&harvest](double seconds) { return harvest.report(seconds); }});
    return harvest.failed() ? complain("cannot write " + o.output) : 0;
}

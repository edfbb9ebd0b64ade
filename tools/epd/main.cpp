// nutcracker-epd: searches the positions of a test suite and counts those that it solves.
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "engine/platform/file.h"
#include "tools/common/command_line.h"
#include "tools/epd/epd_suite.h"

#include <fstream>
#include <iostream>

#include <fmt/format.h>

namespace po = boost::program_options;

namespace {

using engine::milliseconds;

struct Answer {
    engine::SearchResult choice;
    engine::Score score = engine::NoScore;
    // Time and depth at which the search last changed to its final move.
    milliseconds found_at{};
    int found_depth = 0;
};

// Follows one search by its callbacks, which have all returned when wait() returns.
Answer
search(engine::Searcher& searcher, const tools::epd::EpdCase& task, const engine::Limits& limits) {
    Answer answer;
    engine::Move leading = engine::NoMove;
    const auto thought = [&](const engine::SearchInfo& t) {
        answer.score = t.score;
        if (t.pv.front() == leading)
            return;
        leading = t.pv.front();
        answer.found_at = t.spent;
        answer.found_depth = t.depth;
    };
    const auto done = [&](const engine::SearchResult& choice) { answer.choice = choice; };
    searcher.clear();
    searcher.start(engine::Game(task.position), limits, thought, done);
    searcher.wait();
    if (answer.choice.score != engine::NoScore)
        answer.score = answer.choice.score;
    return answer;
}

std::string score_text(engine::Score score) {
    if (score == engine::NoScore)
        return "?";
    if (engine::is_mate(score))
        return fmt::format("#{}", engine::mate_moves(score));
    return fmt::format("{:+.2f}", score / 100.0);
}

// The right answer, for the line of a position that was not solved.
std::string wanted_text(const tools::epd::EpdCase& task) {
    std::string text;
    for (const engine::Move m : task.best)
        text += ' ' + engine::to_san(task.position, m);
    if (!text.empty())
        text = " bm" + text;
    for (const engine::Move m : task.avoid)
        text += " am " + engine::to_san(task.position, m);
    if (task.mate)
        text += " dm " + std::to_string(*task.mate);
    return text;
}

struct Totals {
    int positions = 0, solved = 0;
    int points = 0, max_points = 0;
    milliseconds time_to_solve{};  // of the solved ones
    std::uint64_t nodes = 0;
};

void print_line(const tools::epd::EpdCase& task, const Answer& answer, bool solved) {
    std::cout << fmt::format("{} {} {} {} since {} ms depth {} of {} nodes {}",
                             solved ? "solved" : "failed",
                             task.id,
                             answer.choice.best ? engine::to_san(task.position, answer.choice.best)
                                                : "-",
                             score_text(answer.score),
                             answer.found_at.count(),
                             answer.found_depth,
                             answer.choice.depth,
                             answer.choice.nodes);
    if (!task.points.empty())
        std::cout << " points " << tools::epd::points_for(task, answer.choice.best) << '/'
                  << tools::epd::max_points(task);
    if (!solved)
        std::cout << wanted_text(task);
    std::cout << std::endl;
}

Totals play_through(engine::Searcher& searcher,
                    const std::vector<tools::epd::EpdCase>& tasks,
                    const engine::Limits& limits) {
    Totals totals;
    for (const tools::epd::EpdCase& task : tasks) {
        const Answer answer = search(searcher, task, limits);
        const bool solved = tools::epd::is_solved(task, answer.choice.best, answer.score);
        ++totals.positions;
        totals.solved += solved ? 1 : 0;
        totals.time_to_solve += solved ? answer.found_at : milliseconds(0);
        totals.points += tools::epd::points_for(task, answer.choice.best);
        totals.max_points += tools::epd::max_points(task);
        totals.nodes += answer.choice.nodes;
        print_line(task, answer, solved);
        if (totals.positions % 50 == 0)
            std::cerr << totals.positions << " of " << tasks.size() << ", solved " << totals.solved
                      << '\n';
    }
    return totals;
}

void print_totals(const Totals& t) {
    std::cout << "solved " << t.solved << " of " << t.positions << ", "
              << t.time_to_solve.count() / std::max(t.solved, 1) << " ms a solution, " << t.nodes
              << " nodes";
    if (t.max_points > 0)
        std::cout << ", points " << t.points << " of " << t.max_points << " ("
                  << 100.0 * t.points / t.max_points << " %)";
    std::cout << '\n';
}

struct Options {
    std::string file, slice;
    engine::Limits limits;
    int threads = 1, hash = 64;
    std::size_t first = 1, count = 0;
    int require = 0;
};

Options parse(const tools::Words& words) {
    Options o;
    int time = 0, depth = 0;
    std::uint64_t nodes = 0;
    po::options_description options(
        "Usage: nutcracker-epd FILE --time MS|--nodes N|--depth D [OPTION...]\n\n"
        "Searches the positions of an EPD file and counts those that are solved: the move at the "
        "end\n"
        "of the search is a best move (bm) and not one to avoid (am), or the mate (dm) is found. "
        "c8\n"
        "with c9 or c7 gives points for moves.\n\nOptions");
    auto option = options.add_options();
    option("file", po::value(&o.file), "lines of EPD");
    option("time", tools::ranged(time, 1), "milliseconds for each position");
    option("nodes", tools::ranged(nodes, 1), "nodes for each position");
    option("depth", tools::ranged(depth, 1, engine::MaxPly - 1), "depth in plies");
    option("threads", tools::bound(o.threads, 1, 256), "search threads");
    option("hash", tools::bound(o.hash, 1, 65'536), "size of the hash table in MiB");
    option("first", tools::bound(o.first, 1), "number of the first position");
    option("count", tools::bound(o.count), "number of positions; 0: all");
    option("slice", po::value(&o.slice), "code for this instruction set instead of the fastest");
    option("require", po::value(&o.require), "exit with status 1 if fewer are solved");
    tools::parse_options(
        {.who = "nutcracker-epd",
         .words = words,
         .rest = "file",
         .max_rest = 1,
         .explanation =
             "\nExit status: 0; 1 if fewer than --require are solved; 2 for wrong use.\n"},
        options);
    if (time > 0)
        o.limits.move_time = milliseconds(time);
    if (nodes > 0)
        o.limits.nodes = nodes;
    if (depth > 0)
        o.limits.depth = depth;
    if (o.file.empty() || (!o.limits.move_time && !o.limits.nodes && !o.limits.depth))
        throw tools::Failure("a file and one of --time, --nodes, --depth are needed (try --help)");
    return o;
}

// The positions from --first on, at most --count.
std::vector<tools::epd::EpdCase> load(const Options& o) {
    std::ifstream file(engine::platform::long_path(o.file));
    if (!file)
        throw tools::Failure("cannot read " + o.file);
    auto tasks = tools::value_or_throw(tools::epd::read_epd_suite(file), o.file + ": ");
    tasks.erase(tasks.begin(),
                tasks.begin() + static_cast<std::ptrdiff_t>(std::min(o.first - 1, tasks.size())));
    if (o.count > 0 && o.count < tasks.size())
        tasks.resize(o.count);
    if (tasks.empty())
        throw tools::Failure(o.file + " has no such positions");
    return tasks;
}

int run(const tools::Words& words) {
    Options o = parse(words);
    const std::vector<tools::epd::EpdCase> tasks = load(o);
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher(o.slice);
    if (!searcher)
        throw tools::Failure("no slice " + o.slice + " on this processor");
    tools::value_or_throw(searcher->set_hash(o.hash));
    if (const int threads = searcher->set_threads(o.threads); threads < o.threads)
        std::cerr << "only " << threads << " of " << o.threads << " threads could be started\n";
    const Totals totals = play_through(*searcher, tasks, o.limits);
    print_totals(totals);
    return totals.solved < o.require ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-epd", argc, argv, run);
}

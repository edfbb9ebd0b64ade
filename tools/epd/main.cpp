// nutcracker-epd: plays through a test suite and counts what the search solves.
#include "engine/board/notation.h"
#include "engine/engine.h"
#include "tools/common/command_line.h"
#include "tools/epd/epd_suite.h"

#include <cstdio>
#include <fstream>
#include <iostream>

namespace po = boost::program_options;

namespace {

using engine::milliseconds;

struct Answer {
    engine::SearchResult choice;
    engine::Score score = engine::NoScore;
    // When the final move came to stand first and stayed there, and how deep the search then was.
    milliseconds found_at{};
    int found_depth = 0;
};

// Follows one search from its callbacks. The search is waited for, so nobody reads meanwhile.
Answer
search(engine::Searcher& searcher, const tools::EpdCase& task, const engine::Limits& limits) {
    Answer answer;
    engine::Move leading = engine::NoMove;
    const auto thought = [&](const engine::SearchInfo& t) {
        answer.score = t.score;
        if (t.line.front() == leading)
            return;
        leading = t.line.front();
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
        return "#" + std::to_string(engine::mate_moves(score));
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "%+.2f", score / 100.0);
    return text.data();
}

// What the task wants, for the line of a position that was not solved.
std::string wanted_text(const tools::EpdCase& task) {
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
    int points = 0, most_points = 0;
    milliseconds time_to_solve{};  // of the solved ones
    std::uint64_t nodes = 0;
};

void print_line(const tools::EpdCase& task, const Answer& answer, bool solved) {
    std::cout << (solved ? "solved " : "failed ") << task.id << ' '
              << (answer.choice.best ? engine::to_san(task.position, answer.choice.best) : "-")
              << ' ' << score_text(answer.score) << " since " << answer.found_at.count()
              << " ms depth " << answer.found_depth << " of " << answer.choice.depth << " nodes "
              << answer.choice.nodes;
    if (!task.points.empty())
        std::cout << " points " << tools::points_for(task, answer.choice.best) << '/'
                  << tools::most_points(task);
    if (!solved)
        std::cout << wanted_text(task);
    std::cout << std::endl;
}

Totals play_through(engine::Searcher& searcher,
                    const std::vector<tools::EpdCase>& tasks,
                    const engine::Limits& limits) {
    Totals totals;
    for (const tools::EpdCase& task : tasks) {
        const Answer answer = search(searcher, task, limits);
        const bool solved = tools::is_solved(task, answer.choice.best, answer.score);
        ++totals.positions;
        totals.solved += solved ? 1 : 0;
        totals.time_to_solve += solved ? answer.found_at : milliseconds(0);
        totals.points += tools::points_for(task, answer.choice.best);
        totals.most_points += tools::most_points(task);
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
    if (t.most_points > 0)
        std::cout << ", points " << t.points << " of " << t.most_points << " ("
                  << 100.0 * t.points / t.most_points << " %)";
    std::cout << '\n';
}

int complain(const std::string& what) {
    std::cerr << "nutcracker-epd: " << what << '\n';
    return 2;
}

struct Options {
    std::string file, slice;
    engine::Limits limits;
    int threads = 1, hash = 64;
    std::size_t first = 1, count = 0;
    std::optional<int> require;
};

// Reads the options; an exit code if there is nothing more to do.
std::optional<int> parse(const std::vector<std::string>& words, Options& o) {
    int time = 0, depth = 0;
    std::uint64_t nodes = 0;
    po::options_description options(
        "nutcracker-epd FILE --time MS | --nodes N | --depth D\n"
        "A position is solved when the move at the end of the search is right (bm, am), or the "
        "mate\n"
        "is found (dm). c8 with c9 or c7 gives points for moves.\n"
        "Exit status: 0; 1 if fewer than --require are solved; 2 for wrong use");
    auto option = options.add_options();
    option("help,h", "show this");
    option("file", po::value(&o.file), "lines of EPD");
    option("time", po::value(&time), "milliseconds a position");
    option("nodes", po::value(&nodes), "nodes a position");
    option("depth", po::value(&depth), "plies");
    option("threads", po::value(&o.threads)->default_value(1), "search threads");
    option("hash", po::value(&o.hash)->default_value(64), "MiB");
    option("first", po::value(&o.first)->default_value(1), "number of the first position");
    option("count", po::value(&o.count)->default_value(0), "how many positions; 0: all");
    option("slice", po::value(&o.slice), "code for this instruction set instead of the fastest");
    option("require", po::value<int>(), "exit with 1 if fewer are solved");
    po::variables_map given;
    if (const auto code = tools::read_options(
            {.who = "nutcracker-epd", .words = words, .rest = "file", .most_rest = 1},
            options,
            given))
        return code;
    if (given.contains("require"))
        o.require = given["require"].as<int>();
    if (time > 0)
        o.limits.move_time = milliseconds(time);
    if (nodes > 0)
        o.limits.nodes = nodes;
    if (depth > 0)
        o.limits.depth = std::min(depth, engine::MaxPly - 1);
    if (o.file.empty() || (!o.limits.move_time && !o.limits.nodes && !o.limits.depth))
        return complain("a file and one of --time, --nodes, --depth are needed (try --help)");
    if (o.threads < 1 || o.threads > 256 || o.hash < 1 || o.hash > 65536 || o.first < 1)
        return complain("threads must be 1 to 256, hash 1 to 65536, first 1 or more");
    return std::nullopt;
}

// The positions that were asked for.
Result<std::vector<tools::EpdCase>> load(const Options& o) {
    std::ifstream file(o.file);
    if (!file)
        return fail("cannot read " + o.file);
    Result<std::vector<tools::EpdCase>> tasks = tools::read_epd_suite(file);
    if (!tasks)
        return fail(o.file + ": " + tasks.error().what);
    tasks->erase(tasks->begin(),
                 tasks->begin() +
                     static_cast<std::ptrdiff_t>(std::min(o.first - 1, tasks->size())));
    if (o.count > 0 && o.count < tasks->size())
        tasks->resize(o.count);
    if (tasks->empty())
        return fail(o.file + " has no such positions");
    return tasks;
}

int run(const std::vector<std::string>& words) {
    Options o;
    if (const auto code = parse(words, o))
        return *code;
    const Result<std::vector<tools::EpdCase>> tasks = load(o);
    if (!tasks)
        return complain(tasks.error().what);
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher(o.slice);
    if (!searcher)
        return complain("no slice " + o.slice + " on this processor");
    if (const Result<void> set = searcher->set_hash(o.hash); !set)
        return complain(set.error().what);
    searcher->set_threads(o.threads);
    const Totals totals = play_through(*searcher, *tasks, o.limits);
    print_totals(totals);
    return o.require && totals.solved < *o.require ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    return run({argv + 1, argv + argc});
}

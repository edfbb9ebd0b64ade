#include "tools/lab/learning/subcommands.h"

#include "book/store/failure.h"
#include "engine/platform/file.h"
#include "tools/common/files.h"
#include "tools/lab/learning/book_copy.h"
#include "tools/lab/learning/collection.h"
#include "tools/lab/learning/foreign_report.h"
#include "tools/lab/learning/learning_run.h"
#include "tools/lab/learning/played_so_far.h"
#include "tools/lab/learning/series_report.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

namespace tools::learning::command {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr int HashMib = 4;           // enough for so few nodes, and quickly cleared
constexpr std::size_t MinPlies = 8;  // of a named line that a collection begins with

// Overwrites the progress line on standard error.
void print_progress(const std::string& text, bool last) {
    std::cerr << '\r' << text << (last ? "\n" : "") << std::flush;
}

Judge make_judge(std::uint64_t nodes) {
    return {make_single_threaded(HashMib), nodes};
}

// The poisoned moves of a file; none without a file.
PoisonSet read_poisons(const std::string& file) {
    if (file.empty())
        return {};
    std::istringstream lines(value_or_throw(read_bytes(file)));
    std::vector<Poison> poisons;
    for (std::string line; std::getline(lines, line);)
        poisons.push_back(value_or_throw(poison_from_text(line)));
    return poisoned_moves(poisons);
}

struct AllRuns {
    std::vector<Series> own;  // against the same engine
    std::vector<ForeignSeries> foreign;
};

template <typename Runs>
void add_run(const fs::path& file, Result<Runs> read, std::vector<Runs>& runs) {
    Runs run = value_or_throw(std::move(read), fmt::format("\"{}\": ", file.string()));
    if (run.complete)
        runs.push_back(std::move(run));
}

// The complete runs in a folder, sorted by name.
AllRuns read_runs(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".tsv")
            files.push_back(entry.path());
    if (error)
        throw Failure(fmt::format("\"{}\" cannot be read: {}", folder.string(), error.message()));
    std::sort(files.begin(), files.end());
    AllRuns all;
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
        if (name.starts_with("foreign-") || name.starts_with("repeat-"))
            add_run(file,
                    foreign_series_from_text(value_or_throw(read_bytes(file.string()))),
                    all.foreign);
        else if (has("-learning") || has("-control"))
            add_run(file, series_from_text(value_or_throw(read_bytes(file.string()))), all.own);
    }
    return all;
}

// Plays with our book in `copy` and writes the results. They are in FILE.part until all are played.
void write_run(const Rules& rules,
               const fs::path& copy,
               Participants& participants,
               const std::string& file) {
    const std::string part = file + ".part";
    std::ofstream results(engine::platform::long_path(part), std::ios::binary);
    results << heading(rules);
    double points = 0;
    play_run(rules, copy, participants, [&](const GameRow& row) {
        results << to_text(row) << '\n' << std::flush;
        points += row.score;
        if (row.number % 20 == 0 || row.number == rules.games)
            print_progress(fmt::format("{}: {}/{}, score {:.1f} %",
                                       name_of(rules),
                                       row.number,
                                       rules.games,
                                       100 * points / row.number),
                           row.number == rules.games);
        return bool{results};
    });
    results << CompleteMark;
    results.close();
    if (!results)
        throw Failure(fmt::format("\"{}\" cannot be written", part));
    std::error_code error;
    fs::rename(part, file, error);
    if (error)
        throw Failure(fmt::format("\"{}\" cannot be written: {}", file, error.message()));
}

}  // namespace

int run_work(const std::function<int()>& work) {
    try {
        return work();
    } catch (const std::exception& e) {
        throw Failure(book::error_from(e).what, 1);
    }
}

int games(const Words& words) {
    std::string openings_file;
    int count = 4'000;
    std::uint64_t seed = 1;
    po::options_description options(
        "Usage: nutcracker-learningmatch games --openings TABLE [OPTION...] > FILE.pgn\n\n"
        "Writes games that begin with named openings and are continued by self-play.\n\nOptions");
    auto option = options.add_options();
    option("openings", po::value(&openings_file)->required(), "table (data/openings.tsv)");
    option("games", bound(count, 1), "number of games");
    option("seed", bound(seed), "equal seeds give equal games");
    parse_options({.who = "nutcracker-learningmatch: games", .words = words}, options);
    return run_work([&] {
        const std::string table = value_or_throw(read_bytes(openings_file));
        std::vector<book::Opening> openings = book::parse_openings(table);
        std::erase_if(openings, [](const book::Opening& o) { return o.moves.size() < MinPlies; });
        const std::unique_ptr<engine::Searcher> searcher = make_single_threaded(HashMib);
        if (openings.empty())
            throw Failure(fmt::format("\"{}\" has no openings", openings_file));
        for (int i = 1; i <= count && std::cout; ++i) {
            std::cout << make_game(*searcher, openings, seed, i);
            if (i % 50 == 0 || i == count)
                print_progress(fmt::format("games {}/{}", i, count), i == count);
        }
        if (!std::cout.flush())
            throw Failure("the games cannot be written");
        return 0;
    });
}

int poison(const Words& words) {
    std::string clean_file, folder;
    PoisonRules rules;
    po::options_description options(
        "Usage: nutcracker-learningmatch poison --book CLEAN.db --out FOLDER [OPTION...]\n\n"
        "Writes poisoned-SEED.db and, when it is complete, poisoned-SEED.tsv.\n\nOptions");
    auto option = options.add_options();
    option("book", po::value(&clean_file)->required(), "the clean book");
    option("out", po::value(&folder)->required(), "folder for the poisoned book");
    option("seed", bound(rules.seed), "equal seeds poison equal positions");
    option("share", bound(rules.share, 0, 1), "share of the positions that are poisoned");
    option("min-loss", bound(rules.min_loss), "least loss by a poisoned move, centipawns");
    option("max-loss", bound(rules.max_loss), "largest loss by a poisoned move, centipawns");
    option(
        "score", bound(rules.score, 0.3, 0.8), "score of a poisoned move in the book, 0.3 to 0.8");
    option("nodes", bound(rules.nodes, 1), "nodes of the first search of a candidate");
    option("deep-nodes", bound(rules.deep_nodes, 1), "nodes of the search that decides");
    parse_options({.who = "nutcracker-learningmatch: poison", .words = words}, options);
    if (rules.min_loss > rules.max_loss)
        throw Failure("poison: --min-loss is above --max-loss");
    return run_work([&] {
        book::Store clean(clean_file, false);
        Judge quick = make_judge(rules.nodes), deep = make_judge(rules.deep_nodes);
        const std::string name = fmt::format("poisoned-{}", rules.seed);
        const fs::path file = fs::path(folder) / (name + ".db");
        remove_book(file, {clean_file});
        book::Store target(file, true);
        const auto progress = [&name](std::size_t done, std::size_t all) {
            if (done % 20 == 0 || done == all)
                print_progress(fmt::format("{}: {}/{}", name, done, all), done == all);
        };
        const std::vector<Poison> poisons =
            learning::poison(clean, target, rules, quick, deep, progress);
        target.db.seal();
        std::string lines;
        for (const Poison& p : poisons)
            lines += to_text(p) + '\n';
        value_or_throw(replace_file((fs::path(folder) / (name + ".tsv")).string(), lines));
        return 0;
    });
}

int play(const Words& words) {
    std::string clean_file, book_file, poisons_file, out;
    Rules rules;
    bool no_learning = false;
    po::options_description options(
        "Usage: nutcracker-learningmatch play --clean CLEAN.db --book BOOK.db --out FILE "
        "[OPTION...]\n\nPlays a run with a copy of BOOK.db, which is kept beside FILE. A run that "
        "is "
        "complete is\nnot played again, nor replaced by one with other options.\n\nOptions");
    auto option = options.add_options();
    option("clean", po::value(&clean_file)->required(), "the opponent's book");
    option("book", po::value(&book_file)->required(), "our book");
    option("poisons", po::value(&poisons_file), "its poisoned moves (poisoned-SEED.tsv)");
    option("out", po::value(&out)->required(), "file of results; FILE.part until it is complete");
    option("no-learning", po::bool_switch(&no_learning), "do not learn: the control");
    option("seed", bound(rules.seed), "equal seeds give equal games");
    option("games", bound(rules.games, 1), "number of games");
    option("nodes", bound(rules.nodes, 1), "nodes of a move");
    option("exit-nodes", bound(rules.exit_nodes, 1), "nodes for the score where we leave the book");
    parse_options({.who = "nutcracker-learningmatch: play", .words = words}, options);
    rules.learn = !no_learning;
    rules.poisoned = !poisons_file.empty();
    return run_work([&] {
        if (played_so_far(out, rules, series_from_text).complete)
            return 0;
        Participants participants{.ours = make_single_threaded(HashMib),
                                  .theirs = make_single_threaded(HashMib),
                                  .judge = make_judge(rules.exit_nodes),
                                  .clean = book::Store(clean_file, false),
                                  .poisoned = read_poisons(poisons_file)};
        const fs::path copy = fs::path(out).replace_extension(".db");
        remove_book(copy, {clean_file, book_file});
        std::error_code error;
        fs::copy_file(book_file, copy, error);
        if (error)
            throw Failure(fmt::format("\"{}\" cannot be copied: {}", book_file, error.message()));
        write_run(rules, copy, participants, out);
        return 0;
    });
}

int report(const Words& words) {
    std::string folder, name, note = "tools/lab/learning-match";
    po::options_description options(
        "Usage: nutcracker-learningmatch report --folder DIR --out NAME [--note TEXT]\n\n"
        "Writes a report of the complete runs in the folder to NAME.md, its curves to NAME.tsv "
        "(for\n"
        "tools/lab/plot), and the requirements to standard output. Exit status 1 if one failed.\n\n"
        "Options");
    auto option = options.add_options();
    option("folder", po::value(&folder)->required(), "folder of the runs");
    option("out", po::value(&name)->required(), "the report, without extension");
    option("note", bound(note), "how the runs were made");
    parse_options({.who = "nutcracker-learningmatch: report", .words = words}, options);
    return run_work([&] {
        const AllRuns all = read_runs(folder);
        if (all.own.empty() && all.foreign.empty())
            throw Failure(fmt::format("no complete run in \"{}\"", folder));
        const std::string picture = fs::path(name).filename().string() + ".svg";
        value_or_throw(replace_file(
            name + ".md", report_text(all.own, note, picture) + foreign_report(all.foreign, note)));
        if (!all.own.empty())
            value_or_throw(replace_file(name + ".tsv", report_curves(all.own)));
        std::vector<Check> rows = checks(all.own);
        for (Check& row : foreign_checks(all.foreign))
            rows.push_back(std::move(row));
        bool passed = true;
        for (const Check& c : rows) {
            std::cout << fmt::format(
                "{}\t{}\t{}\t{}\n", c.passed ? "passed" : "FAILED", c.what, c.found, c.required);
            passed = passed && c.passed;
        }
        return passed ? 0 : 1;
    });
}

}  // namespace tools::learning::command

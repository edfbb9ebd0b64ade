#include "tools/lab/learning/subcommands.h"

#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/lab/learning/collection.h"
#include "tools/lab/learning/learning_report.h"
#include "tools/lab/learning/learning_run.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

namespace tools::learning::command {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr int HashMib = 4;  // plenty for so few nodes, and quickly forgotten

int complain(const std::string& what, int code = 1) {
    std::cerr << "nutcracker-learningmatch: " << what << '\n';
    return code;
}

// Reads the options; an exit code if there is nothing more to do.
std::optional<int> read(const Arguments& arguments, const po::options_description& options) {
    po::variables_map given;
    return read_options({.who = "nutcracker-learningmatch", .words = arguments}, options, given);
}

// A line that is written over again and again.
void progress(const std::string& text, bool last) {
    std::cerr << '\r' << text << (last ? "\n" : "") << std::flush;
}

Result<Judge> make_judge(std::uint64_t nodes) {
    Result<Thinker> thinker = Thinker::make(HashMib);
    if (!thinker)
        return tl::unexpected<Error>(thinker.error());
    return Judge(std::move(*thinker), nodes);
}

// Makes room for a new book; false if it would take the place of a precious one.
bool remove_book(const fs::path& file, const std::vector<fs::path>& precious) {
    std::error_code none;
    for (const fs::path& book : precious)
        if (fs::equivalent(file, book, none))
            return false;
    for (const char* const end : {"", "-wal", "-shm"})
        fs::remove(fs::path(file) += end, none);
    return true;
}

// The run is complete and was played by these rules.
bool is_played(const std::string& file, const Rules& rules) {
    const Result<std::string> text = read_bytes(file);
    if (!text)
        return false;
    const Result<Series> series = series_from_text(*text);
    return series && series->complete && series->rules == rules;
}

// No poison without a file.
Result<PoisonSet> read_poisons(const std::string& file) {
    if (file.empty())
        return PoisonSet();
    const Result<std::string> text = read_bytes(file);
    if (!text)
        return tl::unexpected<Error>(text.error());
    std::istringstream lines(*text);
    std::vector<Poison> poisons;
    for (std::string line; std::getline(lines, line);) {
        const Result<Poison> p = poison_from_text(line);
        if (!p)
            return tl::unexpected<Error>(p.error());
        poisons.push_back(*p);
    }
    return poisoned_moves(poisons);
}

// The runs in a folder, by name.
Result<std::vector<Series>> read_runs(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const bool run = name.find("-learning") != std::string::npos ||
                         name.find("-control") != std::string::npos;
        if (run && entry.path().extension() == ".tsv")
            files.push_back(entry.path());
    }
    if (error)
        return fail("\"" + folder.string() + "\" cannot be read: " + error.message());
    std::sort(files.begin(), files.end());
    std::vector<Series> all;
    for (const fs::path& file : files) {
        const Result<std::string> text = read_bytes(file.string());
        Result<Series> series =
            text ? series_from_text(*text) : tl::unexpected<Error>(text.error());
        if (!series)
            return fail("\"" + file.string() + "\": " + series.error().what);
        if (series->complete)
            all.push_back(std::move(*series));
    }
    return all;
}

bool write(const std::string& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    return bool{out.flush()};
}

// Plays with our book in `copy` and writes the results; the file has its name when it is complete.
Result<void>
write_run(const Rules& rules, const fs::path& copy, Cast& cast, const std::string& file) {
    const std::string part = file + ".part";
    std::ofstream results(part);
    results << heading(rules);
    double points = 0;
    const Result<void> played = play_run(rules, copy, cast, [&](const GameRow& row) {
        results << to_text(row) << '\n' << std::flush;
        points += row.score;
        if (row.number % 20 == 0 || row.number == rules.games)
            progress(name_of(rules) + ": " + std::to_string(row.number) + "/" +
                         std::to_string(rules.games) + ", score " +
                         std::to_string(100 * points / row.number).substr(0, 4) + " %",
                     row.number == rules.games);
        return bool{results};
    });
    if (!played)
        return played;
    results << CompleteMark;
    results.close();
    if (!results)
        return fail("\"" + part + "\" cannot be written");
    std::error_code error;
    fs::rename(part, file, error);
    if (error)
        return fail("\"" + file + "\" cannot be written: " + error.message());
    return {};
}

}  // namespace

int games(const Arguments& arguments) {
    std::string openings_file;
    int count = 0;
    std::uint64_t seed = 0;
    po::options_description options(
        "Usage: nutcracker-learningmatch games --openings TABLE [OPTIONS] > FILE.pgn\n\nWrites "
        "games that follow named lines and are played on by the engine.\n\nOptions");
    options.add_options()("help", "this text")(
        "openings", po::value(&openings_file)->required(), "the table (data/openings.tsv)")(
        "games", po::value(&count)->default_value(4'000), "how many")(
        "seed", po::value(&seed)->default_value(1), "equal seeds give equal games");
    if (const auto code = read(arguments, options))
        return *code;
    if (count < 1)
        return complain("games: --games is at least 1", 2);
    const Result<std::string> table = read_bytes(openings_file);
    if (!table)
        return complain(table.error().what);
    const Result<std::vector<book::Opening>> openings = book::parse_openings(*table);
    Result<Thinker> thinker = Thinker::make(HashMib);
    if (!openings || !thinker)
        return complain(!openings ? openings.error().what : thinker.error().what);
    if (openings->empty())
        return complain("\"" + openings_file + "\" has no openings");
    for (int i = 1; i <= count && std::cout; ++i) {
        std::cout << make_game(*thinker, *openings, seed, i);
        if (i % 50 == 0 || i == count)
            progress("games " + std::to_string(i) + "/" + std::to_string(count), i == count);
    }
    std::cout.flush();
    return std::cout ? 0 : complain("the games cannot be written");
}

int poison(const Arguments& arguments) {
    std::string clean_file, folder;
    PoisonRules rules;
    std::uint64_t from = 1, to = 1;
    po::options_description options(
        "Usage: nutcracker-learningmatch poison --book CLEAN.db --out FOLDER [OPTIONS]\n\nWrites "
        "poisoned-SEED.db and poisoned-SEED.tsv for each seed.\n\nOptions");
    options.add_options()("help", "this text")(
        "book", po::value(&clean_file)->required(), "the clean book")(
        "out", po::value(&folder)->required(), "where the poisoned ones go")(
        "from", po::value(&from)->default_value(from), "first seed")(
        "to", po::value(&to)->default_value(to), "last seed")(
        "share", po::value(&rules.share)->default_value(rules.share), "of the positions")(
        "least", po::value(&rules.least_loss)->default_value(rules.least_loss), "centipawns")(
        "most", po::value(&rules.most_loss)->default_value(rules.most_loss), "centipawns")(
        "score",
        po::value(&rules.score)->default_value(rules.score),
        "that the book says a poisoned move makes, 0.3 to 0.8")(
        "nodes", po::value(&rules.nodes)->default_value(rules.nodes), "of a first look")(
        "deep-nodes",
        po::value(&rules.deep_nodes)->default_value(rules.deep_nodes),
        "of the search that decides");
    if (const auto code = read(arguments, options))
        return *code;
    if (from > to || rules.nodes < 1 || rules.deep_nodes < 1 ||
        rules.least_loss > rules.most_loss || !(rules.share >= 0 && rules.share <= 1) ||
        !(rules.score >= 0.3 && rules.score <= 0.8))
        return complain("poison: a number is out of range", 2);
    Result<book::Store> clean = book::Store::open(clean_file, false);
    Result<Judge> quick = make_judge(rules.nodes), deep = make_judge(rules.deep_nodes);
    if (!clean || !quick || !deep)
        return complain(!clean ? clean.error().what : "no engine for this processor");
    for (rules.seed = from; rules.seed <= to; ++rules.seed) {
        const std::string name = "poisoned-" + std::to_string(rules.seed);
        const fs::path file = fs::path(folder) / (name + ".db");
        if (!remove_book(file, {clean_file}))
            return complain("\"" + file.string() + "\" is the clean book");
        Result<book::Store> target = book::Store::open(file, true);
        if (!target)
            return complain(target.error().what);
        const auto told = [&name](std::size_t done, std::size_t all) {
            if (done % 20 == 0 || done == all)
                progress(name + ": " + std::to_string(done) + "/" + std::to_string(all),
                         done == all);
        };
        const Result<std::vector<Poison>> poisons =
            learning::poison(*clean, *target, rules, *quick, *deep, told);
        if (!poisons)
            return complain(poisons.error().what);
        if (const Result<void> sealed = target->db->seal(); !sealed)
            return complain(sealed.error().what);
        std::ofstream list(fs::path(folder) / (name + ".tsv"));
        for (const Poison& p : *poisons)
            list << to_text(p) << '\n';
        if (!list.flush())
            return complain("\"" + name + ".tsv\" cannot be written");
    }
    return 0;
}

int play(const Arguments& arguments) {
    std::string clean_file, book_file, poisons_file, out;
    Rules rules;
    bool no_learning = false, by_distance = false;
    po::options_description options(
        "Usage: nutcracker-learningmatch play --clean CLEAN.db --book BOOK.db --out FILE "
        "[OPTIONS]\n\nPlays a run with a copy of BOOK.db, which stays beside FILE. A run that is "
        "complete is\nnot played again.\n\nOptions");
    options.add_options()("help", "this text")(
        "clean", po::value(&clean_file)->required(), "the opponent's book")(
        "book", po::value(&book_file)->required(), "our book")(
        "poisons", po::value(&poisons_file), "what is poisoned in it (poisoned-SEED.tsv)")(
        "out", po::value(&out)->required(), "the results; .part is added until it is complete")(
        "no-learning", po::bool_switch(&no_learning), "the control")(
        "seed", po::value(&rules.seed)->default_value(rules.seed), "equal seeds: equal games")(
        "games", po::value(&rules.games)->default_value(rules.games), "how many")(
        "nodes", po::value(&rules.nodes)->default_value(rules.nodes), "a move")(
        "exit-nodes",
        po::value(&rules.exit_nodes)->default_value(rules.exit_nodes),
        "for the score of the position where we leave the book")(
        "improve-nodes",
        po::value(&rules.improve_nodes)->default_value(rules.improve_nodes),
        "idle analysis after each game: so many nodes, in searches of 10000")(
        "by-distance", po::bool_switch(&by_distance), "in order of distance, not of reach");
    if (const auto code = read(arguments, options))
        return *code;
    rules.learn = !no_learning;
    rules.by_reach = !by_distance;
    rules.poisoned = !poisons_file.empty();
    if (rules.games < 1 || rules.nodes < 1 || rules.exit_nodes < 1)
        return complain("play: a number is out of range", 2);
    if (is_played(out, rules))
        return 0;

    Result<book::Store> clean = book::Store::open(clean_file, false);
    Result<Judge> judge = make_judge(rules.exit_nodes);
    Result<Thinker> ours = Thinker::make(HashMib), theirs = Thinker::make(HashMib);
    Result<PoisonSet> poisoned = read_poisons(poisons_file);
    if (!clean || !judge || !ours || !theirs || !poisoned)
        return complain(!clean      ? clean.error().what
                        : !poisoned ? poisoned.error().what
                                    : "no engine for this processor");
    Cast cast{.ours = std::move(*ours),
              .theirs = std::move(*theirs),
              .judge = std::move(*judge),
              .clean = std::move(*clean),
              .poisoned = std::move(*poisoned)};
    const fs::path copy = fs::path(out).replace_extension(".db");
    std::error_code error;
    if (!remove_book(copy, {clean_file, book_file}))
        return complain("\"" + out + "\" would be beside its own book, in place of it");
    fs::copy_file(book_file, copy, error);
    if (error)
        return complain("\"" + book_file + "\" cannot be copied: " + error.message());
    const Result<void> played = write_run(rules, copy, cast, out);
    return played ? 0 : complain(played.error().what);
}

int report(const Arguments& arguments) {
    std::string folder, name, note;
    po::options_description options(
        "Usage: nutcracker-learningmatch report --folder DIR --out NAME [--note TEXT]\n\nWrites "
        "NAME.md and NAME.svg about the complete runs in the folder, and the measures to\nstandard "
        "output. Exit code 1 if one failed.\n\nOptions");
    options.add_options()("help", "this text")(
        "folder", po::value(&folder)->required(), "where the runs are")(
        "out", po::value(&name)->required(), "the report, without extension")(
        "note", po::value(&note)->default_value("tools/lab/learning-match"), "how it was made");
    if (const auto code = read(arguments, options))
        return *code;
    const Result<std::vector<Series>> all = read_runs(folder);
    if (!all)
        return complain(all.error().what);
    if (all->empty())
        return complain("no complete run in \"" + folder + "\"");
    const std::string picture = fs::path(name).filename().string() + ".svg";
    if (!write(name + ".md", report_text(*all, note, picture)) ||
        !write(name + ".svg", report_picture(*all)))
        return complain("\"" + name + "\" cannot be written");
    bool passed = true;
    for (const Verdict& v : verdicts(*all)) {
        std::cout << (v.passed ? "passed\t" : "FAILED\t") << v.what << '\t' << v.found << '\t'
                  << v.demanded << '\n';
        passed = passed && v.passed;
    }
    return passed ? 0 : 1;
}

}  // namespace tools::learning::command

#include "book/places.h"
#include "engine/platform/events.h"
#include "engine/platform/program.h"
#include "tools/common/checksum.h"
#include "tools/common/files.h"
#include "tools/common/strings.h"
#include "tools/lab/learning/foreign_run.h"
#include "tools/lab/learning/subcommands.h"
#include "tools/match/match_options.h"

#include <iostream>
#include <sstream>

#include <fmt/format.h>

namespace tools::learning::command {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

// "toga2 proto=uci depth=4": the words of nutcracker-match --engine; the first may be the command.
match::EngineSpec opponent_from(const std::string& text) {
    std::vector<std::string> words = value_or_throw(split_command(text), "--against: ");
    if (!words.empty() && words[0].find('=') == std::string::npos)
        words[0] = "cmd=" + words[0];
    match::EngineSpec spec = value_or_throw(match::parse_engine(words), "--against: ");
    if (spec.time.has_clock())
        throw Failure("--against: depth=, nodes= or st=, not tc=: \"" + text + '"');
    if (spec.name.empty())
        spec.name = fs::path(spec.command.words[0]).filename().string();
    return spec;
}

// One opponent a line; empty lines and comments with '#' are skipped.
void read_opponents(const std::string& file, std::vector<std::string>& against) {
    if (file.empty())
        return;
    std::istringstream lines(value_or_throw(read_bytes(file)));
    for (std::string line; std::getline(lines, line);)
        if (const std::string_view text = trimmed(line); !text.empty() && text.front() != '#')
            against.emplace_back(text);
}

std::vector<match::EngineSpec> opponents_of(const ForeignRules& rules) {
    std::vector<match::EngineSpec> specs;
    std::vector<std::string> names;
    for (const std::string& words : rules.against) {
        match::EngineSpec spec = opponent_from(words);
        spec.name = names.emplace_back(distinct_name(spec.name, names));
        if (std::string& program = spec.command.words[0]; program.find('/') != std::string::npos)
            program = fs::absolute(program).string();  // it runs in another folder
        specs.push_back(std::move(spec));
    }
    return specs;
}

// Of the whole book; empty without one.
std::string checksum_of(const fs::path& book) {
    if (book.empty())
        return {};
    return fmt::format("{:016x}", checksum(value_or_throw(read_bytes(book.string()))));
}

}  // namespace

int against(const Words& words) {
    std::string start = "cold", book_file, base, file, out;
    ForeignRules rules{.exit_nodes = 20'000};
    bool no_learning = false;
    int move_seconds = 60;
    po::options_description options(
        "Usage: nutcracker-learningmatch against --against WORDS... --out FILE [OPTION...]\n\n"
        "Plays a run against foreign engines, which are met in turn. WORDS are those of\n"
        "nutcracker-match --engine; the first may be the command: 'toga2 proto=uci depth=4'. An "
        "engine that\nbreaks down is started again; its game has no result. A run that was "
        "stopped is continued.\n\nOptions");
    auto option = options.add_options();
    option("against", po::value(&rules.against), "an opponent; may be repeated");
    option("against-file", po::value(&file), "file with one opponent a line");
    option("out", po::value(&out)->required(), "file of results; FILE.part until it is complete");
    option("start", bound(start), "cold, base (the installed book) or none (no book)");
    option(
        "book", po::value(&book_file), "with cold: the book to begin with (default: an empty one)");
    option("base", po::value(&base), "with base: another installed book");
    option("no-learning", po::bool_switch(&no_learning), "do not learn: the control");
    option("seed", bound(rules.seed), "seed of our choices and searches");
    option("games", bound(rules.games, 1), "number of games");
    option("nodes", bound(rules.nodes, 1), "nodes of a move of ours");
    option("variation",
           bound(rules.variation, 0, 90),
           "variation of the nodes, per cent; 0: games may repeat");
    option("exit-nodes",
           bound(rules.exit_nodes),
           "nodes for the score where we leave the book; 0: that of the game's own search");
    option("move-seconds", bound(move_seconds, 1), "largest time for a move of theirs");
    parse_options({.who = "nutcracker-learningmatch: against", .words = words}, options);
    rules.start = value_or_throw(parse_start(start), "--start: ");
    rules.learn = !no_learning && rules.start != Start::NoBook;
    read_opponents(file, rules.against);
    if (rules.against.empty())
        throw Failure("against: no opponent (--against or --against-file)");
    ForeignSetup setup{.opponents = opponents_of(rules),
                       .patience = std::chrono::seconds(move_seconds)};
    if (rules.start == Start::Base) {
        setup.base = base.empty() ? book::installed_base() : fs::path(base);
        if (setup.base.empty())
            throw Failure("against: no installed book; name one with --base");
    } else {
        setup.start_book = book_file;
    }
    engine::platform::ignore_broken_pipes();
    setup.cancel = &engine::platform::end_requests();
    return run_work([&] {
        rules.book = checksum_of(setup.base.empty() ? setup.start_book : setup.base);
        if (play_or_resume(rules, setup, out))
            return 0;
        std::cerr << fmt::format("{} was stopped; the same command continues\n", name_of(rules));
        return 1;
    });
}

}  // namespace tools::learning::command

// Commands that read files of games: import, check.
#include "book/book.h"
#include "book/import/own_games.h"
#include "book/import/polyglot.h"
#include "tools/book/book_command.h"
#include "tools/book/import_progress.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>
#include <sstream>

#include <fmt/ostream.h>

namespace tools::book_command {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t GamesBetweenReports = 1024;

// Set by Ctrl-C, which stops the reading. A second one ends the program; the book is unchanged.
std::atomic<bool> interrupted = false;  // NOLINT(readability-identifier-naming)
void interrupt(int signal) {
    interrupted = true;
    std::signal(signal, SIG_DFL);
}

// A day as yyyymmdd, 0 for "". `open_part` stands for the month and the day where they are missing:
// 0 at the beginning of a range, 99 at its end.
int date_option(const Call& call, const std::string& text, int open_part) {
    if (text.empty())
        return 0;
    const std::optional<Date> date = date_from(text);
    call.require(
        date.has_value(),
        fmt::format("\"{}\" is not a date: yyyy, yyyy.mm, yyyy.mm.dd, today or yesterday", text));
    return 10'000 * date->year + 100 * (date->month > 0 ? date->month : open_part) +
           (date->day > 0 ? date->day : open_part);
}

struct ImportCommand {
    book::ImportOptions options;
    Words files;
    Words names;  // of our player; empty: games of others
    bool quiet = false;
};

bool is_polyglot(const std::string& file) {
    return file.ends_with(".bin");
}

bool are_listed(const std::string& text, std::initializer_list<std::string_view> choices) {
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
        if (std::find(choices.begin(), choices.end(), word) == choices.end())
            return false;
    return true;
}

// The options that choose games, except --player and --results.
void add_filters(Call& call, book::ImportOptions& o) {
    call.option("min-length", o.min_plies, "leave out games with fewer plies", 0);
    call.option("min-elo",
                o.min_rating,
                "leave out games in which a player is rated lower, or not at all",
                0);
    call.option("max-elo",
                o.max_rating,
                "leave out games in which a player is rated higher, or not at all",
                0);
    call.option("rated", o.rated, "only games of rated players that are not casual or unrated");
    call.option("time", o.times, "only games of these time classes: lightning,blitz,standard");
    call.option("min-base", o.min_base, "only games with at least N seconds on the clock", 0);
    call.option("ending", o.endings, "only games with these endings: normal,time,abandoned,other");
    call.option("no-bots", o.no_bots, "leave out games of programs: title BOT, type program, (C)");
    call.option("title", o.title, "only games of a player with this title, such as GM or BOT");
    call.option("results", o.results, "only games with these results, such as 1-0,1/2-1/2");
    call.option("player", o.player, "only games of a player whose name contains this text");
    call.option("only-player", o.player_only, "with --player: only the moves of that player");
    call.option("only-winner", o.winner_only, "only the winner's moves");
    call.option("eco", o.eco, "only games whose ECO code begins with this text");
}

void check_filters(const Call& call, const book::ImportOptions& o) {
    call.require(are_listed(o.times, {"lightning", "blitz", "standard"}),
                 "--time must be lightning, blitz or standard, or several, separated by commas");
    call.require(
        are_listed(o.endings, {"normal", "time", "abandoned", "other"}),
        "--ending must be normal, time, abandoned or other, or several, separated by commas");
    call.require(are_listed(o.results, {"1-0", "0-1", "1/2-1/2", "*"}),
                 "--results must be 1-0, 1/2-1/2 or 0-1, or several, separated by commas");
    call.require(o.max_rating == 0 || o.min_rating <= o.max_rating, "--min-elo is above --max-elo");
}

// The weights of a PolyGlot book cannot be filtered by games.
void check_polyglot(const Call& call, const ImportCommand& command) {
    const auto bin = std::find_if(command.files.begin(), command.files.end(), is_polyglot);
    if (bin == command.files.end())
        return;
    call.require(command.names.empty(),
                 fmt::format("a PolyGlot book has no own games: --as does not apply to {}", *bin));
    Words filters;
    for (const char* const option :
         {"min-length", "min-elo", "max-elo", "rated",   "time",        "min-base",    "ending",
          "no-bots",    "title",   "results", "player",  "only-player", "only-winner", "eco",
          "from",       "to",      "min-ply", "max-ply", "min-game",    "evals"})
        if (call.given(option))
            filters.push_back(fmt::format("--{}", option));
    call.require(filters.empty(),
                 fmt::format("a PolyGlot book has no games: {} not apply to {}",
                             filters.size() == 1
                                 ? fmt::format("{} does", filters.front())
                                 : fmt::format("the filters {} do", fmt::join(filters, ", ")),
                             *bin));
}

void check_names(const Call& call, const Words& names) {
    call.require(std::find(names.begin(), names.end(), "") == names.end(), "--as needs a name");
    for (const char* const option :
         {"min-game", "duplicates", "only-player", "only-winner", "again", "no-forget"})
        call.require(!call.given(option), fmt::format("--{} cannot be used with --as", option));
}

ImportCommand read_import(Call& call) {
    ImportCommand command;
    book::ImportOptions& o = command.options;
    std::string duplicates = "game", from, to, folder;
    int memory_mib = 128;
    bool no_forget = false;
    call.option("as",
                command.names,
                "learn the games of this player as our own; several names: --as A --as B");
    call.option(
        "evals", o.evals, "store [%eval] comments as analyses of the moves that they follow");
    call.option("no-forget",
                no_forget,
                "do not keep the games: the book is smaller, but cannot forget this import");
    call.option(
        "quiet", command.quiet, "do not print progress; count bad games without listing them");
    call.option("max-ply", o.max_ply, "leave out moves from this ply on");
    call.option("min-ply", o.min_ply, "leave out moves before this ply", 0);
    call.option("min-game",
                o.min_games,
                "leave out moves with fewer games in this import; Ctrl-C then stores nothing",
                1);
    add_filters(call, o);
    call.option("from", from, "leave out games before this date: yyyy.mm.dd, yyyy or today");
    call.option("to", to, "leave out games after this date");
    call.option("duplicates",
                duplicates,
                "which games are duplicates: game (same moves and result; for short games also the "
                "same players, date and round), moves (same moves), or none");
    call.option(
        "memory",
        memory_mib,
        "MiB of memory for sorting; as much again for the rest, and half as much for --evals",
        1);
    call.option("temp",
                folder,
                "folder for temporary files, which take 16 bytes for each move of each game");
    call.option("again", o.again, "read files again that were imported before");
    command.files = call.read();

    o.from_date = date_option(call, from, 0);
    o.to_date = date_option(call, to, 99);
    call.require(from.empty() || to.empty() || o.from_date <= o.to_date, "--from is after --to");
    o.duplicates = call.one_of<book::Duplicates>("--duplicates",
                                                 duplicates,
                                                 {{"game", book::Duplicates::ByGame},
                                                  {"moves", book::Duplicates::ByMoves},
                                                  {"none", book::Duplicates::Keep}});
    call.require(o.max_ply > o.min_ply, "--max-ply must be above --min-ply");
    check_filters(call, o);
    call.require(!o.player_only || !o.player.empty(), "--only-player needs --player");
    o.keeps_games = !no_forget;
    if (!command.names.empty())
        check_names(call, command.names);
    o.memory = static_cast<std::size_t>(memory_mib) << 20;
    o.folder = folder;
    return command;
}

void import_polyglot(const Call& call, const fs::path& file) {
    book::Store store = open_book(call, Access::Create);
    store.db.set_patience(Patience);
    const book::PolyglotImport done = book::import_polyglot(store, file);
    fmt::print(std::cout,
               "entries\t{}\ntaken\t{}\nnot reachable\t{}\n",
               done.entries,
               done.taken,
               done.unreachable);
    if (done.known)
        std::cerr << fmt::format("{}: imported before\n", file.string());
    else if (done.taken == 0)
        throw book::Failure(
            fmt::format("no move of \"{}\" can be reached from the start position", file.string()));
}

// Prints a message and returns nothing if the file cannot be opened.
std::optional<book::GamesFile> open_games(const fs::path& path) {
    Result<book::GamesFile> file = book::guarded([&] { return book::open_games(path); });
    if (!file) {
        complain(file.error().what);
        return std::nullopt;
    }
    return std::move(*file);
}

// Replaces folders by their files. Prints a message about what cannot be read, and sets `failed`.
std::vector<fs::path> games_files(const Words& names, bool& failed) {
    std::vector<fs::path> files;
    for (const std::string& name : names) {
        const auto found = book::guarded([&] {
            if (is_book(name))
                throw book::Failure(fmt::format("\"{}\" is a book: merge adds its games", name));
            if (name.starts_with("https://") || name.starts_with("http://"))
                throw book::Failure(fmt::format("\"{}\" is an address: download it first", name));
            return book::games_files({name});
        });
        if (found)
            files.insert(files.end(), found->begin(), found->end());
        else
            complain(found.error().what);
        failed = failed || !found;
    }
    return files;
}

// Returns false if the file cannot be opened.
bool import_file(book::Importer& importer, const fs::path& path, Progress& progress) {
    std::optional<book::GamesFile> file = open_games(path);
    if (!file)
        return false;
    const std::int64_t known = importer.known_bytes(*file);
    if (file->size > 0)  // known_bytes() has read from it
        file = open_games(path);
    if (!file)
        return false;
    progress.begin_file(*file);
    importer.read(*file, known);
    progress.end_file();
    return true;
}

book::ImportListener listener_for(Progress& progress, bool& troubled) {
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    book::ImportListener listener;
    listener.trouble = [&](const book::ImportTrouble& t) {
        troubled = troubled || t.left_out;
        progress.print(t);
    };
    listener.go_on = [&](const book::ImportReport& r) {
        progress.show(r.games);
        return !interrupted;
    };
    listener.storing = [&](double done) { progress.show_storing(done); };
    return listener;
}

// Learns the games that wait in spools, so that they are in the log.
void learn_waiting(const Call& call) {
    if (!waiting_text(call).empty())
        (void)book::value_or_throw(book::Book::open({.experience = call.book_file, .base = {}}));
}

// Reports games in which both sides are our player. Throws Failure if no game was of use.
void check_players(const book::OwnGamesReport& report, const Words& names) {
    const std::string ours = fmt::format("{}", fmt::join(names, " or "));
    const std::string both =
        fmt::format("{} left out, because both sides are {}", counted(report.both, "game"), ours);
    const bool all = report.others > 0 && report.others + report.bad == report.games;
    if (all && report.both == report.others)
        throw book::Failure(both);
    if (report.both > 0)
        std::cerr << both << '\n';
    for (const book::PlayerNames::Player& p : report.other_names)
        std::cerr << fmt::format("{} of \"{}\" left out; if that is the same player, add --as "
                                 "\"{}\"\n",
                                 counted(p.games, "game"),
                                 printable(p.name),
                                 printable(p.name));
    if (all)
        throw book::Failure(fmt::format(
            "no game was played by {}{}", ours, printable(suggestion_text(report.suggested))));
}

// The report of an import. Throws Failure if it fails.
template <typename Import>
auto all_or_nothing(const Import& import) {
    auto report = book::guarded(import);
    if (!report)
        throw book::Failure(printable(report.error().what) +
                            "; nothing of this import was stored in the book");
    return *report;
}

// Returns the exit code.
int import_own(const Call& call, const std::vector<fs::path>& files, const ImportCommand& command) {
    require_one_log(call);
    learn_waiting(call);
    book::Store store = open_book(call, Access::Create);
    store.db.set_patience(Patience);
    Progress progress(command.quiet, files);
    bool troubled = false;
    const book::ImportListener listener = listener_for(progress, troubled);
    const auto import_all = [&] {
        book::OwnGames games(store, call.book_file, command.names, command.options, listener);
        for (const fs::path& path : files) {
            std::optional<book::GamesFile> file = open_games(path);
            troubled = troubled || !file;
            if (interrupted)
                games.stop();
            if (interrupted || !file)
                continue;
            progress.begin_file(*file);
            games.read(*file);
            progress.end_file();
        }
        return games.finish();
    };
    const book::OwnGamesReport report = all_or_nothing(import_all);
    fmt::print(std::cout,
               "games\t{}\nlearned\t{}\nknown already\t{}\nof them completed\t{}\n"
               "by others\t{}\nfiltered out\t{}\nleft out as bad\t{}\n",
               report.games,
               report.learned,
               report.known + report.finished,
               report.finished,
               report.others,
               report.filtered,
               report.bad);
    if (command.options.evals)
        fmt::print(std::cout, "analyses\t{}\n", report.evals);
    progress.end(report.games);
    if (report.imported > 0)
        fmt::print(std::cerr,
                   "{} also among the imported games, so twice in the book: forget that import "
                   "(\"sources\" lists it), then import its file again\n",
                   counted(report.imported, report.imported == 1 ? "game is" : "games are", ""));
    if (report.stopped)
        std::cerr << "stopped; all games read so far are learned, and the same command continues "
                     "after them\n";
    if (report.games == 0 && !troubled)
        throw book::Failure("the input has no games");
    check_players(report, command.names);
    return troubled ? 1 : 0;
}

// Returns the exit code.
int import_pgn(const Call& call, const std::vector<fs::path>& files, const ImportCommand& command) {
    book::Store store = open_book(call, Access::Create);
    store.db.set_patience(Patience);
    Progress progress(command.quiet, files);
    bool troubled = false;
    const book::ImportListener listener = listener_for(progress, troubled);
    const auto import_all = [&] {
        book::Importer importer(store, call.book_file, command.options, listener);
        for (const fs::path& path : files) {
            if (interrupted) {
                importer.stop();
                break;
            }
            troubled = !import_file(importer, path, progress) || troubled;
        }
        return importer.finish();
    };
    const book::ImportReport report = all_or_nothing(import_all);
    fmt::print(std::cout,
               "games\t{}\nimported\t{}\nknown already\t{}\nfiltered out\t{}\nleft out as bad\t{}\n"
               "moves\t{}\ndifferent moves\t{}\n",
               report.games,
               report.imported,
               report.duplicates + report.own,
               report.filtered,
               report.bad,
               report.moves,
               report.rows);
    if (command.options.evals)
        fmt::print(std::cout, "analyses\t{}\n", report.evals);
    progress.end(report.games);
    if (!report.kept && command.options.keeps_games)
        std::cerr << "there are too many games to keep them all: this import cannot be forgotten\n";
    if (report.stopped)
        std::cerr << "stopped; all games read so far are stored, and the same command continues "
                     "after them\n";
    if (report.games + report.known_files == 0 && !troubled)
        throw book::Failure("the input has no games");
    return troubled ? 1 : 0;
}

struct CheckCounts {
    std::int64_t games = 0, bad = 0, moves = 0, other_lines = 0;
    bool lost_text = false;
};

void check_file(const book::GamesFile& file, Progress& progress, CheckCounts& counts) {
    book::PgnReader reader(file.read, file.trouble);
    for (book::PgnGame game; reader.next(game);) {
        if (++counts.games % GamesBetweenReports == 0)
            progress.show(counts.games);
        const bool bad = !game.trouble.empty();
        if (bad)
            ++counts.bad;
        else
            counts.moves += static_cast<std::int64_t>(game.moves.size());
        if (bad || !game.note.empty())
            progress.print({.file = file.name,
                            .line = bad ? game.trouble_line : game.line,
                            .game = game.number,
                            .what = bad ? game.trouble : game.note,
                            .left_out = false});
    }
    counts.other_lines += reader.other_lines();
    for (book::TextRemark& r : reader.remarks()) {
        counts.lost_text = counts.lost_text || r.lost;
        progress.print(
            {.file = file.name, .line = r.line, .what = std::move(r.what), .left_out = r.lost});
    }
}

}  // namespace

int import_games(Call& call) {
    const ImportCommand command = read_import(call);
    check_polyglot(call, command);
    Words games;
    int code = 0;
    for (const std::string& name : command.files)
        if (!is_polyglot(name))
            games.push_back(name);
        else if (const auto done = book::guarded([&] { import_polyglot(call, name); }); !done)
            code = complain(done.error().what);
    bool failed = false;
    const std::vector<fs::path> files = games_files(games, failed);
    code = std::max(code, failed ? 1 : 0);
    if (games.empty() || (files.empty() && failed))
        return code;
    const auto import = command.names.empty() ? import_pgn : import_own;
    return std::max(code, import(call, files, command));
}

int check_games(Call& call) {
    bool quiet = false, failed = false;
    call.option("quiet", quiet, "count bad games without listing them");
    const std::vector<fs::path> files = games_files(call.read(), failed);
    Progress progress(quiet, files);
    CheckCounts counts;
    for (const fs::path& path : files) {
        std::optional<book::GamesFile> file = open_games(path);
        if (!file) {
            failed = true;
            continue;
        }
        progress.begin_file(*file);
        check_file(*file, progress, counts);
        progress.end_file();
    }
    fmt::print(std::cout,
               "games\t{}\nbad\t{}\nmoves\t{}\nother lines\t{}\n",
               counts.games,
               counts.bad,
               counts.moves,
               counts.other_lines);
    progress.end(counts.games);
    return failed || counts.lost_text || counts.bad > 0 || counts.games == 0 ? 1 : 0;
}

}  // namespace tools::book_command

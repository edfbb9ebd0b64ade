#include "book/import.h"
#include "book/polyglot.h"
#include "tools/book_commands.h"
#include "tools/book_prefetch.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>

#include <boost/program_options.hpp>
#include <unistd.h>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;
using std::chrono::steady_clock;

// Set by Ctrl-C: what was read so far is stored, and a second import of the same files goes on from
// there.
volatile std::sig_atomic_t interrupted = 0;  // NOLINT(readability-identifier-naming)
void interrupt(int) {
    interrupted = 1;
}

po::options_description described(book::ImportOptions& o,
                                  std::string& duplicates,
                                  int& memory,
                                  std::string& from,
                                  std::string& to) {
    po::options_description options(
        "Usage: nutcracker-book import [OPTIONS] FILE|FOLDER|-...\n\nOptions");
    options.add_options()("help", "this text")("quiet", "no progress, and bad games only counted")(
        "max-ply",
        po::value(&o.max_ply)->default_value(o.max_ply),
        "moves taken of each game, in plies")("min-ply",
                                              po::value(&o.min_ply)->default_value(o.min_ply),
                                              "leave out moves before this ply")(
        "min-game",
        po::value(&o.min_games)->default_value(o.min_games),
        "drop moves with fewer games in this import")(
        "min-length",
        po::value(&o.min_plies)->default_value(o.min_plies),
        "leave out games with fewer plies")("min-elo",
                                            po::value(&o.min_rating)->default_value(o.min_rating),
                                            "leave out games if a player is rated below")(
        "from", po::value(&from), "leave out games before this date, yyyy or yyyy.mm.dd")(
        "to", po::value(&to), "leave out games after this date")(
        "results", po::value(&o.results), "only games that ended so, as 1-0,1/2-1/2")(
        "player", po::value(&o.player), "only games with a player whose name has this part")(
        "only-player", po::bool_switch(&o.player_only), "of these, only that player's moves")(
        "only-winner", po::bool_switch(&o.winner_only), "only the winner's moves")(
        "eco", po::value(&o.eco), "only games whose ECO code begins so")(
        "duplicates",
        po::value(&duplicates)->default_value("game"),
        "what is a copy: game (moves, players and date), moves, or none")(
        "memory", po::value(&memory)->default_value(160), "MiB for sorting")(
        "temp", po::value<std::string>(), "folder for temporary files");
    return options;
}

// "1990" is 19900000 as a beginning and 19909999 as an end.
bool to_date(const std::string& text, int open_digit, int& date) {
    std::string digits;
    for (const char c : text)
        if ('0' <= c && c <= '9')
            digits += c;
        else if (c != '.' && c != '-')
            return false;
    if (digits.empty())
        return text.empty();
    if (digits.size() != 4 && digits.size() != 6 && digits.size() != 8)
        return false;
    digits.resize(8, static_cast<char>('0' + open_digit));
    date = std::stoi(digits);
    return true;
}

// One line that is written over, on a terminal; a line now and then elsewhere.
class ProgressLine {
  public:
    ProgressLine(bool quiet, std::int64_t total)
        : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1), total_(total) {}
    void show(const book::ImportReport& r, std::int64_t done) {
        const auto now = steady_clock::now();
        if (quiet_ || now - shown_ < (terminal_ ? std::chrono::milliseconds(250)
                                                : std::chrono::milliseconds(10'000)))
            return;
        shown_ = now;
        const double seconds = std::chrono::duration<double>(now - start_).count();
        std::fprintf(stderr,
                     "%s%lld games, %.0f a second",
                     terminal_ ? "\r" : "",
                     static_cast<long long>(r.games),
                     static_cast<double>(r.games) / seconds);
        if (total_ > 0 && done > 0)
            std::fprintf(stderr,
                         ", %.0f %%, %.0f s left",
                         100.0 * static_cast<double>(done) / static_cast<double>(total_),
                         seconds * static_cast<double>(total_ - done) / static_cast<double>(done));
        std::fputs(terminal_ ? "   " : "\n", stderr);
        written_ = true;
    }
    void end() const {
        if (terminal_ && written_)
            std::fputs("\r\033[K", stderr);
    }

  private:
    bool quiet_, terminal_, written_ = false;
    std::int64_t total_;
    steady_clock::time_point start_ = steady_clock::now(), shown_ = start_;
};

std::int64_t total_size(const std::vector<fs::path>& files) {
    std::int64_t total = 0;
    for (const fs::path& file : files) {
        std::error_code none;
        const std::uintmax_t size = fs::file_size(file, none);
        if (none)
            return 0;
        total += static_cast<std::int64_t>(size);
    }
    return total;
}

void print(const book::ImportReport& r, double seconds) {
    const auto line = [](const char* name, std::int64_t value) {
        std::cout << name << '\t' << value << '\n';
    };
    line("games", r.games);
    line("imported", r.imported);
    line("known already", r.duplicates + r.own);
    line("filtered out", r.filtered);
    line("left out as bad", r.bad);
    line("moves", r.moves);
    line("different moves", r.rows);
    std::fprintf(stderr,
                 "%.1f s, %.0f games a second\n",
                 seconds,
                 static_cast<double>(r.games) / std::max(seconds, 1e-9));
}

int import_bin(const Place& place, const fs::path& file) {
    Result<book::Store> store = open_book(place, true);
    if (!store)
        return complain(store.error().what, 1);
    const Result<book::PolyglotImport> done = book::import_polyglot(*store, file);
    if (!done)
        return complain(done.error().what, 1);
    std::cout << "entries\t" << done->entries << "\ntaken\t" << done->taken << "\nnot reachable\t"
              << done->unreachable << '\n';
    return 0;
}

int import_pgn(const Place& place,
               const std::vector<fs::path>& files,
               const book::ImportOptions& options,
               bool quiet) {
    Result<book::Store> store = open_book(place, true);
    if (!store)
        return complain(store.error().what, 1);
    ProgressLine progress(quiet, total_size(files));
    std::int64_t done_before = 0;
    const std::atomic<std::int64_t>* done_here = nullptr;
    bool troubled = false;
    const auto start = steady_clock::now();
    book::ImportListener listener{
        .trouble =
            [&](const book::ImportTrouble& t) {
                troubled = troubled || t.left_out;
                if (quiet)
                    return;
                progress.end();
                std::cerr << t.file;
                if (t.line > 0)
                    std::cerr << ':' << t.line;
                if (t.game > 0)
                    std::cerr << ": game " << t.game << (t.left_out ? " left out" : "");
                std::cerr << ": " << t.what << '\n';
            },
        .go_on =
            [&](const book::ImportReport& r) {
                progress.show(r, done_before + (done_here ? done_here->load() : 0));
                return interrupted == 0;
            }};
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    Result<book::Importer> importer = book::Importer::begin(*store, place.book, options, listener);
    if (!importer)
        return complain(importer.error().what, 1);
    bool failed = false;
    for (const fs::path& path : files) {
        Result<book::GamesFile> file = book::open_games(path);
        if (!file) {
            complain(file.error().what);
            failed = true;
            continue;
        }
        done_here = file->raw_read.get();
        if (file->packed)
            file->read = prefetched(std::move(file->read));
        if (const Result<void> read = importer->read(*file); !read)
            return complain(read.error().what, 1);
        done_before += *file->raw_read;
        done_here = nullptr;
        if (interrupted != 0)
            break;
    }
    const Result<book::ImportReport> report = importer->finish();
    progress.end();
    if (!report)
        return complain(report.error().what, 1);
    print(*report, std::chrono::duration<double>(steady_clock::now() - start).count());
    if (interrupted != 0)
        std::cerr << "stopped; what was read is stored, and the same command goes on from there\n";
    return failed || troubled || report->games == 0 ? 1 : 0;
}

}  // namespace

int import_games(const Place& place, const Arguments& arguments) try {
    book::ImportOptions options;
    std::string duplicates, from, to;
    int memory = 0;
    po::options_description visible = described(options, duplicates, memory, from, to);
    po::options_description all;
    all.add(visible).add_options()("file", po::value<std::vector<std::string>>());
    po::variables_map given;
    po::store(po::command_line_parser(arguments)
                  .options(all)
                  .positional(po::positional_options_description().add("file", -1))
                  .run(),
              given);
    po::notify(given);
    if (given.contains("help")) {
        std::cout << visible
                  << "\nA PolyGlot book (.bin) is taken as games that were drawn. Exit code 1: "
                     "some games or files were left out.\n";
        return 0;
    }
    if (!given.contains("file"))
        return complain("import: no file given; - is standard input");
    if (!to_date(from, 0, options.from_date) || !to_date(to, 9, options.to_date))
        return complain("import: a date is yyyy, yyyy.mm or yyyy.mm.dd");
    if (duplicates != "game" && duplicates != "moves" && duplicates != "none")
        return complain("import: --duplicates is game, moves or none, not \"" + duplicates + "\"");
    if (memory < 1 || options.max_ply < 1 || options.min_ply < 0 || options.min_games < 1)
        return complain("import: memory, max-ply and min-game are at least 1");
    if (options.player_only && options.player.empty())
        return complain("import: --only-player needs --player");
    options.duplicates = duplicates == "game"    ? book::Duplicates::ByGame
                         : duplicates == "moves" ? book::Duplicates::ByMoves
                                                 : book::Duplicates::Keep;
    options.memory = static_cast<std::size_t>(memory) << 20;
    if (given.contains("temp"))
        options.folder = given["temp"].as<std::string>();
    const auto& names = given["file"].as<std::vector<std::string>>();
    if (names.size() == 1 && names.front().ends_with(".bin"))
        return import_bin(place, names.front());
    const Result<std::vector<fs::path>> files = book::games_files({names.begin(), names.end()});
    if (!files)
        return complain(files.error().what, 1);
    return import_pgn(place, *files, options, given.contains("quiet"));
} catch (const po::error& e) {
    return complain(std::string("import: ") + e.what());
}

}  // namespace tools::book_command

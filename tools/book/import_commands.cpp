#include "book/import/importer.h"
#include "book/import/polyglot.h"
#include "tools/book/book_command.h"
#include "tools/book/import_progress.h"
#include "tools/book/prefetch.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <sstream>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

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
        "what is a copy: game (moves and result; of short games players and date, too), moves, or "
        "none")("memory", po::value(&memory)->default_value(128), "MiB for sorting")(
        "temp", po::value<std::string>(), "folder for temporary files")(
        "again", po::bool_switch(&o.again), "read files anew that were taken in before");
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

bool are_results(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
        if (word != "1-0" && word != "0-1" && word != "1/2-1/2" && word != "*")
            return false;
    return true;
}

void print(const book::ImportReport& r) {
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
}

int import_bin(const Place& place, const fs::path& file) {
    Result<book::Store> store = open_book(place, Access::Create);
    if (!store)
        return complain(store.error().what, 1);
    const Result<book::PolyglotImport> done = book::import_polyglot(*store, file);
    if (!done)
        return complain(done.error().what, 1);
    std::cout << "entries\t" << done->entries << "\ntaken\t" << done->taken << "\nnot reachable\t"
              << done->unreachable << '\n';
    return done->taken > 0 ? 0 : complain("\"" + file.string() + "\" has no move for this book", 1);
}

// Reads one file; false if it cannot be opened.
Result<bool> import_file(book::Importer& importer, const fs::path& path, Progress& progress) {
    Result<book::GamesFile> file = book::open_games(path);
    if (!file) {
        complain(file.error().what);
        return false;
    }
    const Result<std::int64_t> known = importer.known_bytes(*file);
    if (known && file->size > 0)  // that has read from it
        file = book::open_games(path);
    if (!known || !file)
        return tl::unexpected<Error>(!known ? known.error() : file.error());
    progress.begin_file(*file);
    if (file->packed)
        file->read = prefetched(std::move(file->read));
    const Result<void> read = importer.read(*file, *known);
    progress.end_file();
    return read ? Result<bool>(true) : tl::unexpected<Error>(read.error());
}

int import_pgn(const Place& place,
               const std::vector<fs::path>& files,
               const book::ImportOptions& options,
               bool quiet) {
    Result<book::Store> store = open_book(place, Access::Create);
    if (!store)
        return complain(store.error().what, 1);
    Progress progress(quiet, files);
    bool troubled = false;
    const book::ImportListener listener{.trouble =
                                            [&](const book::ImportTrouble& t) {
                                                troubled = troubled || t.left_out;
                                                progress.tell(t);
                                            },
                                        .go_on =
                                            [&](const book::ImportReport& r) {
                                                progress.show(r.games);
                                                return interrupted == 0;
                                            }};
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    Result<book::Importer> importer = book::Importer::begin(*store, place.book, options, listener);
    if (!importer)
        return complain(importer.error().what, 1);
    for (const fs::path& path : files) {
        const Result<bool> read = import_file(*importer, path, progress);
        if (!read)
            return complain(read.error().what, 1);
        troubled = troubled || !*read;
        if (interrupted != 0)
            break;
    }
    const Result<book::ImportReport> report = importer->finish();
    if (!report)
        return complain(report.error().what + "; nothing of this import is in the book", 1);
    print(*report);
    progress.end(report->games);
    if (interrupted != 0)
        std::cerr << "stopped; all games up to there are stored, and the same command goes on "
                     "behind them\n";
    if (report->games + report->known_files == 0 && !troubled)
        return complain("import: there are no games in it", 1);
    return troubled ? 1 : 0;
}

}  // namespace

int import_games(const Place& place, const Arguments& arguments) {
    book::ImportOptions options;
    std::string duplicates, from, to;
    int memory = 0;
    CommandLine line = command_line(
        "import",
        arguments,
        "\nA PolyGlot book (.bin) is taken as games that were drawn. Exit code 1: some games or "
        "files were left out.\n");
    line.rest = "file";
    po::variables_map given;
    if (const auto code =
            read_options(line, described(options, duplicates, memory, from, to), given))
        return *code;
    if (!given.contains("file"))
        return complain("import: no file given; - is standard input");
    if (!to_date(from, 0, options.from_date) || !to_date(to, 9, options.to_date))
        return complain("import: a date is yyyy, yyyy.mm or yyyy.mm.dd");
    if (!from.empty() && !to.empty() && options.from_date > options.to_date)
        return complain("import: --from is after --to");
    if (duplicates != "game" && duplicates != "moves" && duplicates != "none")
        return complain("import: --duplicates is game, moves or none, not \"" + duplicates + "\"");
    if (memory < 1 || options.min_games < 1)
        return complain("import: --memory and --min-game are at least 1");
    if (options.min_ply < 0 || options.max_ply <= options.min_ply)
        return complain("import: --min-ply is at least 0, and --max-ply above it");
    if (!are_results(options.results))
        return complain("import: --results is 1-0, 1/2-1/2 or 0-1, or several with commas between");
    if (options.player_only && options.player.empty())
        return complain("import: --only-player needs --player");
    options.duplicates = duplicates == "game"    ? book::Duplicates::ByGame
                         : duplicates == "moves" ? book::Duplicates::ByMoves
                                                 : book::Duplicates::Keep;
    options.memory = static_cast<std::size_t>(memory) << 20;
    if (given.contains("temp"))
        options.folder = given["temp"].as<std::string>();
    const auto& names = given["file"].as<std::vector<std::string>>();
    std::vector<fs::path> games;
    int code = 0;
    for (const std::string& name : names)
        if (name.ends_with(".bin"))
            code = std::max(code, import_bin(place, name));
        else
            games.emplace_back(name);
    const Result<std::vector<fs::path>> files = book::games_files(games);
    if (!files)
        return complain(files.error().what, 1);
    return games.empty()
               ? code
               : std::max(code, import_pgn(place, *files, options, given.contains("quiet")));
}

}  // namespace tools::book_command

#include "book/import/pgn_source.h"
#include "tools/book/book_command.h"
#include "tools/book/import_progress.h"
#include "tools/book/prefetch.h"

#include <iostream>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

struct Counts {
    std::int64_t games = 0, bad = 0, moves = 0, other_lines = 0;
};

void check_file(book::GamesFile& file, Progress& progress, Counts& counts) {
    constexpr std::int64_t GamesBetweenReports = 1024;
    if (file.packed)
        file.read = prefetched(std::move(file.read));
    book::PgnReader reader(file.read);
    for (book::PgnGame game; reader.next(game);) {
        if (++counts.games % GamesBetweenReports == 0)
            progress.show(counts.games);
        const bool bad = !game.trouble.empty();
        if (bad)
            ++counts.bad;
        else
            counts.moves += static_cast<std::int64_t>(game.moves.size());
        if (bad || !game.note.empty())
            progress.tell({.file = file.name,
                           .line = bad ? game.trouble_line : game.line,
                           .game = game.number,
                           .what = bad ? game.trouble : game.note,
                           .left_out = false});
    }
    counts.other_lines += reader.other_lines();
    if (!file.trouble->empty()) {
        ++counts.bad;
        progress.tell({.file = file.name, .what = *file.trouble});
    }
}

}  // namespace

int check_games(const Place& /*place*/, const Arguments& arguments) {
    po::options_description options(
        "Usage: nutcracker-book check [OPTIONS] FILE|FOLDER|-...\n\nOptions");
    options.add_options()("help", "this text")("quiet", "bad games are only counted");
    CommandLine line = command_line("check",
                                    arguments,
                                    "\nReads games as import does and plays every move, without a "
                                    "book. Exit code 1: some games "
                                    "or files are bad.\n");
    line.rest = "file";
    po::variables_map given;
    if (const auto code = read_options(line, options, given))
        return *code;
    if (!given.contains("file"))
        return complain("check: no file given; - is standard input");
    const auto& names = given["file"].as<std::vector<std::string>>();
    const Result<std::vector<fs::path>> files = book::games_files({names.begin(), names.end()});
    if (!files)
        return complain(files.error().what, 1);
    Progress progress(given.contains("quiet"), *files);
    Counts counts;
    bool failed = false;
    for (const fs::path& path : *files) {
        Result<book::GamesFile> file = book::open_games(path);
        if (!file) {
            complain(file.error().what);
            failed = true;
            continue;
        }
        progress.begin_file(*file);
        check_file(*file, progress, counts);
        progress.end_file();
    }
    std::cout << "games\t" << counts.games << "\nbad\t" << counts.bad << "\nmoves\t" << counts.moves
              << "\nother lines\t" << counts.other_lines << '\n';
    progress.end(counts.games);
    return failed || counts.bad > 0 || counts.games == 0 ? 1 : 0;
}

}  // namespace tools::book_command

// nutcracker-book: the table of commands, and the only place that reports failures.
#include "book/places.h"
#include "tools/book/book_command.h"
#include "tools/common/signals.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <limits>

#include <fmt/ostream.h>

namespace {

namespace commands = tools::book_command;
using commands::Command;
using commands::Words;

constexpr std::size_t Any = std::numeric_limits<std::size_t>::max();
constexpr const char* FilterUsage = "--game N|--since DATE|--epoch N|last|--opponent NAME|--all";

constexpr std::array Commands{
    Command{
        "import",
        "add the games of PGN files (also .gz, .bz2, .zst) or folders, or a PolyGlot .bin",
        "[OPTIONS] FILE|FOLDER|-...",
        "Adds the games of PGN files, plain or compressed (.gz, .bz2, .zst), of folders, or of\n"
        "standard input (-). The games of a PolyGlot book (.bin) count as drawn. Exit code 1:\n"
        "some games or files were left out, or a file is incomplete.",
        commands::import_games,
        1,
        Any},
    Command{"check",
            "read PGN files and play every move, without a book",
            "[OPTIONS] FILE|FOLDER|-...",
            "Reads games as import does and plays every move, without a book. Exit code 1: some\n"
            "games or files are bad.",
            commands::check_games,
            1,
            Any},
    Command{"show",
            "show what is known in a position, given as FEN or moves",
            "[OPTIONS] [FEN|MOVES]",
            "Shows imported and own results (won, drawn, lost), the value with its deviation, and\n"
            "the evidence behind it in games, all from the view of the side whose games they are.\n"
            "JSON counts imported games by colour, and own ones by the result for us.",
            commands::show,
            0,
            Any},
    Command{"why",
            "explain why a move of a learned game was chosen",
            "GAME PLY",
            "GAME is a number or \"last\"; PLY counts the moves of both sides from 1. Repeats the\n"
            "choice from its record.",
            commands::why,
            2,
            2},
    Command{"lines",
            "list the best and the worst lines of own games",
            "[OPTIONS]",
            "Lists lines of own games to where games left the book or went different ways, the\n"
            "reliably good and the reliably bad ones: value with its deviation, results, our\n"
            "colour, last played, moves, opening.",
            commands::lines},
    Command{
        "log",
        "list the own games, the latest first",
        "[OPTIONS]",
        "Lists own games, separated by tabs: number, date, our colour, opponent, server,\n"
        "result, ending (normal, time forfeit, abandoned, rules infraction, unterminated),\n"
        "time control, event, number of plies, and whether it is learned, unlearned, pending\n"
        "(noted, but not finished) or without evidence. unlearn --game and why take the number.",
        commands::log},
    Command{"prepare",
            "show what an opponent plays, and our best lines against that",
            "[OPTIONS] NAME",
            "Shows what an opponent plays against us, and our best lines against that, for both\n"
            "colours.",
            commands::prepare,
            1,
            1},
    Command{"report",
            "write a web page: tree, learning curve, openings",
            "[OPTIONS]",
            "Writes one page for any browser, which needs no other file: a board to browse the\n"
            "book, the learning curve, results by opening and opponent, the best and worst lines.",
            commands::report},
    Command{
        "serve",
        "show the book as a live page in the browser, on this machine alone",
        "[--port N] [--open]",
        "Shows the book as a page in the browser: the board to click through, moves with their\n"
        "values, own games, marks to set and take back. It changes as engines learn. Prints the\n"
        "address, which holds a key and which only browsers on this machine can reach, and runs\n"
        "until Ctrl-C.",
        commands::serve},
    Command{"opponents",
            "list the opponents and the results against them",
            "",
            "Lists name, server, rating, games, our wins, draws and losses, score in per cent,\n"
            "last played, and \"suspicious\" for opponents who score clearly above expectation.",
            commands::opponents},
    Command{"stats",
            "count what is in the book",
            "",
            "Counts what is in the book and in the installed one. Like lines, report and verify\n"
            "it tells how many games wait to be merged into the book.",
            commands::stats},
    Command{"verify",
            "compare the book with its log of games",
            "",
            "Recomputes the book in memory from its log of games and compares. Exit code 1: they\n"
            "differ.",
            commands::verify},
    Command{"rebuild",
            "recompute everything from the log of games",
            "",
            "Recomputes everything that is derived from own games from their log.",
            commands::rebuild},
    Command{"unlearn",
            "remove own games, as if they had never been played",
            FilterUsage,
            "Removes own games from what the book has learned, as if they had never been played.\n"
            "They stay in the log.",
            commands::unlearn},
    Command{"relearn",
            "restore games that were removed by unlearn",
            FilterUsage,
            "Restores games that were removed by unlearn.",
            commands::relearn},
    Command{"edit",
            "mark moves: always, prefer, avoid, never, none",
            "[FEN|MOVES] [MOVE=MARK...]",
            "Marks moves of a position: always, prefer, avoid, never, or none. Marks are stored\n"
            "apart from what is learned, and learning never changes them. Without MOVE=MARK it\n"
            "reads commands from standard input:\n"
            "\n"
            "  MOVE MARK     mark a move, as \"Nf3 prefer\"\n"
            "  MOVE          play the move on the board and show the position\n"
            "  back, start   take the last move back, or all\n"
            "  undo          undo the last change to the book, also a learned game\n"
            "  show          show the position again\n"
            "  help, quit",
            commands::edit,
            0,
            Any},
    Command{"undo",
            "undo the last learned game or change",
            "",
            "Undoes the last event of the book: a learned game, or a change by hand (a mark,\n"
            "unlearn, relearn, merge). relearn restores a game.",
            commands::undo},
    Command{"learn",
            "switch learning on, off or to readonly",
            "[on|off|readonly]",
            "Sets whether engines learn from the games that they play with this book, from the\n"
            "next time that they open it; or prints it. readonly: the book is not changed, and\n"
            "what is learned goes into a file beside it, which \"on\" merges into the book.",
            commands::learn,
            0,
            1},
    Command{"merge",
            "add the games, marks and searches of other books",
            "BOOK...",
            "Adds what other books know: their own games, each counted once, their marks and\n"
            "searches, and their imported games unless some of them are here already. The order\n"
            "of the books makes no difference. undo reverts a merge, but for searches and\n"
            "imported games.",
            commands::merge,
            1,
            Any},
    Command{"improve",
            "search the moves of the most useful positions",
            "[OPTIONS]",
            "Searches the most useful positions of the book: every known move, and the best one\n"
            "that is not known. The scores join what games have taught. Without a limit it goes\n"
            "on until all is searched, or until Ctrl-C; what is done by then is stored. Several\n"
            "processes may work on one book. Prints a line for each position: FEN, and each move\n"
            "with its centipawns; * marks one that was not known.",
            commands::improve},
    Command{"snapshot",
            "copy the book, also while others write",
            "FILE",
            "Writes a complete copy of the book; games may be learned meanwhile.",
            commands::snapshot,
            1,
            1},
    Command{
        "recover",
        "save what can be read of a damaged book into a new one",
        "[BOOK] NEW",
        "Reads a damaged book row by row, past what cannot be read, and writes a new book: the\n"
        "log of own games, marks, searches, opponents and what was imported. Everything else is\n"
        "computed anew from the log. BOOK is never changed; without it, it is the user's book,\n"
        "or the one of --book. Prints how many rows of each kind were saved, and how many are\n"
        "lost: of own games their number, of the others an estimate. Exit code 1: something is\n"
        "lost. Games that wait in a spool beside BOOK stay there, and are learned when NEW has\n"
        "taken its place. merge adds what a copy (.bak) of the book still has.",
        commands::recover,
        1,
        2},
    Command{"export",
            "write a PolyGlot .bin, the own games as PGN, or all moves as TSV or CSV",
            "--bin FILE|--pgn FILE|--tsv FILE|--csv FILE [OPTIONS]",
            "Writes the book for other programs. FILE - is standard output, except for --bin.",
            commands::export_book},
    Command{"make-base",
            "make the book that is installed, from a table of openings",
            "--openings TABLE --out FILE [--nodes N]",
            "Makes the book that is installed, from a table of openings and a search of each\n"
            "position.",
            commands::make_base},
};

void print_help() {
    std::cout
        << "Usage: nutcracker-book [OPTIONS] COMMAND [ARGUMENTS]\n\n"
           "Imports games into a book of the chess engine Nutcracker, and shows, checks, edits "
           "and\nexports what is in it.\n\n"
           "Commands (\"nutcracker-book COMMAND --help\" describes one):\n";
    for (const Command& c : Commands)
        fmt::print(std::cout, "  {:<10}  {}\n", c.name, c.summary);
    fmt::print(std::cout,
               "\nOptions:\n"
               "  --book FILE  the book (default: {})\n"
               "  --base FILE  the installed book, \"\" for none\n"
               "  --help       print this text\n"
               "  --version    print the version\n",
               book::default_experience().string());
}

[[noreturn]] void refuse(const std::string& what) {
    throw commands::Exit{commands::complain(what + "; see nutcracker-book --help", 2)};
}

// Reads the options before the command, and runs it. Returns the exit code.
int run(const Words& arguments) {
    std::filesystem::path book = book::default_experience(), base = book::installed_base();
    bool base_given = false;
    auto word = arguments.begin();
    for (; word != arguments.end() && word->starts_with("--"); ++word) {
        const std::size_t equals = word->find('=');
        const std::string name = word->substr(0, equals);
        if (name == "--help")
            return print_help(), 0;
        if (name == "--version")
            return std::cout << "nutcracker-book " NUTCRACKER_VERSION "\n", 0;
        if (name != "--book" && name != "--base")
            refuse("unknown option " + *word);
        if (equals == std::string::npos && ++word == arguments.end())
            refuse(name + " needs a file");
        (name == "--book" ? book : base) =
            word->substr(equals == std::string::npos ? 0 : equals + 1);
        base_given = base_given || name == "--base";
    }
    if (word == arguments.end())
        return print_help(), 2;
    const auto* const command = std::find_if(
        Commands.begin(), Commands.end(), [&](const Command& c) { return *word == c.name; });
    if (command == Commands.end())
        refuse("unknown command \"" + *word + "\"");
    if (base_given && !base.empty())
        (void)book::Store(base, false);  // throws if it is not a book, whatever the command
    if (book.empty())
        refuse("no home folder for the book: give --book FILE");
    commands::Call call(*command, book, base, Words(word + 1, arguments.end()));
    return command->run(call);
}

}  // namespace

int main(int argc, char** argv) {
    tools::ignore_file_size_signal();
    try {
        const Result<int> code = book::guarded([&] { return run(Words(argv + 1, argv + argc)); });
        if (!code)
            return commands::complain(code.error().what);
        return std::cout.flush() || *code != 0 ? *code
                                               : commands::complain("the output cannot be written");
    } catch (const commands::Exit& exit) {
        return exit.code;
    }
}

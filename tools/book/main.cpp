// nutcracker-book: the table of commands, and the only place that reports failures.
#include "book/places.h"
#include "engine/platform/file.h"
#include "engine/platform/program.h"
#include "tools/book/book_command.h"

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
        "standard input (-). The games of a PolyGlot book (.bin) count as drawn.\n"
        "\n"
        "With --as NAME the games that NAME played are learned as own games: of FICS, lichess,\n"
        "XBoard, cutechess, or from export --pgn, which come back as they were. Each counts\n"
        "once, also if the engine learned it at the board. Ratings, time control and ending are\n"
        "taken from the tags; titles like (C) make no difference. A game counts as having left\n"
        "the book at the first move of NAME that no other of these games and no imported game\n"
        "has; a score in a comment there ([%eval 0.31] or +0.31/12) counts as its search. All is\n"
        "one change, which undo takes back.\n"
        "\n"
        "Filters join: a game is taken if it passes all. With --evals the scores of lichess\n"
        "become analyses (of depth 16 where none is given; mates are 100 pawns), which never\n"
        "replace a search of ours. forget takes an import out again; the games kept for that\n"
        "make a book some 15 % larger. Exit code 1: some games are bad, or a file is incomplete\n"
        "or cannot be read.",
        commands::import_games,
        1,
        Any},
    Command{"sources",
            "list what was imported, with the numbers that forget takes",
            "",
            "Lists imports, separated by tabs: number, kind (pgn, polyglot, own), date, games (of\n"
            "polyglot moves), \"kept no games\" if it cannot be forgotten, filters, file.",
            commands::sources},
    Command{"forget",
            "remove what an import added",
            "NUMBER|FILE",
            "Removes what an import added, as if it had never been made: counts of moves, own\n"
            "games of import --as, analyses. Its files can be imported again. Imports of versions\n"
            "before 0.4.0 and of --no-forget kept no games and cannot be forgotten; files that\n"
            "were imported by one command with --min-game are forgotten together. Games that\n"
            "later files have as well count again when these are imported again; it names them.",
            commands::forget,
            1,
            1},
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
    Command{
        "why",
        "explain why the moves of a learned game were chosen",
        "GAME [MOVE]",
        "GAME is a number or \"last\". MOVE is a move of the game (Nf3, 3.Nf3, 3...a6), or counts\n"
        "the moves of both sides from 1; without it all our moves are explained, up to the one\n"
        "that left the book. Repeats each choice from its record: value (expected score), lesson\n"
        "(what a game with the move may teach), penalty (for losses to this opponent), evidence\n"
        "(in games), popular (compared with the most popular move), and drawn: the highest is\n"
        "played.",
        commands::why,
        1,
        2},
    Command{"lines",
            "list the best and the worst lines of own games",
            "[OPTIONS]",
            "Lists lines of own games to where games left the book or went different ways, the\n"
            "reliably good and the reliably bad ones: value with its deviation, results, our\n"
            "colour, last played, moves, opening.",
            commands::lines},
    Command{
        "games",
        "list the own games, the latest first, by opponent, date, opening, result ...",
        "[OPTIONS]",
        "Lists own games, the latest first: number, date, opponent with the rating, our colour,\n"
        "result, the move at which the game left the book, epoch (the run of the engine that\n"
        "learned it), ending if it was not normal, and opening. why and unlearn take the number.\n"
        "Not on a terminal, the columns are separated by tabs, and are these: number, date, our\n"
        "colour, opponent, server, result, ending (normal, time forfeit, abandoned, rules\n"
        "infraction, unterminated), time control, event, number of plies, whether it is learned,\n"
        "unlearned, pending (noted, but not finished) or without evidence, rating, exit, epoch,\n"
        "opening. Also called log. Exit code 1: no game matches.",
        commands::games},
    Command{
        "news",
        "tell what is new since a day, since the last time, or by the last games",
        "[--since DATE|--games N] [OPTIONS]",
        "Tells what games have taught: their results, the values of our moves that moved most,\n"
        "moves that are new in the book, and moves that it has ceased to play; then what was\n"
        "imported, changed by hand and searched. A game is new since the day on which the book\n"
        "learned it: one of import --as since the import, however old it is. Without --since and\n"
        "--games, news are what came since the last such look at them, which the book remembers.\n"
        "Compares the book with one without these games, computed in memory: this takes as long\n"
        "as verify.",
        commands::news},
    Command{
        "prepare",
        "show what an opponent plays, and our best lines against that",
        "[OPTIONS] NAME",
        "Shows what an opponent plays, and our best lines against that, for both colours: by\n"
        "their games against us and, with --pgn, games of theirs against anybody. The book need\n"
        "not know them then. Expected scores are those against a player of our strength.",
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
            "last played, and \"suspicious\" for opponents who score clearly above expectation\n"
            "where they have beaten us before. These are all finished games, also those that tell\n"
            "nothing about the opening, which stats, report and lines leave out.",
            commands::opponents},
    Command{"stats",
            "count what is in the book",
            "",
            "Counts what is in the book and in the installed one. Like lines, news, report and\n"
            "verify it tells how many games wait to be merged into the book.",
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
    Command{
        "edit",
        "mark moves: always, prefer, avoid, never, none",
        "[FEN|MOVES] [MOVE=MARK...]",
        "Marks moves of a position: always, prefer, avoid, never, or none. Marks are stored\n"
        "apart from what is learned, and learning never changes them. always: only moves with\n"
        "this mark are played; prefer, avoid: the move counts 0.05 more or less than its value,\n"
        "and one to prefer needs no evidence; never: not played. Without MOVE=MARK it reads\n"
        "commands from standard input:\n"
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
            "unlearn, relearn, merge, import --as). relearn restores a game. Another import is\n"
            "taken back by forget, which cannot be undone.",
            commands::undo},
    Command{
        "learn",
        "switch learning on, off or to readonly",
        "[on|off|readonly]",
        "Sets whether engines learn from the games that they play with this book, from the\n"
        "next time that they open it; or prints it. readonly: engines leave the book as it\n"
        "is, and what they learn goes into a file beside it, which is merged into the book when\n"
        "an engine opens it after \"on\". Commands that change the book, as edit, still do.",
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
        "restore a damaged book from what can be read of it",
        "[[BOOK] NEW]",
        "Reads a damaged book row by row, past what cannot be read, and writes a new book: the\n"
        "log of own games, marks, searches, opponents and what was imported. Everything else is\n"
        "computed anew from the log. The new book takes the place of the user's book (or the one\n"
        "of --book), which is kept beside it as BOOK.damaged; no engine may play from it\n"
        "meanwhile. With NEW it becomes a file of that name instead, and BOOK stays as it is.\n"
        "\n"
        "Prints how many rows of each kind were saved, and how many are lost: of own games their\n"
        "number, of the others an estimate. Exit code 1: something is lost. merge adds what a\n"
        "copy (.bak) of the book still has. Games that wait in a spool beside the book stay\n"
        "there, and are learned when the engine plays next.",
        commands::recover,
        0,
        2},
    Command{"export",
            "write a PolyGlot .bin, the own games as PGN, or all moves as TSV or CSV",
            "--bin FILE|--pgn FILE|--tsv FILE|--csv FILE [OPTIONS]",
            "Writes the book for other programs. FILE - is standard output, except for --bin. A\n"
            "FILE that is a book of ours is not overwritten.",
            commands::export_book},
    Command{"make-base",
            "make the book that is installed, from its text",
            "--text TEXT --out FILE",
            "Makes the book that is installed from its text, which is checked move by move. No\n"
            "position is searched. FILE may be one made before, but no other book.",
            commands::make_base},
};

struct Group {
    const char* title;
    std::vector<const char*> names;  // of commands
};
const std::array Groups{
    Group{"Look at the book",
          {"show", "lines", "games", "why", "news", "report", "serve", "stats"}},
    Group{"Know the opponents", {"opponents", "prepare"}},
    Group{"Teach it", {"import", "sources", "edit", "improve", "merge", "learn", "make-base"}},
    Group{"Take something back", {"undo", "unlearn", "relearn", "forget"}},
    Group{"Keep it safe", {"snapshot", "recover", "verify", "rebuild"}},
    Group{"Use it elsewhere", {"export", "check"}},
};

constexpr const char* Examples =
    R"(  nutcracker-book games --opponent Anna --lost    the games that Anna won
  nutcracker-book why last                        why it played its moves in its last game
  nutcracker-book why 12 3.Nf3                    why it played that move in game 12
  nutcracker-book news                            what it has learned since you last asked
  nutcracker-book news --since 2024-05-31         what it has learned since that day
  nutcracker-book show                            how often it plays each first move, and why
  nutcracker-book show "1. e4 c5" --games         the same after these moves, and the games
  nutcracker-book lines --best --colour black     the best lines with Black
  nutcracker-book edit f4=never                   never play 1.f4 again
  nutcracker-book undo                            take the last game or change back
  nutcracker-book prepare Anna                    what Anna plays, and our best lines against it
  nutcracker-book import --as MyBot games.pgn     learn from games that MyBot played elsewhere
  nutcracker-book forget games.pgn                take that import back
  nutcracker-book serve                           all of it in the browser
  nutcracker-book export --bin book.bin           a PolyGlot book for another program
  nutcracker-book recover                         restore a damaged book
)";

const Command* find_command(const std::string& name) {
    const auto* const found = std::find_if(
        Commands.begin(), Commands.end(), [&](const Command& c) { return name == c.name; });
    return found == Commands.end() ? nullptr : found;
}

void print_help() {
    std::cout << "Usage: nutcracker-book [OPTIONS] COMMAND [ARGUMENTS]\n\n"
                 "Shows, teaches, checks and exports a book of the chess engine Nutcracker.\n"
                 "\"nutcracker-book COMMAND --help\" describes a command.\n";
    for (const Group& group : Groups) {
        fmt::print(std::cout, "\n{}:\n", group.title);
        for (const char* const name : group.names)
            if (const Command* const command = find_command(name))
                fmt::print(std::cout, "  {:<10}  {}\n", name, command->summary);
    }
    fmt::print(
        std::cout,
        "\nExamples:\n{}\n"
        "Options:\n"
        "  --book FILE   the book (default: {})\n"
        "  --base FILE   the installed book, \"\" for none\n"
        "  --also FILE   one more book for the choice of moves and for show: ours, own games\n"
        "                included, or a PolyGlot .bin; may be repeated\n"
        "  --color WHEN  colour the output: auto (on a terminal, unless NO_COLOR is set),\n"
        "                always or never\n"
        "  --help        print this text\n"
        "  --version     print the version\n",
        Examples,
        book::default_experience().string());
}

[[noreturn]] void refuse(const std::string& what) {
    throw commands::Exit{commands::complain(what + "; see nutcracker-book --help", 2)};
}

void set_colour(const std::string& when) {
    if (when != "auto" && when != "always" && when != "never")
        refuse("--color is auto, always or never, not \"" + when + "\"");
    tools::use_colour(when == "auto"     ? tools::ColourWhen::Auto
                      : when == "always" ? tools::ColourWhen::Always
                                         : tools::ColourWhen::Never);
}

// Reads the options before the command, and runs it. Returns the exit code.
int run(const Words& arguments) {
    using engine::platform::resolved;
    std::filesystem::path book = book::default_experience(), base = book::installed_base();
    std::vector<std::filesystem::path> further;
    std::string colour = "auto";
    bool base_given = false;
    auto word = arguments.begin();
    for (; word != arguments.end() && word->starts_with("--"); ++word) {
        const std::size_t equals = word->find('=');
        const std::string name = word->substr(0, equals);
        if (name == "--help")
            return print_help(), 0;
        if (name == "--version")
            return std::cout << "nutcracker-book " NUTCRACKER_VERSION "\n", 0;
        if (name != "--book" && name != "--base" && name != "--also" && name != "--color")
            refuse("unknown option " + *word);
        if (equals == std::string::npos && ++word == arguments.end())
            refuse(name + (name == "--color" ? " needs auto, always or never" : " needs a file"));
        const std::string value = word->substr(equals == std::string::npos ? 0 : equals + 1);
        if (name == "--color")
            colour = value;
        else if (name == "--also")
            further.push_back(resolved(value));
        else
            (name == "--book" ? book : base) = value;
        base_given = base_given || name == "--base";
    }
    set_colour(colour);
    if (word == arguments.end())
        return print_help(), 2;
    const Command* const command = find_command(*word == "log" ? "games" : *word);
    if (!command)
        refuse("unknown command \"" + *word + "\"");
    if (base_given && !base.empty())
        (void)book::Store(base, false);  // throws if it is not a book, whatever the command
    if (book.empty())
        refuse("no home folder for the book: give --book FILE");
    commands::Call call(*command, resolved(book), resolved(base), Words(word + 1, arguments.end()));
    call.further_files = std::move(further);
    return command->run(call);
}

// The exit code of a program whose command ended with `code`.
int finished(int code) {
    return std::cout.flush() || code != 0 ? code
                                          : commands::complain("the output cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
    const Words words = engine::platform::begin_program(argc, argv);
    try {
        const Result<int> code = book::guarded([&words] { return run(words); });
        if (!code)
            return commands::complain(code.error().what);
        return finished(*code);
    } catch (const commands::Exit& exit) {
        return finished(exit.code);
    }
}

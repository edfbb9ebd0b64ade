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
        "Adds the games in PGN files (plain, or compressed as .gz, .bz2 or .zst), in folders of\n"
        "such files, or on standard input (-). The weights of a PolyGlot book (.bin) are counted\n"
        "as drawn games; it has no games for filters and --as.\n"
        "\n"
        "With --as NAME, the games that NAME played are learned as own games. They may come\n"
        "from FICS, lichess, XBoard, cutechess, or export --pgn, which restores them exactly.\n"
        "Each game counts once, even if the engine already learned it when it was played. All\n"
        "games of a file of export --pgn are ours, whatever NAME is.\n"
        "Ratings, time control and ending are taken from the tags; titles like (C) are ignored.\n"
        "A game is taken to leave the book at the first move of NAME that is in no other of\n"
        "these games and in no imported game; a score in the comment on that move ([%eval 0.31]\n"
        "or +0.31/12) is used as the score of the engine's search. A game without a time control\n"
        "is learned as blitz. undo undoes the whole import as one change.\n"
        "\n"
        "A game is imported only if it passes all filters; --time leaves out games of unknown\n"
        "time control. With --evals, the scores of lichess are stored as analyses (of depth 16\n"
        "where no depth is given; a mate is 100 pawns); they never replace the engine's own\n"
        "searches. forget removes an import again; the games that are kept for this make the\n"
        "book about 15 % larger. Exit code 1: some games are bad, or a file is incomplete or\n"
        "cannot be read, or no game is by --as or --player (then nothing is stored).",
        commands::import_games,
        1,
        Any},
    Command{
        "sources",
        "list the imports and their numbers, for forget",
        "",
        "Lists the imports, with columns separated by tabs: number, kind (pgn, polyglot, own),\n"
        "date, games (of polyglot half the sum of the weights), \"kept no games\" if the import\n"
        "cannot be forgotten, filters, file.",
        commands::sources},
    Command{
        "forget",
        "remove what an import added",
        "NUMBER|FILE|FOLDER",
        "Removes everything that an import added, as if it had never been made: counts of\n"
        "moves, own games (import --as), analyses. Its files can be imported again. Imports\n"
        "made by versions before 0.4.0 or with --no-forget cannot be forgotten, because their\n"
        "games were not kept. Files that were imported by one command with --min-game are\n"
        "forgotten together. Games that are also in files imported later count again only when\n"
        "those files are imported again; forget names the later imports. With FOLDER, all files\n"
        "imported from it are forgotten.",
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
    Command{
        "show",
        "show what the book knows about a position, given as FEN, moves, PGN or opening",
        "[OPTIONS] [FEN|MOVES|OPENING]",
        "Shows imported and own results (won, drawn, lost), the value with its deviation, and the\n"
        "evidence for it, in games. All are from the point of view of our side: the side to move,\n"
        "or the other side if our games reached the position only with that colour. A value is\n"
        "the expected score against an equal opponent; that of the position is the mean over the\n"
        "moves of own games, not the value of the best move. How often a move is played holds for\n"
        "the default BookVariety, BookDepth and BookMinGames, without BookMatch. JSON gives\n"
        "imported results by colour, and own results as our wins, draws and losses.",
        commands::show,
        0,
        Any},
    Command{
        "why",
        "explain why the moves of a learned game were chosen",
        "GAME [MOVE]",
        "GAME is a number or \"last\". MOVE is a move of the game (Nf3, 3.Nf3, 3...a6) or a ply,\n"
        "counted from 1. Without MOVE, all our moves up to the one that left the book are\n"
        "explained. For each choice, the table repeats the record of every candidate move: value\n"
        "(expected score), lesson (what a game with the move may teach), penalty (for losses to\n"
        "this opponent), evidence (in games), popular (compared with the most popular move), and\n"
        "drawn (all this with a random amount; of the moves that are close enough to the best,\n"
        "the one with the highest number is played).",
        commands::why,
        1,
        2},
    Command{
        "lines",
        "list the best and the worst lines of own games",
        "[OPTIONS]",
        "Lists the reliably good and the reliably bad lines of own games. A line ends where its\n"
        "games left the book or went different ways. Columns: value with its deviation, results,\n"
        "our colour, last played, moves, opening. The best lines are those with the highest value\n"
        "less deviation, the worst those with the lowest value plus deviation.",
        commands::lines},
    Command{
        "games",
        "list own games, the latest first; select by opponent, date, opening, result ...",
        "[OPTIONS]",
        "Lists own games, the latest first: number, date, opponent with the rating, our colour,\n"
        "result, the move at which the game left the book, epoch (the run of the engine that\n"
        "learned it, or an import of own games), ending if it was not normal, opening. Give the\n"
        "number to why or unlearn.\n"
        "\n"
        "When the output is not a terminal, the columns are separated by tabs, and are: number,\n"
        "date, our colour, opponent, server, result, ending (normal, time forfeit, abandoned,\n"
        "rules infraction, unterminated), time control, event, number of plies, state (learned,\n"
        "unlearned, pending: not finished yet, or without evidence), rating, exit, epoch and\n"
        "opening. Also called log. Exit code 1: no game matches.",
        commands::games},
    Command{
        "news",
        "show what was learned since a day, since the last time, or from the last games",
        "[--since DATE|--games N] [OPTIONS]",
        "Shows what the book has learned from recent games: their results, the moves of ours\n"
        "whose values changed most, moves that are new in the book, and moves that it no longer\n"
        "plays; then what was imported, changed by hand and searched. A game is new if the book\n"
        "learned it since the given day (in UTC), even if it was played earlier (import --as).\n"
        "Without --since and --games, shows what is new since news was last run without them;\n"
        "the book remembers when that was. The book is compared with one without these games,\n"
        "which is computed in memory and takes as long as verify.",
        commands::news},
    Command{"prepare",
            "show what an opponent plays, and our best lines against that",
            "[OPTIONS] NAME",
            "Shows what an opponent plays, and our best lines against that, for both colours. It\n"
            "uses their games against us and, with --pgn, also their games against anybody; with\n"
            "--pgn, the opponent need not be in the book. Expected scores assume a player of our\n"
            "strength.",
            commands::prepare,
            1,
            1},
    Command{
        "report",
        "write a web page: tree, learning curve, openings",
        "[OPTIONS]",
        "Writes a single web page that needs no other file: a board to browse the positions with\n"
        "the most games, the learning curve, results by opening and opponent, the best and worst\n"
        "lines.",
        commands::report},
    Command{"serve",
            "show the book as a live page in the browser, on this machine only",
            "[--port N] [--open]",
            "Shows the book as a page in the browser: a board to play moves on, moves with their\n"
            "values, own games, and marks to set and undo. The page changes as engines learn.\n"
            "Prints the address, which contains a secret key and can be opened only on this\n"
            "machine, and runs until Ctrl-C.",
            commands::serve},
    Command{
        "opponents",
        "list the opponents and the results against them",
        "",
        "Lists name, server, rating, games, our wins, draws and losses, score in per cent, last\n"
        "played, and \"suspicious\" for opponents who score clearly above expectation in lines in\n"
        "which they have beaten us before. All finished games are counted, even those that say\n"
        "nothing about the opening, which stats, report and lines leave out.",
        commands::opponents},
    Command{
        "stats",
        "count what is in the book",
        "",
        "Counts what is in the book and in the installed book; positions and moves are those that\n"
        "were imported or searched. Like most commands for own games, it also says how many games\n"
        "are waiting to be merged into the book.",
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
            "Recomputes from the log everything that is derived from own games.",
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
        "[FEN|MOVES|OPENING] [MOVE=MARK...]",
        "Marks moves of a position: always, prefer, avoid, never, or none. Marks are stored\n"
        "apart from what is learned, and learning never changes them. always: only moves with\n"
        "this mark are played; prefer, avoid: the move counts 0.05 more or less than its value,\n"
        "and a preferred move needs no evidence; never: the move is not played. Without\n"
        "MOVE=MARK, commands are read from standard input:\n"
        "\n"
        "  MOVE MARK     mark a move, for example \"Nf3 prefer\"\n"
        "  MOVE          play the move on the board and show the position\n"
        "  back, start   take back the last move, or all moves\n"
        "  undo          undo the last change to the book, which may be a learned game\n"
        "  show          show the position again\n"
        "  help, quit",
        commands::edit,
        0,
        Any},
    Command{"undo",
            "undo the last learned game or change",
            "",
            "Undoes the last change to the book: a learned game, or a change by hand (a mark,\n"
            "unlearn, relearn, merge, import --as). Games that say nothing about the opening\n"
            "(\"without evidence\") are skipped. relearn restores a game that was undone; an\n"
            "import that was undone must be made again. Other imports are removed by forget,\n"
            "which cannot be undone.",
            commands::undo},
    Command{
        "learn",
        "switch learning on, off or to readonly",
        "[on|off|readonly]",
        "Sets whether engines learn from the games that they play with this book; without an\n"
        "argument, prints the setting. A change takes effect when an engine next opens the book.\n"
        "readonly: engines do not change the book; what they learn goes into a file beside it,\n"
        "which is merged into the book when an engine opens it after \"learn on\". edit, import\n"
        "and rebuild still work; undo, unlearn, relearn, forget and merge are refused while new\n"
        "games are in that file, and after \"learn on\" merge them first.",
        commands::learn,
        0,
        1},
    Command{
        "merge",
        "add the games, marks and searches of other books",
        "BOOK...",
        "Adds the contents of other books: their own games (each counted once, also if one book\n"
        "has it from a file), marks and searches, and their imported games unless some of these\n"
        "are in this book already. Games that wait beside another book are not added, but named.\n"
        "A game that one of the books has unlearned is unlearned. Own games are put in the order\n"
        "in which they were played, so the order of the books makes no difference, except for\n"
        "imported games that are left out. undo undoes a merge, except for searches, imported\n"
        "games and the order of the games.",
        commands::merge,
        1,
        Any},
    Command{
        "improve",
        "search the moves of the most useful positions",
        "[OPTIONS]",
        "Searches the most useful positions of the book: every move that is in the book, and\n"
        "the best one that is not. The scores are combined with the results of games. Without a\n"
        "limit, it runs until everything is searched or until Ctrl-C; finished searches are\n"
        "kept. Several processes may work on one book. Prints a line for each position: FEN,\n"
        "and each move with its score in centipawns; * marks a move that was not in the book.",
        commands::improve},
    Command{
        "snapshot",
        "copy the book, even while engines write to it",
        "FILE",
        "Writes a complete copy of the book; games may be learned meanwhile. Says how many games\n"
        "wait beside the book, and are not in the copy.",
        commands::snapshot,
        1,
        1},
    Command{
        "recover",
        "restore a damaged book from what can be read of it",
        "[[BOOK] NEW]",
        "Reads a damaged book row by row, skipping what cannot be read, and writes a new book\n"
        "with the log of own games, marks, searches, opponents and what was imported.\n"
        "Everything else is recomputed from the log. The new book replaces the user's book (or\n"
        "the one given with --book), which is kept beside it as BOOK.damaged; no engine may\n"
        "play from the book meanwhile. With NEW, the new book is written to that file, and BOOK\n"
        "is not changed.\n"
        "\n"
        "Prints how many rows of each kind were saved and how many were lost; the number of lost\n"
        "own games is exact, the others are estimates. Exit code 1: something was lost. merge can\n"
        "add what a copy (.bak) of the book still has. Games waiting in a spool file beside the\n"
        "book stay there, and are learned when the engine next plays.",
        commands::recover,
        0,
        2},
    Command{"export",
            "write a PolyGlot .bin, the own games as PGN, or the imported moves as TSV or CSV",
            "--bin FILE|--pgn FILE|--tsv FILE|--csv FILE [OPTIONS]",
            "Writes the book for other programs. FILE may be - for standard output, except with\n"
            "--bin. A FILE that is a Nutcracker book is not overwritten.",
            commands::export_book},
    Command{"make-base",
            "make the installed book from its text form",
            "--text TEXT --out FILE",
            "Makes the installed book from its text form, checking every move. No position is\n"
            "searched. FILE may be an installed book made before, but no other book.",
            commands::make_base},
};

struct Group {
    const char* title;
    std::vector<const char*> names;  // of commands
};
const std::array Groups{
    Group{"Look at the book",
          {"show", "lines", "games", "why", "news", "report", "serve", "stats"}},
    Group{"Study the opponents", {"opponents", "prepare"}},
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
  nutcracker-book show                            how often it plays each first move
  nutcracker-book show "1. e4 c5" --games         the same after these moves, and the games
  nutcracker-book lines --best --colour black     the best lines with Black
  nutcracker-book edit f4=never                   never play 1.f4 again
  nutcracker-book undo                            take the last game or change back
  nutcracker-book prepare Anna                    what Anna plays, and our best lines against it
  nutcracker-book import --as MyBot games.pgn     learn from games that MyBot played elsewhere
  nutcracker-book forget games.pgn                take that import back
  nutcracker-book serve                           all of it in the browser
  nutcracker-book export --bin book.bin           a PolyGlot book for another program
  nutcracker-book recover                         restore your book if it is damaged
)";

const Command* find_command(const std::string& name) {
    const auto* const found = std::find_if(
        Commands.begin(), Commands.end(), [&](const Command& c) { return name == c.name; });
    return found == Commands.end() ? nullptr : found;
}

void print_help() {
    std::cout << "Usage: nutcracker-book [OPTIONS] COMMAND [ARGUMENTS]\n\n"
                 "Shows, teaches, checks and exports a book of the chess engine Nutcracker.\n"
                 "\"nutcracker-book COMMAND --help\", or help COMMAND, describes a command. The "
                 "options below\nmay also follow the command, except --color.\n";
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
        "  --also FILE   one more book to choose moves from and to show: a Nutcracker book, whose\n"
        "                own games count, too, or a PolyGlot .bin; may be repeated\n"
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
        refuse("--color must be auto, always or never, not \"" + when + "\"");
    tools::use_colour(when == "auto"     ? tools::ColourWhen::Auto
                      : when == "always" ? tools::ColourWhen::Always
                                         : tools::ColourWhen::Never);
}

// The options of all commands. They stand before the command, all but --color also after it: there,
// --color is an option of the command.
struct GlobalOptions {
    std::filesystem::path book = book::default_experience(), base = book::installed_base();
    std::vector<std::filesystem::path> further{};
    std::string colour = "auto";
    bool base_given = false;

    // Takes the option at `word`, and steps onto its value if that is the next word. Returns false
    // if it is none of these options.
    bool take(Words::const_iterator& word, Words::const_iterator end, bool after_command) {
        const std::size_t equals = word->find('=');
        const std::string name = word->substr(0, equals);
        if (name != "--book" && name != "--base" && name != "--also" &&
            (name != "--color" || after_command))
            return false;
        if (equals == std::string::npos && ++word == end)
            refuse(name + (name == "--color" ? " needs auto, always or never" : " needs a file"));
        const std::string value = word->substr(equals == std::string::npos ? 0 : equals + 1);
        if (name == "--color")
            colour = value;
        else if (name == "--also")
            further.push_back(engine::platform::resolved(value));
        else
            (name == "--book" ? book : base) = value;
        base_given = base_given || name == "--base";
        return true;
    }
};

// Runs the command with its arguments, less the options of all commands. Returns the exit code.
int run(const Command& command, const Words& arguments, GlobalOptions& options) {
    using engine::platform::resolved;
    Words own;
    bool options_end = false;
    for (auto word = arguments.cbegin(); word != arguments.cend(); ++word) {
        options_end = options_end || *word == "--";
        if (options_end || !options.take(word, arguments.cend(), true))
            own.push_back(*word);
    }
    if (options.base_given && !options.base.empty())
        (void)book::Store(options.base, false);  // throws if it is not a book
    if (options.book.empty())
        refuse("no home folder for the book: give --book FILE");
    commands::Call call(command, resolved(options.book), resolved(options.base), std::move(own));
    call.further_files = std::move(options.further);
    return command.run(call);
}

// Reads the options before the command, and runs it. Returns the exit code.
int run(const Words& arguments) {
    GlobalOptions options;
    auto word = arguments.begin();
    for (; word != arguments.end() && word->starts_with('-'); ++word) {
        if (*word == "--help" || *word == "-h")
            return print_help(), 0;
        if (*word == "--version")
            return std::cout << "nutcracker-book " NUTCRACKER_VERSION "\n", 0;
        if (!options.take(word, arguments.end(), false))
            refuse("unknown option " + *word);
    }
    set_colour(options.colour);
    if (word == arguments.end())
        return print_help(), 2;
    std::string name = *word;
    Words rest(word + 1, arguments.end());
    if (name == "help") {
        if (rest.empty())
            return print_help(), 0;
        name = rest.front();
        rest = {"--help"};
    }
    const Command* const command = find_command(name == "log" ? "games" : name);
    if (!command)
        refuse("unknown command \"" + name + "\"");
    return run(*command, rest, options);
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

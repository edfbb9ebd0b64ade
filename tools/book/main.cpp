// nutcracker-book: everything there is to do with a book outside a game.
#include "book/book.h"
#include "tools/book/book_command.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace {

namespace fs = std::filesystem;
using tools::book_command::Arguments;
using tools::book_command::Place;

struct Command {
    const char* name;
    const char* help;
    int (*run)(const Place&, const Arguments&);
};

namespace commands = tools::book_command;
constexpr std::array Commands{
    Command{"import",
            "take in PGN files (.gz .bz2 .zst too), folders, - or a PolyGlot .bin",
            commands::import_games},
    Command{"check", "read PGN files and play every move, without a book", commands::check_games},
    Command{"show", "what is known in a position, given as FEN or moves", commands::show},
    Command{"why", "why a move of a learned game was chosen: GAME PLY", commands::why},
    Command{"lines", "the best and the worst lines so far", commands::lines},
    Command{"prepare", "what an opponent plays, and our best against that", commands::prepare},
    Command{"report", "one page for any browser: tree, curve, openings", commands::report},
    Command{"opponents", "whom we played, and how it went", commands::opponents},
    Command{"stats", "how much there is in the book", commands::stats},
    Command{"verify", "compare the book with its log of games", commands::verify},
    Command{"rebuild", "make everything anew from the log of games", commands::rebuild},
    Command{"unlearn", "take games out again, as if never played", commands::unlearn},
    Command{"relearn", "put them back", commands::relearn},
    Command{"edit", "mark moves: always, prefer, avoid, never, none", commands::edit},
    Command{"undo", "take back the last learned game or change", commands::undo},
    Command{"learn", "whether engines learn into this book: on, off, readonly", commands::learn},
    Command{"merge", "take in the games of other books, each once", commands::merge},
    Command{"improve", "search the moves of the most useful positions", commands::improve},
    Command{"snapshot", "a copy, also while others write", commands::snapshot},
    Command{"export", "as PolyGlot .bin, PGN of the own games, TSV or CSV", commands::export_book},
    Command{
        "make-base", "the book that is installed, from a table of openings", commands::make_base},
};

void print_help() {
    std::cout << "Usage: nutcracker-book [--book FILE] [--base FILE] COMMAND "
                 "[ARGUMENTS]\n\nCommands (COMMAND --help tells more):\n";
    for (const Command& c : Commands)
        std::cout << "  " << c.name << std::string(12 - std::string(c.name).size(), ' ') << c.help
                  << '\n';
    std::cout << "\n  --book FILE  the book; " << book::default_experience().string()
              << " if not given\n  --base FILE  the installed book, \"\" for none\n  --version    "
                 "the version\n";
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments(argv + 1, argv + argc);
    Place place{.book = book::default_experience(), .base = book::installed_base()};
    bool base_given = false;
    while (!arguments.empty() && arguments.front().starts_with("--")) {
        const std::string option = arguments.front();
        arguments.erase(arguments.begin());
        const std::size_t equals = option.find('=');
        const std::string name = option.substr(0, equals);
        if (name == "--help") {
            print_help();
            return 0;
        }
        if (name == "--version") {
            std::cout << "nutcracker-book " NUTCRACKER_VERSION "\n";
            return 0;
        }
        if (name != "--book" && name != "--base")
            return commands::complain("unknown option " + option + "; see nutcracker-book --help");
        std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
        if (equals == std::string::npos) {
            if (arguments.empty())
                return commands::complain(name + " needs a file");
            value = arguments.front();
            arguments.erase(arguments.begin());
        }
        (name == "--book" ? place.book : place.base) = value;
        base_given = base_given || name == "--base";
    }
    if (arguments.empty()) {
        print_help();
        return 2;
    }
    const auto command =
        std::find_if(Commands.begin(), Commands.end(), [&arguments](const Command& c) {
            return arguments.front() == c.name;
        });
    if (command == Commands.end())
        return commands::complain("unknown command \"" + arguments.front() +
                                  "\"; see nutcracker-book --help");
    if (base_given && !place.base.empty())
        if (const Result<book::Store> base = book::Store::open(place.base, false); !base)
            return commands::complain(base.error().what, 1);
    if (place.book.empty())
        return commands::complain("no home folder for the book: give --book FILE");
    arguments.erase(arguments.begin());
    const int code = command->run(place, arguments);
    return std::cout.flush() || code != 0 ? code
                                          : commands::complain("the output cannot be written", 1);
}

// nutcracker-learningmatch: does the book learn? The parts of the experiment that
// tools/lab/learning-match puts together.
#include "tools/lab/learning/subcommands.h"

#include <array>
#include <iostream>

namespace {

namespace commands = tools::learning::command;

struct Command {
    const char* name;
    const char* help;
    int (*run)(const commands::Arguments&);
};
constexpr std::array Commands{
    Command{"games", "make a collection of games from a table of openings", commands::games},
    Command{"poison", "make poisoned copies of a book", commands::poison},
    Command{"play", "play one run of games and write its results", commands::play},
    Command{"report", "tables and a picture of the runs in a folder", commands::report},
};

}  // namespace

int main(int argc, char** argv) {
    commands::Arguments arguments(argv + 1, argv + argc);
    if (arguments.empty() || arguments[0] == "--help") {
        std::cout
            << "Usage: nutcracker-learningmatch COMMAND [OPTIONS]\n\nCommands (COMMAND --help "
               "tells more):\n";
        for (const Command& c : Commands)
            std::cout << "  " << c.name << std::string(10 - std::string(c.name).size(), ' ')
                      << c.help << '\n';
        return arguments.empty() ? 2 : 0;
    }
    for (const Command& c : Commands)
        if (arguments[0] == c.name) {
            arguments.erase(arguments.begin());
            return c.run(arguments);
        }
    std::cerr << "nutcracker-learningmatch: unknown command \"" << arguments[0]
              << "\"; see --help\n";
    return 2;
}

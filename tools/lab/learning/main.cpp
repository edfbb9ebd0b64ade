// nutcracker-learningmatch: does the book learn? The parts of the experiment that
// tools/lab/learning-match puts together.
#include "tools/lab/learning/subcommands.h"

#include <iostream>

#include <fmt/format.h>

namespace {

namespace commands = tools::learning::command;

struct Command {
    const char* name;
    const char* help;
    int (*run)(const tools::Words&);
};
constexpr std::array Commands{
    Command{"games", "make a collection of games from a table of openings", commands::games},
    Command{"poison", "make poisoned copies of a book", commands::poison},
    Command{"play", "play one run of games and write its results", commands::play},
    Command{"against", "play one run against foreign engines", commands::against},
    Command{"report", "make tables and curves from the runs in a folder", commands::report},
};

int run(const tools::Words& words) {
    if (words.empty() || words[0] == "--help") {
        std::cout << "Usage: nutcracker-learningmatch COMMAND [OPTION...]\n\n"
                     "The parts of the experiment tools/lab/learning-match.\n\nCommands:\n";
        for (const Command& c : Commands)
            std::cout << fmt::format("  {:<10}{}\n", c.name, c.help);
        std::cout << "\nCOMMAND --help describes a command, --version prints the version.\n";
        return words.empty() ? 2 : 0;
    }
    if (words[0] == "--version") {
        std::cout << "nutcracker-learningmatch " NUTCRACKER_VERSION "\n";
        return 0;
    }
    for (const Command& c : Commands)
        if (words[0] == c.name)
            return c.run({words.begin() + 1, words.end()});
    throw tools::Failure(fmt::format("unknown command \"{}\" (try --help)", words[0]));
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-learningmatch", argc, argv, run);
}

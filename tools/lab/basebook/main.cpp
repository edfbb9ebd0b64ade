// nutcracker-basebook: builds the base book from the engine's own searches and from how often moves
// are played.
#include "tools/lab/basebook/basebook_command.h"

#include <array>
#include <iostream>

#include <fmt/format.h>

namespace {

namespace commands = tools::basebook::command;

struct Command {
    const char* name;
    const char* help;
    int (*run)(const tools::Words&);
};
constexpr std::array Commands{
    Command{"counts", "count the moves of masters' games by position", commands::counts},
    Command{"build", "search, and write the text of the book", commands::build},
    Command{
        "calibrate", "measure the errors of scores by the nodes of a search", commands::calibrate},
    Command{"exits", "measure the positions in which games leave books", commands::exits},
};

int run(const tools::Words& words) {
    if (words.empty() || words[0] == "--help") {
        std::cout << "Usage: nutcracker-basebook COMMAND [OPTION...]\n\n"
                     "Builds the base book.\n\nCommands:\n";
        for (const Command& c : Commands)
            std::cout << fmt::format("  {:<11}{}\n", c.name, c.help);
        std::cout << "\nCOMMAND --help describes a command, --version prints the version.\n";
        return words.empty() ? 2 : 0;
    }
    if (words[0] == "--version") {
        std::cout << "nutcracker-basebook " NUTCRACKER_VERSION "\n";
        return 0;
    }
    for (const Command& c : Commands)
        if (words[0] == c.name)
            return c.run({words.begin() + 1, words.end()});
    throw tools::Failure(fmt::format("unknown command \"{}\" (try --help)", words[0]));
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-basebook", argc, argv, run);
}

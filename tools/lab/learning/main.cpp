// nutcracker-learningmatch: does the book learn? The parts of the experiment that
// tools/lab/learning-match puts together.
#include "tools/lab/learning/subcommands.h"

#include <array>

namespace {

namespace commands = tools::learning::command;

constexpr std::array Commands{
    tools::Command{"games", "make a collection of games from a table of openings", commands::games},
    tools::Command{"poison", "make poisoned copies of a book", commands::poison},
    tools::Command{"play", "play one run of games and write its results", commands::play},
    tools::Command{"against", "play one run against foreign engines", commands::against},
    tools::Command{"report", "make tables and curves from the runs in a folder", commands::report},
};

int run(const tools::Words& words) {
    return tools::run_command("nutcracker-learningmatch",
                              "The parts of the experiment tools/lab/learning-match.",
                              Commands,
                              words);
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-learningmatch", argc, argv, run);
}

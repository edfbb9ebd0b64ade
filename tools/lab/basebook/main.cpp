// nutcracker-basebook: builds the base book from the engine's own searches and from how often moves
// are played.
#include "tools/lab/basebook/basebook_command.h"

#include <array>

namespace {

namespace commands = tools::basebook::command;

constexpr std::array Commands{
    tools::Command{"counts", "count the moves of masters' games by position", commands::counts},
    tools::Command{"build", "search, and write the text of the book", commands::build},
    tools::Command{
        "calibrate", "measure the errors of scores by the nodes of a search", commands::calibrate},
    tools::Command{"exits", "measure the positions in which games leave books", commands::exits},
};

int run(const tools::Words& words) {
    return tools::run_command("nutcracker-basebook", "Builds the base book.", Commands, words);
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-basebook", argc, argv, run);
}

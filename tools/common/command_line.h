// The command line of a program, or of one of its commands.
#pragma once

#include "tools/common/errors.h"

#include <optional>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace tools {

using Words = std::vector<std::string>;  // of the command line, without the program's name

struct CommandLine {
    std::string who;  // "nutcracker-NAME" or "nutcracker-NAME: COMMAND"; begins every error message
    Words words{};
    // The option that takes the positional arguments. If `options` does not describe it, it becomes
    // a hidden list of strings.
    std::string rest{};
    int max_rest = -1;          // number of positional arguments allowed; -1: any
    std::string explanation{};  // printed below the options by --help
};

// The value of an option that is bound to `variable`, with its present value as the default.
template <typename T>
auto* bound(T& variable) {
    return boost::program_options::value(&variable)->default_value(variable);
}

// Throws Failure if a negative number was given for one of `options` that takes none.
void refuse_negatives(const boost::program_options::parsed_options& parsed,
                      const boost::program_options::options_description& options);

// Parses the words into the variables that the options are bound to, and into `given`. Adds --help
// and --version unless they are described. Returns nothing if the program should continue, else its
// exit code: 0 after --help or --version, 2 after one line on standard error about a wrong word.
std::optional<int> read_options(const CommandLine& line,
                                const boost::program_options::options_description& options,
                                boost::program_options::variables_map& given);

// The same inside run_tool(): ends the program instead of returning an exit code.
boost::program_options::variables_map
parse_options(const CommandLine& line, const boost::program_options::options_description& options);

// The body of every main(): runs the tool with its words and returns its exit code. An exception is
// printed as one line "NAME: what"; the exit code is that of the Failure, else 2.
int run_tool(const char* name, int argc, char** argv, int (*run)(const Words&));

}  // namespace tools

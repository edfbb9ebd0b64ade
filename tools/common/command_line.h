// The command line of a program, or of one of its commands.
#pragma once

#include "tools/common/errors.h"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <boost/program_options.hpp>
#include <fmt/format.h>

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

template <typename T>
constexpr T no_limit() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

// The value of an option: a number from `lowest` to `highest`. Defaults are not checked.
template <typename T>
class NumberInRange : public boost::program_options::typed_value<T> {
  public:
    NumberInRange(T& variable, T lowest, T highest)
        : boost::program_options::typed_value<T>(&variable), lowest_(lowest), highest_(highest) {}

    void xparse(boost::any& stored, const Words& words) const override {
        boost::program_options::typed_value<T>::xparse(stored, words);
        const T number = boost::any_cast<T>(stored);
        if (lowest_ <= number && number <= highest_)
            return;
        const std::string range = highest_ == no_limit<T>()
                                      ? fmt::format("{} or more", lowest_)
                                      : fmt::format("{} to {}", lowest_, highest_);
        throw boost::program_options::error_with_option_name("%canonical_option% must be " + range);
    }

  private:
    const T lowest_, highest_;
};

// The value of an option that is bound to `variable`, a number from `lowest` to `highest`.
template <typename T>
auto* ranged(T& variable,
             std::type_identity_t<T> lowest,
             std::type_identity_t<T> highest = no_limit<T>()) {
    return new NumberInRange<T>(variable, lowest, highest);  // NOLINT: Boost deletes it
}
// The same with the present value of `variable` as the default.
template <typename T>
auto* bound(T& variable,
            std::type_identity_t<T> lowest,
            std::type_identity_t<T> highest = no_limit<T>()) {
    return ranged(variable, lowest, highest)->default_value(variable);
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

// The same inside run_tool(): ends the program after --help and --version, throws Failure about a
// wrong word.
boost::program_options::variables_map
parse_options(const CommandLine& line, const boost::program_options::options_description& options);

// A command of a program, such as build of nutcracker-basebook.
struct Command {
    const char* name;
    const char* help;  // one line, for the list of commands
    int (*run)(const Words&);
};

// Runs the command that the first word names, with the words after it, and returns its exit code.
// --help, -h and no word at all print `purpose` and the list of commands. `program`:
// "nutcracker-NAME". Throws Failure if there is no such command.
int run_command(const char* program,
                const char* purpose,
                std::span<const Command> commands,
                const Words& words);

// The body of every main(): runs the tool with its words and returns its exit code. An exception is
// printed as one line "NAME: what"; the exit code is that of the Failure, else 2.
int run_tool(const char* name, int argc, char** argv, int (*run)(const Words&));

}  // namespace tools

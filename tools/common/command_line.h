// The options of a program, or of one of its commands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace tools {

struct CommandLine {
    std::string who;                   // begins every complaint
    std::vector<std::string> words{};  // without the name of the program
    // The option that takes what is no option and no value of one. If it is not described, it is a
    // hidden list of strings.
    std::string rest{};
    int most_rest = -1;         // so many of them; -1: any number
    std::string explanation{};  // below the options in --help
};

// Reads the words into what the options are bound to, and into `given`. Nothing if the program is
// to go on, else its exit code: 0 after --help was answered, 2 after one line of complaint.
std::optional<int> read_options(const CommandLine& line,
                                const boost::program_options::options_description& options,
                                boost::program_options::variables_map& given);

}  // namespace tools

#include "tools/common/command_line.h"

#include "engine/platform/program.h"

#include <algorithm>
#include <cstdint>
#include <iostream>

#include <fmt/format.h>

namespace tools {
namespace {

namespace po = boost::program_options;

// Boost reads "-5" as a very large number if the option is unsigned.
bool is_negative(const po::option& option, const po::options_description& options) {
    const po::option_description* known = options.find_nothrow(option.string_key, false);
    const auto* type =
        known ? dynamic_cast<const po::typed_value_base*>(known->semantic().get()) : nullptr;
    return type && type->value_type() == typeid(std::uint64_t) && !option.value.empty() &&
           option.value.front().starts_with('-');
}

struct Exit {
    int code;
};

// As read_options(), but throws Failure about a wrong word.
std::optional<int>
parse(const CommandLine& line, const po::options_description& described, po::variables_map& given) {
    po::options_description options = described;
    if (!options.find_nothrow("help", false))
        options.add_options()("help,h", "print this help and exit");
    if (!options.find_nothrow("version", false))
        options.add_options()("version", "print the version and exit");
    po::options_description all;
    all.add(options);
    po::positional_options_description rest;
    if (!line.rest.empty()) {
        if (!options.find_nothrow(line.rest, false))
            all.add_options()(line.rest.c_str(), po::value<Words>());
        rest.add(line.rest.c_str(), line.max_rest);
    }
    try {
        const po::parsed_options parsed =
            po::command_line_parser(line.words).options(all).positional(rest).run();
        refuse_negatives(parsed, all);
        po::store(parsed, given);
        if (given.contains("help")) {
            std::cout << options << line.explanation;
            return 0;
        }
        if (given.contains("version")) {
            std::cout << line.who.substr(0, line.who.find(':')) << " " NUTCRACKER_VERSION "\n";
            return 0;
        }
        po::notify(given);
    } catch (const std::exception& e) {  // of Boost, or of refuse_negatives()
        throw Failure(fmt::format("{} (try --help)", e.what()));
    }
    return std::nullopt;
}

}  // namespace

void refuse_negatives(const po::parsed_options& parsed, const po::options_description& options) {
    for (const po::option& option : parsed.options)
        if (is_negative(option, options))
            throw Failure(
                fmt::format("--{} cannot be {}", option.string_key, option.value.front()));
}

std::optional<int> read_options(const CommandLine& line,
                                const po::options_description& options,
                                po::variables_map& given) {
    try {
        return parse(line, options, given);
    } catch (const Failure& failure) {
        std::cerr << fmt::format("{}: {}\n", line.who, failure.what());
        return failure.code;
    }
}

po::variables_map parse_options(const CommandLine& line, const po::options_description& options) {
    const std::size_t colon = line.who.find(':');
    const std::string command = colon == std::string::npos ? "" : line.who.substr(colon + 2) + ": ";
    po::variables_map given;
    try {
        if (const auto code = parse(line, options, given))
            throw Exit{*code};
    } catch (const Failure& failure) {
        throw Failure(command + failure.what(), failure.code);
    }
    return given;
}

int run_command(const char* program,
                const char* purpose,
                std::span<const Command> commands,
                const Words& words) {
    if (words.empty() || words[0] == "--help" || words[0] == "-h") {
        std::size_t longest = 0;
        for (const Command& c : commands)
            longest = std::max(longest, std::string_view(c.name).size());
        std::cout << fmt::format(
            "Usage: {} COMMAND [OPTION...]\n\n{}\n\nCommands:\n", program, purpose);
        for (const Command& c : commands)
            std::cout << fmt::format("  {:<{}}{}\n", c.name, longest + 3, c.help);
        std::cout << "\nCOMMAND --help describes a command, --version prints the version.\n";
        return words.empty() ? 2 : 0;
    }
    if (words[0] == "--version") {
        std::cout << program << " " NUTCRACKER_VERSION "\n";
        return 0;
    }
    for (const Command& c : commands)
        if (words[0] == c.name)
            return c.run({words.begin() + 1, words.end()});
    throw Failure(fmt::format("unknown command \"{}\" (try --help)", words[0]));
}

int run_tool(const char* name, int argc, char** argv, int (*run)(const Words&)) {
    const auto complain = [name](const std::exception& e, int code) {
        std::cerr << fmt::format("{}: {}\n", name, e.what());
        return code;
    };
    const auto finished = [name](int code) {
        if (std::cout.flush() || code != 0)
            return code;
        std::cerr << fmt::format("{}: the output cannot be written\n", name);
        return 2;
    };
    const Words words = engine::platform::begin_program(argc, argv);
    try {
        return finished(run(words));
    } catch (const Exit& exit) {
        return finished(exit.code);
    } catch (const Failure& failure) {
        return complain(failure, failure.code);
    } catch (const std::exception& e) {
        return complain(e, 2);
    }
}

}  // namespace tools

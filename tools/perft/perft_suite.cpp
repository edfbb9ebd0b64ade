#include "tools/perft/perft_suite.h"

#include <charconv>
#include <optional>
#include <sstream>

namespace tools {
namespace {

template <typename T>
std::optional<T> whole_number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// "4 197281" or "D4 197281".
std::optional<PerftCount> parse_count(const std::string& text) {
    std::istringstream words(text);
    std::string depth, leaves, more;
    words >> depth >> leaves;
    if (words >> more || depth.empty())
        return std::nullopt;
    if (depth.front() == 'D')
        depth.erase(0, 1);
    const std::optional<int> d = whole_number<int>(depth);
    const std::optional<std::uint64_t> n = whole_number<std::uint64_t>(leaves);
    if (!d || !n || *d < 0 || *d > 100)
        return std::nullopt;
    return PerftCount{*d, *n};
}

std::string trimmed_line(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// "FEN ;D1 n ;D2 n": false if it is not of that form.
bool read_one_line(const std::string& line, int number, std::vector<PerftCase>& cases) {
    std::istringstream parts(line);
    std::string part;
    std::getline(parts, part, ';');
    PerftCase c{trimmed_line(part), {}, number, {}};
    while (std::getline(parts, part, ';')) {
        const std::optional<PerftCount> count = parse_count(part);
        if (!count)
            return false;
        c.counts.push_back(*count);
    }
    if (c.fen.empty() || c.counts.empty())
        return false;
    cases.push_back(std::move(c));
    return true;
}

// "id", "epd" and "perft" lines build up a case; false if the line is out of place.
bool read_block_line(const std::string& line,
                     int number,
                     PerftCase& open,
                     std::vector<PerftCase>& cases) {
    const std::size_t blank = line.find(' ');
    const std::string word = line.substr(0, blank);
    const std::string rest = blank == std::string::npos ? "" : trimmed_line(line.substr(blank));
    if (word == "id") {
        open = {{}, rest, number, {}};
        return true;
    }
    if (word == "epd") {
        cases.push_back({rest, open.name, number, {}});
        open = {};
        return !rest.empty();
    }
    const std::optional<PerftCount> count = parse_count(rest);
    if (word != "perft" || !count || cases.empty())
        return false;
    cases.back().counts.push_back(*count);
    return true;
}

}  // namespace

Result<std::vector<PerftCase>> read_perft_suite(std::istream& in) {
    std::vector<PerftCase> cases;
    PerftCase open;
    std::string text;
    for (int number = 1; std::getline(in, text); ++number) {
        const std::string line = trimmed_line(text);
        if (line.empty() || line.front() == '#')
            continue;
        const bool read = line.find(';') != std::string::npos
                              ? read_one_line(line, number, cases)
                              : read_block_line(line, number, open, cases);
        if (!read)
            return fail("line " + std::to_string(number) + " is no perft count: " + line);
    }
    return cases;
}

}  // namespace tools

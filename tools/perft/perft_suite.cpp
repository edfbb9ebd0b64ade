#include "tools/perft/perft_suite.h"

#include "tools/common/strings.h"

#include <sstream>

#include <fmt/format.h>

namespace tools::perft {
namespace {

// "4 197281" or "D4 197281".
std::optional<PerftCount> parse_count(std::string_view text) {
    const std::vector<std::string_view> words = fields(text);
    if (words.size() != 2)
        return std::nullopt;
    const auto depth = number<int>(words[0].substr(words[0].starts_with('D') ? 1 : 0));
    const auto leaves = number<std::uint64_t>(words[1]);
    if (!depth || !leaves || *depth < 0 || *depth > 100)
        return std::nullopt;
    return PerftCount{*depth, *leaves};
}

// "FEN ;D1 n ;D2 n": false if it is not of that form.
bool read_one_line(const std::string& line, int line_number, std::vector<PerftCase>& cases) {
    std::istringstream parts(line);
    std::string part;
    std::getline(parts, part, ';');
    PerftCase c{std::string(trimmed(part)), {}, line_number, {}};
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
bool read_block_line(std::string_view line,
                     int line_number,
                     PerftCase& open,
                     std::vector<PerftCase>& cases) {
    const std::string_view word = take_word(line);  // the rest stays in `line`
    if (word == "id") {
        open = {{}, std::string(line), line_number, {}};
        return true;
    }
    if (word == "epd") {
        cases.push_back({std::string(line), open.name, line_number, {}});
        open = {};
        return !line.empty();
    }
    const std::optional<PerftCount> count = parse_count(line);
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
    int number = 1;
    for (; std::getline(in, text); ++number) {
        const std::string line(trimmed(number == 1 ? without_mark(text) : text));
        if (line.empty() || line.front() == '#')
            continue;
        const bool read = line.find(';') != std::string::npos
                              ? read_one_line(line, number, cases)
                              : read_block_line(line, number, open, cases);
        if (!read)
            return fail(fmt::format("line {} is not a perft count: {}", number, line));
    }
    if (in.bad())
        return fail(fmt::format("line {} cannot be read", number));
    for (PerftCase& c : cases) {
        const Result<engine::Position> pos =
            engine::Position::from_fen(c.fen, engine::Material::Any);
        if (!pos)
            return fail(fmt::format("line {}: {}", c.line, pos.error().what));
        c.position = *pos;
    }
    return cases;
}

}  // namespace tools::perft

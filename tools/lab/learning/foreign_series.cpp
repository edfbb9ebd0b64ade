#include "tools/lab/learning/foreign_series.h"

#include "tools/common/strings.h"
#include "tools/lab/learning/series.h"

#include <array>
#include <sstream>

#include <fmt/format.h>

namespace tools::learning {
namespace {

constexpr const char* Columns =
    "game\topponent\tside\tscore\tplies\tbook_moves\texit_ply\texit_cp\tmoves\topening\tfault";
constexpr std::size_t ColumnCount = 11;
constexpr std::array<const char*, 3> StartNames{"cold", "base", "none"};

const char* name_of(Start start) {
    return StartNames.at(static_cast<std::size_t>(start));
}

std::optional<ForeignRow> row_from_text(const std::string& line, std::size_t opponents) {
    const std::vector<std::string> parts = split(line, '\t');
    if (parts.size() != ColumnCount)
        return std::nullopt;
    const auto number_of_game = number<int>(parts[0]);
    const auto opponent = number<std::size_t>(parts[1]);
    const auto score = number<double>(parts[3]);
    const auto plies = number<int>(parts[4]), book_moves = number<int>(parts[5]);
    const auto exit_ply = number<int>(parts[6]), exit_cp = number<int>(parts[7]);
    const auto moves = number<std::uint64_t>(parts[8]);
    if (!number_of_game || !opponent || *opponent < 1 || *opponent > opponents || !score ||
        !plies || !book_moves || (!exit_ply && parts[6] != "-") || !exit_cp || !moves ||
        (parts[2] != "w" && parts[2] != "b"))
        return std::nullopt;
    return ForeignRow{.number = *number_of_game,
                      .opponent = *opponent - 1,
                      .side = parts[2] == "w" ? engine::White : engine::Black,
                      .score = *score,
                      .plies = *plies,
                      .book_moves = *book_moves,
                      .exit_ply = exit_ply,
                      .exit_cp = *exit_cp,
                      .moves = *moves,
                      .opening = parts[9],
                      .fault = parts[10] == "-" ? "" : parts[10]};
}

// Reads one line of the heading, "# name value"; false if it is none.
bool read_rule(std::string_view line, ForeignRules& rules) {
    if (take_word(line) != "#")
        return false;
    const std::string_view name = take_word(line);
    const auto set = [&line](auto& target) {
        const auto value = number<std::remove_reference_t<decltype(target)>>(line);
        target = value.value_or(target);
        return value.has_value();
    };
    if (name == "start") {
        const Result<Start> start = parse_start(std::string(line));
        rules.start = start.value_or(Start::Cold);
        return start.has_value();
    }
    if (name == "learn") {
        rules.learn = line == "1";
        return line == "0" || line == "1";
    }
    if (name == "book") {
        rules.book = line;
        return true;
    }
    if (name == "against") {
        rules.against.emplace_back(line);
        return true;
    }
    return name == "seed"         ? set(rules.seed)
           : name == "games"      ? set(rules.games)
           : name == "nodes"      ? set(rules.nodes)
           : name == "exit-nodes" ? set(rules.exit_nodes)
                                  : name == "variation" && set(rules.variation);
}

}  // namespace

std::string kind_of(const ForeignRules& rules) {
    if (rules.start == Start::NoBook)
        return "nobook";
    return fmt::format("{}-{}", name_of(rules.start), rules.learn ? "learning" : "control");
}

std::string name_of(const ForeignRules& rules) {
    return fmt::format(
        "{}-{}-{}", rules.variation == 0 ? "repeat" : "foreign", kind_of(rules), rules.seed);
}

Result<Start> parse_start(const std::string& text) {
    for (const Start start : {Start::Cold, Start::Base, Start::NoBook})
        if (text == name_of(start))
            return start;
    return fail("not cold, base or none: \"" + text + "\"");
}

std::size_t opponent_in(const ForeignRules& rules, int number) {
    return static_cast<std::size_t>(number - 1) / 2 % rules.against.size();
}

engine::Color side_in(int number) {
    return number % 2 == 1 ? engine::White : engine::Black;
}

std::string heading(const ForeignRules& rules) {
    std::string text = fmt::format("# start {}\n# learn {:d}\n# seed {}\n# games {}\n# nodes {}\n"
                                   "# variation {}\n# exit-nodes {}\n",
                                   name_of(rules.start),
                                   rules.learn,
                                   rules.seed,
                                   rules.games,
                                   rules.nodes,
                                   rules.variation,
                                   rules.exit_nodes);
    if (!rules.book.empty())
        text += fmt::format("# book {}\n", rules.book);
    for (const std::string& words : rules.against)
        text += fmt::format("# against {}\n", words);
    return text + Columns + '\n';
}

std::string to_text(const ForeignRow& row) {
    return fmt::format("{}\t{}\t{}\t{:g}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                       row.number,
                       row.opponent + 1,
                       row.side == engine::White ? 'w' : 'b',
                       row.score,
                       row.plies,
                       row.book_moves,
                       row.exit_ply ? std::to_string(*row.exit_ply) : "-",
                       row.exit_cp,
                       row.moves,
                       row.opening,
                       row.fault.empty() ? "-" : row.fault);
}

Result<ForeignSeries> foreign_series_from_text(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    ForeignSeries series;
    while (std::getline(in, line) && line != Columns)
        if (!read_rule(line, series.rules))
            return fail("not a rule of a learning match: \"" + line + "\"");
    if (line != Columns || series.rules.against.empty())
        return fail("not a result of a learning match against foreign engines");
    while (std::getline(in, line)) {
        if (in.eof())  // without a line end: cut short
            break;
        if (line + '\n' == CompleteMark) {
            series.complete = true;
            break;
        }
        std::optional<ForeignRow> row = row_from_text(line, series.rules.against.size());
        if (!row || row->number != static_cast<int>(series.games.size()) + 1)
            return fail("not a game of a learning match: \"" + line + "\"");
        series.games.push_back(std::move(*row));
    }
    return series;
}

}  // namespace tools::learning

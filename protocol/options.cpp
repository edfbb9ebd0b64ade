#include "protocol/options.h"

#include "engine/platform/program.h"
#include "engine/search/limits.h"
#include "protocol/io/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include <fmt/format.h>

namespace protocol {
namespace {

struct Row {
    std::string_view name;
    std::variant<bool Settings::*, int Settings::*, std::string Settings::*> field;
    std::string_view help;
    int minimum = 0, maximum = 0;    // of numbers only
    std::string_view text = "file";  // the kind of text, for the client
};

// clang-format off
constexpr auto Rows = std::to_array<Row>({
    {"OwnBook", &Settings::own_book, "1: play from the book"},
    {"BookLearn", &Settings::book_learn, "1: learn from finished games"},
    {"BookMatch", &Settings::book_match, "1: choose among the best book moves only"},
    {"BookImprove", &Settings::book_improve, "1: search positions for the book while no game is in progress"},
    {"BookFile", &Settings::book_file, "the user's book, like --book; -: no book at all"},
    {"BookFiles", &Settings::book_files, "further books, separated by `;`, which are only read: Nutcracker books or PolyGlot .bin files; -: none", 0, 0, "string"},
    {"BookDepth", &Settings::book_depth, "the last move number at which the engine may play from the book; 0: no limit", 0, 100},
    {"BookVariety", &Settings::book_variety, "0: the best book move only; 50: normal; 100: twice as varied", 0, 100},
    {"BookMinGames", &Settings::book_min_games, "how many games a book move needs, unless a search has found it", 1, 1'000},
    {"EvalFile", &Settings::eval_file, "a network file; built-in: the network in the program; -: the hand-written evaluation"},
    {"SyzygyPath", &Settings::syzygy_path, "folders of Syzygy endgame tables, separated by `:`, on Windows by `;`; -: none", 0, 0, "path"},
    {"Resign", &Settings::resign, "1: resign lost games"},
    {"ResignScore", &Settings::resign_score_cp, "how many centipawns behind counts as lost", 200, 10'000},
    {"MultiPV", &Settings::multi_pv, "how many lines analysis shows, the best first", 1, 256},
    {"LimitStrength", &Settings::limit_strength, "1: play like a person rated Elo; no pondering, and no learning, because such games say nothing about openings"},
    {"Elo", &Settings::elo, "the rating for LimitStrength", engine::MinElo, engine::MaxElo},
    {"HumanTime", &Settings::human_time, "1: with LimitStrength, take as long as a person for a move, if the game has a clock"},
    {"MoveOverhead", &Settings::move_overhead_ms, "milliseconds lost in transmission per move; -1: 10 locally, 200 on a chess server, plus what the clock has recently lost beyond that", -1, 5'000},
});
// clang-format on

// Some options have other names in UCI.
std::string uci_name(const Row& row) {
    if (row.name == "MoveOverhead")
        return "Move Overhead";
    const bool in_standard = row.name == "LimitStrength" || row.name == "Elo";
    return (in_standard ? "UCI_" : "") + std::string(row.name);
}

// `name`: in lower case, without blanks.
bool is_called(const Row& row, std::string_view name) {
    std::string other = lower(uci_name(row));
    std::erase(other, ' ');
    return name == lower(row.name) || name == other;
}

// Clients cut the default at a blank or a quote and may send back what they were shown, so a text
// that cannot be shown whole is not shown at all.
std::string shown(const std::string& text) {
    const bool whole = text == printable(text) && text.find_first_of(" \"'\\=") == text.npos;
    return whole ? text : "";
}

// The type of an option in a feature, with its default.
std::string type_of(const Row&, bool value) {
    return fmt::format("check {:d}", value);
}
std::string type_of(const Row& row, int value) {
    return fmt::format("spin {} {} {}", value, row.minimum, row.maximum);
}
std::string type_of(const Row& row, const std::string& value) {
    return fmt::format("{} {}", row.text, shown(value));
}

// Change nothing and return false if the text is no value of that type.
bool read(const Row&, std::string_view text, bool& value) {
    const std::optional<bool> on = to_bool(text);
    value = on.value_or(value);
    return on.has_value();
}
bool read(const Row& row, std::string_view text, int& value) {
    const std::optional<int> number = to_int(text);
    value = number ? std::clamp(*number, row.minimum, row.maximum) : value;
    return number.has_value();
}
bool read(const Row&, std::string_view text, std::string& value) {
    value = engine::platform::with_home(std::string(text));
    return true;
}

}  // namespace

std::vector<std::string> option_features(const Settings& settings) {
    std::vector<std::string> features;
    features.reserve(Rows.size());
    for (const Row& row : Rows)
        features.push_back(fmt::format(
            "option=\"{} -{}\"",
            row.name,
            std::visit([&](auto field) { return type_of(row, settings.*field); }, row.field)));
    return features;
}

namespace {

std::string uci_type(const Row&, bool value) {
    return fmt::format("check default {}", value);
}
std::string uci_type(const Row& row, int value) {
    return fmt::format("spin default {} min {} max {}", value, row.minimum, row.maximum);
}
std::string uci_type(const Row&, const std::string& value) {
    const bool whole = !value.empty() && value == printable(value, value.size());
    return fmt::format("string default {}", whole ? value : "<empty>");
}

}  // namespace

std::vector<std::string> uci_option_lines(const Settings& settings) {
    std::vector<std::string> lines;
    for (const Row& row : Rows) {
        const std::string type =
            std::visit([&](auto field) { return uci_type(row, settings.*field); }, row.field);
        if (!row.name.starts_with("Resign"))  // UCI knows no resignation
            lines.push_back(fmt::format("option name {} type {}", uci_name(row), type));
    }
    return lines;
}

std::string option_help() {
    std::string text;
    for (const Row& row : Rows)
        text += fmt::format("  {:<15} {}\n", row.name, row.help);
    return text;
}

Setting set_option(Settings& settings, std::string_view name, std::string_view value) {
    std::string wanted = lower(name);
    std::erase(wanted, ' ');
    const auto row = std::find_if(
        Rows.begin(), Rows.end(), [&](const Row& one) { return is_called(one, wanted); });
    if (row == Rows.end())
        return Setting::Unknown;
    const auto* const file = std::get_if<std::string Settings::*>(&row->field);
    if (file && trimmed(value).empty())
        return shown(settings.**file).empty() ? Setting::Kept : Setting::Empty;
    const auto set = [&](auto field) {
        const auto before = settings.*field;
        if (!read(*row, trimmed(value), settings.*field))
            return Setting::Invalid;
        return settings.*field == before ? Setting::Kept : Setting::Changed;
    };
    return std::visit(set, row->field);
}

}  // namespace protocol

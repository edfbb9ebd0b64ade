#include "protocol/options.h"

#include "protocol/io/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

namespace protocol {
namespace {

struct Row {
    std::string_view name;
    std::variant<bool Settings::*, int Settings::*, std::string Settings::*> field;
    int minimum = 0, maximum = 0;  // of a number
};

constexpr std::array Rows = {
    Row{"OwnBook", &Settings::own_book},
    Row{"BookLearn", &Settings::book_learn},
    Row{"BookMatch", &Settings::book_match},
    Row{"BookImprove", &Settings::book_improve},
    Row{"BookFile", &Settings::book_file},
    Row{"EvalFile", &Settings::eval_file},
    Row{"Resign", &Settings::resign},
    Row{"ResignScore", &Settings::resign_score_cp, 200, 10'000},
    Row{"MoveOverhead", &Settings::move_overhead_ms, -1, 5'000},
};

// Clients cut the default at a blank or quote, and may send back what they were shown: a file name
// that cannot be shown as it is is not shown at all.
std::string shown(const std::string& text) {
    const bool whole = text == printable(text) && text.find_first_of(" \"'\\=") == text.npos;
    return whole ? text : "";
}

std::string widget(const Row& row, const Settings& settings) {
    if (const auto* check = std::get_if<bool Settings::*>(&row.field))
        return settings.*(*check) ? "-check 1" : "-check 0";
    if (const auto* spin = std::get_if<int Settings::*>(&row.field))
        return "-spin " + std::to_string(settings.*(*spin)) + ' ' + std::to_string(row.minimum) +
               ' ' + std::to_string(row.maximum);
    return "-string " + shown(settings.*std::get<std::string Settings::*>(row.field));
}

std::optional<bool> to_bool(std::string_view value) {
    const std::string word = lower(value);
    if (word == "1" || word == "true" || word == "on")
        return true;
    if (word == "0" || word == "false" || word == "off")
        return false;
    return std::nullopt;
}

template <typename T>
Setting assign(T& field, T value) {
    if (field == value)
        return Setting::Kept;
    field = std::move(value);
    return Setting::Changed;
}

Setting set(Settings& settings, const Row& row, std::string_view value) {
    if (const auto* check = std::get_if<bool Settings::*>(&row.field)) {
        const std::optional<bool> on = to_bool(value);
        return on ? assign(settings.*(*check), *on) : Setting::Kept;
    }
    if (const auto* spin = std::get_if<int Settings::*>(&row.field)) {
        const std::optional<int> number = to_int(value);
        return number ? assign(settings.*(*spin), std::clamp(*number, row.minimum, row.maximum))
                      : Setting::Kept;
    }
    return assign(settings.*std::get<std::string Settings::*>(row.field), std::string(value));
}

}  // namespace

std::vector<std::string> option_features(const Settings& settings) {
    std::vector<std::string> features;
    features.reserve(Rows.size());
    for (const Row& row : Rows)
        features.push_back("option=\"" + std::string(row.name) + ' ' + widget(row, settings) + '"');
    return features;
}

Setting set_option(Settings& settings, std::string_view name, std::string_view value) {
    const std::string wanted = lower(trimmed(name));
    for (const Row& row : Rows)
        if (lower(row.name) == wanted)
            return set(settings, row, trimmed(value));
    return Setting::Unknown;
}

}  // namespace protocol

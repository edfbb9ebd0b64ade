#include "book/pgn_words.h"

#include <charconv>

namespace book {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if ('A' <= c && c <= 'Z')
            c = static_cast<char>(c | 0x20);
    return out;
}

}  // namespace

int to_rating(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && value > 0 && value < 10'000 ? value : 0;
}

bool is_chess(std::string_view variant) {
    const std::string name = lower(variant);
    return name.empty() || name == "?" || name == "-" || name.starts_with("standard") ||
           name == "chess" || name == "normal" || name == "from position" || name == "regular" ||
           name == "classical";
}
bool is_chess960(std::string_view variant) {
    const std::string name = lower(variant);
    return name.find("960") != std::string::npos || name.find("fischer") != std::string::npos ||
           name.find("freestyle") != std::string::npos;
}

std::optional<Outcome> outcome_of(std::string_view token) {
    if (token == "1-0" || token == "1:0" || token == "1-O")
        return Outcome::White;
    if (token == "0-1" || token == "0:1" || token == "O-1")
        return Outcome::Black;
    if (token == "1/2-1/2" || token == "1/2" || token == "1/2:1/2" || token == "1/2-1/2." ||
        token == "0.5-0.5" || token == "\xC2\xBD-\xC2\xBD")
        return Outcome::Draw;
    if (token == "*" || token == "?-?")
        return Outcome::Unknown;
    return std::nullopt;
}

}  // namespace book

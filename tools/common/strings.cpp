#include "tools/common/strings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tools {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
    std::vector<std::string> words;
    bool open = false;  // a word has begun, perhaps an empty one
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (!quote && is_blank(c)) {
            open = false;
            continue;
        }
        if (!open) {
            words.emplace_back();
            open = true;
        }
        if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? '\0' : c;
        else if (c == '\\' && quote != '\'' && i + 1 < text.size())
            words.back() += text[++i];
        else
            words.back() += c;
    }
    if (quote)
        return fail("open quote in: " + std::string(text));
    return words;
}

std::vector<std::string_view> fields(std::string_view line) {
    std::vector<std::string_view> parts;
    for (line = trimmed(line); !line.empty();)
        parts.push_back(take_word(line));
    return parts;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string_view take_word(std::string_view& line) {
    std::size_t end = 0;
    while (end < line.size() && !is_blank(line[end]))
        ++end;
    const std::string_view word = line.substr(0, end);
    line = trimmed(line.substr(end));
    return word;
}

std::optional<milliseconds> duration(std::string_view text) {
    double seconds = 0;
    for (int parts = 0;; ++parts) {
        const std::size_t colon = text.find(':');
        const std::optional<double> part = number<double>(text.substr(0, colon));
        if (!part || !(*part >= 0) || *part > 1e8 || parts > 2)
            return std::nullopt;
        seconds = seconds * 60 + *part;
        if (colon == std::string_view::npos)
            break;
        text.remove_prefix(colon + 1);
    }
    return milliseconds(std::llround(seconds * 1000));
}

std::string seconds_text(milliseconds time) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3f", static_cast<double>(time.count()) / 1000);
    std::string result = text.data();
    result.erase(result.find_last_not_of('0') + 1);
    if (result.ends_with('.'))
        result.pop_back();
    return result;
}

std::string clock_text(milliseconds time) {
    const long long tenths = std::max<long long>(0, time.count()) / 100;
    const long long seconds = tenths / 10;
    std::array<char, 48> text{};
    if (seconds < 10)
        std::snprintf(text.data(), text.size(), "0:0%lld.%lld", seconds, tenths % 10);
    else
        std::snprintf(text.data(), text.size(), "%lld:%02lld", seconds / 60, seconds % 60);
    return text.data();
}

}  // namespace tools

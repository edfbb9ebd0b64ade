#include "tools/common/strings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

namespace tools {
namespace {

constexpr std::string_view Blanks = " \t\r\n";

namespace chrono = std::chrono;

chrono::year_month_day calendar_day(int year, int month, int day) {
    return {chrono::year(year),
            chrono::month(static_cast<unsigned>(month)),
            chrono::day(static_cast<unsigned>(day))};
}

Date date_of(chrono::sys_days days) {
    const chrono::year_month_day day(days);
    return {.year = static_cast<int>(day.year()),
            .month = static_cast<int>(static_cast<unsigned>(day.month())),
            .day = static_cast<int>(static_cast<unsigned>(day.day()))};
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
    std::vector<std::string> words;
    bool open = false;  // a word has begun, perhaps an empty one
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (!quote && Blanks.find(c) != std::string_view::npos) {
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
        return fail("unclosed quote in: " + std::string(text));
    return words;
}

std::vector<std::string_view> fields(std::string_view line) {
    std::vector<std::string_view> parts;
    for (line = trimmed(line); !line.empty();)
        parts.push_back(take_word(line));
    return parts;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in{std::string(text)};
    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(Blanks);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(Blanks) - begin + 1);
}

std::string_view without_mark(std::string_view text) {
    constexpr std::string_view Mark = "\xEF\xBB\xBF";
    return text.substr(text.starts_with(Mark) ? Mark.size() : 0);
}

std::string_view take_word(std::string_view& line) {
    const std::size_t end = std::min(line.find_first_of(Blanks), line.size());
    const std::string_view word = line.substr(0, end);
    line = trimmed(line.substr(end));
    return word;
}

std::string distinct_name(const std::string& name, const std::vector<std::string>& taken) {
    std::string found = name;
    for (int i = 2; std::find(taken.begin(), taken.end(), found) != taken.end(); ++i)
        found = fmt::format("{} ({})", name, i);
    return found;
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
    return fmt::format("{}", static_cast<double>(time.count()) / 1000);
}

std::string clock_text(milliseconds time) {
    const long long tenths = std::max<long long>(0, time.count()) / 100;
    const long long seconds = tenths / 10;
    return seconds < 10 ? fmt::format("0:0{}.{}", seconds, tenths % 10)
                        : fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

std::optional<Date> date_from(const std::string& text) {
    if (text == "today" || text == "yesterday")
        return date_of(chrono::floor<chrono::days>(chrono::system_clock::now()) -
                       chrono::days(text == "today" ? 0 : 1));
    const bool separated = text.find_first_of(".-") != std::string::npos;
    std::array<int, 3> parts{};
    std::string_view rest = text;
    for (std::size_t given = 0; given < parts.size() && (given == 0 || !rest.empty()); ++given) {
        const std::size_t width = given == 0 ? 4 : 2;
        const std::string_view part = rest.substr(0, separated ? rest.find_first_of(".-") : width);
        const std::optional<int> value = number<int>(part);
        const bool fits = part.size() == width || (part.size() < width && separated && given > 0);
        if (!value || *value < 1 || part.front() == '+' || !fits)
            return std::nullopt;
        parts[given] = *value;
        rest.remove_prefix(part.size());
        if (separated && !rest.empty() && (rest.remove_prefix(1), rest.empty()))
            return std::nullopt;  // a separator at the end
    }
    const auto [year, month, day] = parts;
    if (!rest.empty() || !calendar_day(year, std::max(month, 1), std::max(day, 1)).ok())
        return std::nullopt;
    return Date{.year = year, .month = month, .day = day};
}

std::optional<Period> period_from(const std::string& text) {
    const std::optional<Date> date = date_from(text);
    if (!date)
        return std::nullopt;
    const auto first = calendar_day(date->year, std::max(date->month, 1), std::max(date->day, 1));
    const chrono::sys_days end = date->day > 0     ? chrono::sys_days(first) + chrono::days(1)
                                 : date->month > 0 ? chrono::sys_days(first + chrono::months(1))
                                                   : chrono::sys_days(first + chrono::years(1));
    const auto seconds = [](chrono::sys_days day) -> std::int64_t {
        return chrono::seconds(day.time_since_epoch()).count();
    };
    return Period{.first = seconds(first), .end = seconds(end)};
}

std::string date_text(std::int64_t seconds) {
    constexpr std::int64_t Furthest = 1'000'000'000'000;  // as far as std::chrono counts years
    if (seconds == 0 || seconds < -Furthest || seconds > Furthest)
        return "?";
    const Date day =
        date_of(chrono::floor<chrono::days>(chrono::sys_seconds(chrono::seconds(seconds))));
    return fmt::format("{:04}-{:02}-{:02}", day.year, day.month, day.day);
}

}  // namespace tools

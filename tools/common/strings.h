// Text that the tools parse and write: words, numbers, durations, dates.
#pragma once

#include "engine/board/result.h"

#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

using std::chrono::milliseconds;

// Splits a command as a shell would: blanks separate; '…', "…" and \x quote. Fails on an open
// quote.
Result<std::vector<std::string>> split_command(std::string_view text);

// The words between blanks and tabs; they point into `line`.
std::vector<std::string_view> fields(std::string_view line);

// The parts between separators, "a,,b" has three; no parts if `text` is empty.
std::vector<std::string> split(std::string_view text, char separator);

std::string lower(std::string_view text);  // in lower case, ASCII only

std::string_view trimmed(std::string_view text);  // without blanks, tabs and line ends around it

// The text of a file without the byte order mark with which some editors begin UTF-8.
std::string_view without_mark(std::string_view text);

// Cuts the first word off `line` and returns it; `line` keeps the rest without leading blanks.
std::string_view take_word(std::string_view& line);

// `name` if it is not taken, else followed by the first number that makes it new: "toga2 (2)".
std::string distinct_name(const std::string& name, const std::vector<std::string>& taken);

// The number if the whole text is one. A leading '+' is allowed.
template <typename T>
std::optional<T> number(std::string_view text) {
    if (text.starts_with('+'))
        text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

// "75", "1:15", "1:01:15" or "0.25" as a duration; nothing if it is none or is negative.
std::optional<milliseconds> duration(std::string_view text);

// Seconds without trailing zeros: 1250 ms is "1.25".
std::string seconds_text(milliseconds time);

// Minutes and seconds for a clock face: "1:05", and "0:04.2" below ten seconds.
std::string clock_text(milliseconds time);

// Days as users write them, in UTC.
struct Date {
    int year = 0;            // 1 to 9999
    int month = 0, day = 0;  // 0: not given
};
// "2024", "2024-05", "2024-05-31", "2024-5-3", the same with full stops, "20240531", "today" or
// "yesterday"; nothing for other text, or for a day that does not exist.
std::optional<Date> date_from(const std::string& text);

// Seconds since 1970: the first second of a day, month or year, and the first one after it.
struct Period {
    std::int64_t first = 0, end = 0;
};
std::optional<Period> period_from(const std::string& text);

// The day of a time in seconds since 1970, "2024-05-01", or "?" if it is 0 (unknown) or out of
// range.
std::string date_text(std::int64_t seconds);

}  // namespace tools

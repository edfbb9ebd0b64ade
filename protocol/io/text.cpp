#include "protocol/io/text.h"

#include "book/model/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace protocol {
namespace {

constexpr std::string_view Blanks = " \t\r\n\v\f";

// xboard takes these words, anywhere in a line, for a crash of the engine or for a draw offer.
constexpr auto Fatal = std::to_array<std::string_view>({"not found",
                                                        "No such file",
                                                        "Permission denied",
                                                        "unknown host",
                                                        "No remote directory",
                                                        "can't alloc",
                                                        "Draw"});
// xboard switches off the feature that an error line names.
constexpr std::array<std::string_view, 2> Features = {"analyze", "draw"};

// Replaces the second byte of each occurrence by a dot.
void break_word(std::string& line, std::string_view word) {
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1))
        line[at + 1] = '.';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(Blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(Blanks) - first + 1);
}

std::string_view next_word(std::string_view& rest) {
    rest = trimmed(rest);
    const std::string_view word = rest.substr(0, rest.find_first_of(Blanks));
    rest = trimmed(rest.substr(word.size()));
    return word;
}

std::optional<int> to_int(std::string_view text) {
    if (text.starts_with('+'))
        text.remove_prefix(1);
    int value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (end != last || error == std::errc::invalid_argument)
        return std::nullopt;
    if (error == std::errc::result_out_of_range)
        return text.starts_with('-') ? std::numeric_limits<int>::min()
                                     : std::numeric_limits<int>::max();
    return value;
}

std::optional<double> take_real(std::string_view& text) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error == std::errc::invalid_argument)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (error == std::errc::result_out_of_range)
        return 1e15;
    if (!std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<bool> to_bool(std::string_view text) {
    const std::string word = lower(text);
    if (word == "1" || word == "true" || word == "on")
        return true;
    if (word == "0" || word == "false" || word == "off")
        return false;
    return std::nullopt;
}

std::string printable(std::string_view text, std::size_t limit) {
    std::string result(text.substr(0, limit));
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return result;
}

std::string recordable(std::string_view text, std::size_t limit) {
    std::string result = book::utf8_of(text);
    result.resize(book::utf8_prefix(result, limit).size());
    std::replace_if(
        result.begin(),
        result.end(),
        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; },
        '?');
    return result;
}

std::string defused(std::string line) {
    for (const std::string_view word : Fatal)
        break_word(line, word);
    if (line.starts_with("Error"))
        for (const std::string_view word : Features)
            break_word(line, word);
    return line;
}

}  // namespace protocol

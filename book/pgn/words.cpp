#include "book/pgn/words.h"

#include "book/model/letter_case.h"
#include "book/model/utf8.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace book {
namespace {

bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

constexpr std::size_t MaxQuote = 24;

}  // namespace

bool is_tag(const char* text) {
    if (*text != '[')
        return false;
    const char* const end = find_end<true>(text + 1, NameChar);
    return end > text + 1 && (*end == ' ' || *end == '"' || *end == '\t');
}

int to_rating(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && value > 0 && value < 10'000 ? value : 0;
}

bool is_chess(std::string_view variant) {
    if (variant.empty())
        return true;
    const std::string name = lower(variant);
    return name == "?" || name == "-" || name.starts_with("standard") || name == "chess" ||
           name == "normal" || name == "from position" || name == "regular" || name == "classical";
}
bool is_chess960(std::string_view variant) {
    const std::string name = lower(variant);
    return name.find("960") != std::string::npos || name.find("fischer") != std::string::npos ||
           name.find("freestyle") != std::string::npos;
}

std::optional<Outcome> to_outcome(std::string_view word) {
    if (word.find(EnDash) != std::string_view::npos)
        return to_outcome(with_hyphens(word));
    if (word == "1-0" || word == "1:0" || word == "1-O")
        return Outcome::White;
    if (word == "0-1" || word == "0:1" || word == "O-1")
        return Outcome::Black;
    if (word == "1/2-1/2" || word == "1/2" || word == "1/2:1/2" || word == "1/2-1/2." ||
        word == "0.5-0.5" || word == "\xC2\xBD-\xC2\xBD")
        return Outcome::Draw;
    if (word == "*" || word == "?-?")
        return Outcome::Unknown;
    return std::nullopt;
}

bool is_null_move(std::string_view word) {
    return word == "--" || word == "Z0" || word == "null" || word == "0000" || word == "@@@@";
}

bool is_remark(std::string_view word) {
    constexpr std::array Remarks{"e.p.", "ep", "ch", "mate", "N", "D", "TN", "RR", "dbl", "dis"};
    return std::find(Remarks.begin(), Remarks.end(), word) != Remarks.end();
}

std::string quoted_word(std::string_view word) {
    std::string text = "\"";
    for (const char c : word.substr(0, MaxQuote))
        text += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    return text + (word.size() > MaxQuote ? "...\"" : "\"");
}

bool is_sign(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char c) {
        return !is_ascii(c) || std::strchr("+-=#!?.,:/\\|~^&'\"`@", c);
    });
}

std::string_view without_marks(std::string_view word) {
    while (!word.empty()) {
        std::string_view sign = word.substr(utf8_prefix(word, word.size() - 1).size());
        if (is_ascii(sign[0]) && sign.size() > 1)  // Latin-1
            sign.remove_prefix(1);
        const bool is_piece = sign.starts_with("\xE2\x99");  // figurines, and symbols near them
        if (is_ascii(sign[0]) ? !std::strchr("+#!?=", sign[0]) : is_piece)
            break;
        word.remove_suffix(sign.size());
    }
    return word;
}

Move read_move(const engine::Position& pos, std::string_view word) {
    std::string_view text = without_marks(word);
    for (const std::string_view mark : {"e.p.", "ep", "e.p", "ch", "mate", "dis"}) {
        if (text.size() <= mark.size() + 1 || !text.ends_with(mark))
            continue;
        const char rank = text[text.size() - mark.size() - 1];
        if ('1' <= rank && rank <= '8')
            text.remove_suffix(mark.size());
    }
    return engine::parse_move(pos, text).value_or(engine::NoMove);
}

}  // namespace book

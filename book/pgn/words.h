// The characters and words of PGN text, and what they mean.
#pragma once

#include "book/model/key.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace book {

enum class Outcome : std::uint8_t { White, Draw, Black, Unknown };

// Classes of characters. A character may belong to several.
enum CharKind : std::uint8_t {
    SpaceChar = 1,
    LineEndChar = 2,
    DigitChar = 4,
    NameChar = 8,      // of a tag's name
    WordEndChar = 16,  // ends a move, a number or a result
    ValueEndChar = 32  // needs attention inside a tag's value
};

inline constexpr std::array<std::uint8_t, 256> CharKinds = [] {
    std::array<std::uint8_t, 256> kinds{};
    const auto add = [&kinds](std::string_view chars, CharKind kind) {
        for (const char c : chars)
            kinds[static_cast<unsigned char>(c)] |= kind;
    };
    using namespace std::string_view_literals;
    add(" \n\r\t\v\f\0\x1A"sv, SpaceChar);  // the last ends files of DOS
    add("\n\r"sv, LineEndChar);
    add("0123456789"sv, DigitChar);
    add("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"sv, NameChar);
    add(" \n\r\t\v\f\0\x1A{}()[]<>;$"sv, WordEndChar);
    add("\"\\\n\r\0"sv, ValueEndChar);
    return kinds;
}();

inline bool is_kind(char c, int kinds) {
    return (CharKinds[static_cast<unsigned char>(c)] & kinds) != 0;
}

// Longer words are reported and passed over in parts.
inline constexpr std::ptrdiff_t MaxWord = 255;

// The first place from `text` on, at most MaxWord characters away, that is not (`in` true) or is
// (`in` false) of these kinds.
template <bool in>
const char* find_end(const char* text, int kinds) {
    const char* const limit = text + MaxWord;
    while (is_kind(*text, kinds) == in && text < limit)
        ++text;
    return text;
}
inline const char* word_end(const char* text) {
    return find_end<false>(text, WordEndChar);
}
inline const char* digits_end(const char* text) {
    return find_end<true>(text, DigitChar);
}

// True if "[Name" and then a space or a quotation mark stand at `text`.
bool is_tag(const char* text);

// 1..9999; 0 for anything else.
int to_rating(std::string_view text);
// Names of chess and Chess960 as programs write them; any other name has other rules.
bool is_chess(std::string_view variant);
bool is_chess960(std::string_view variant);
// Of "1-0" and its variants, "*" included; nothing for other words.
std::optional<Outcome> to_outcome(std::string_view word);
// "--" and other ways to pass.
bool is_null_move(std::string_view word);
// Annotation between moves without braces: "ch", "mate", "N" for a novelty.
bool is_remark(std::string_view word);
// Annotation between moves that has no letter or digit, "+-" or the signs of the Informator.
bool is_sign(std::string_view word);
// The word in quotation marks, cut to 24 characters, for messages.
std::string quoted_word(std::string_view word);

// The word without "+", "#", "!", "?", "=" and signs beyond ASCII at its end.
std::string_view without_marks(std::string_view word);
// The legal move that a word means in a position, however people write it; NoMove if there is none.
Move read_move(const engine::Position& pos, std::string_view word);

}  // namespace book

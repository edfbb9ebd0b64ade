// The characters of PGN text by what they are, one look into a table each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace book {

// A character may be of several kinds.
enum CharKind : std::uint8_t {
    SpaceChar = 1,
    LineEndChar = 2,
    DigitChar = 4,
    NameChar = 8,      // of a tag's name
    WordEndChar = 16,  // not of a move, a number or a result
    ValueEndChar = 32  // to be looked at inside a tag's value
};

inline constexpr std::array<std::uint8_t, 256> CharKinds = [] {
    std::array<std::uint8_t, 256> kinds{};
    const auto add = [&kinds](std::string_view chars, CharKind kind) {
        for (const char c : chars)
            kinds[static_cast<unsigned char>(c)] |= kind;
    };
    using namespace std::string_view_literals;
    add(" \n\r\t\v\f\0"sv, SpaceChar);
    add("\n\r"sv, LineEndChar);
    add("0123456789"sv, DigitChar);
    add("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"sv, NameChar);
    add(" \n\r\t\v\f\0{}()[]<>;$"sv, WordEndChar);
    add("\"\\\n\r\0"sv, ValueEndChar);
    return kinds;
}();

inline bool is_kind(char c, int kinds) {
    return (CharKinds[static_cast<unsigned char>(c)] & kinds) != 0;
}
inline bool ends_word(char c) {
    return is_kind(c, WordEndChar);
}

}  // namespace book

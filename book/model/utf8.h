// The encoding of names and comments: UTF-8, and Latin-1 where it is not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace book {

// True if the text is UTF-8; ASCII is.
bool is_utf8(std::string_view text);
std::string latin1_to_utf8(std::string_view text);
// The text itself if it is UTF-8; else converted from Latin-1.
std::string utf8_of(std::string_view text);
// Back again; nothing if the text has other characters.
std::optional<std::string> utf8_to_latin1(std::string_view text);
// Word processors put it into "O-O" and "1-0".
inline constexpr std::string_view EnDash = "\xE2\x80\x93";
// With "-" in place of each en dash.
std::string with_hyphens(std::string_view text);
// The first `bytes` bytes, or a few less so that no character is cut.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes);

}  // namespace book

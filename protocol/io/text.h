// Words and numbers out of lines from outside, and lines made safe to be sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace protocol {

// Without blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);
// The first word, taken off `rest` together with the blanks around it; empty if there is none.
std::string_view next_word(std::string_view& rest);
std::string lower(std::string_view text);  // ASCII letters only
// As whole words: a name in the text may begin like one of them. Requires small letters.
bool contains_words(std::string_view text, std::string_view words);

// The whole text as a decimal number, clamped to int; nothing if it is not a number.
std::optional<int> to_int(std::string_view text);
// The longest beginning that is a finite number, taken off `text`; nothing if there is none.
std::optional<double> take_real(std::string_view& text);

// For repeating input: bytes that are not printable ASCII become '?', and it ends after `limit`.
std::string printable(std::string_view text, std::size_t limit = 200);
// The line with those words broken by a dot that make a client act: the ones by which xboard
// declares an engine dead anywhere in a line, "Draw", and in Error lines features to switch off.
// Results and draw offers of ours do not go through here.
std::string defused(std::string line);

}  // namespace protocol

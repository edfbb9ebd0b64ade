// Reading words and numbers from the client's lines, and making lines safe for it.
#pragma once

#include "book/model/letter_case.h"

#include <optional>
#include <string>
#include <string_view>

namespace protocol {

// Without white space at both ends.
std::string_view trimmed(std::string_view text);
// Removes the first word and the blanks around it from `rest` and returns it; empty if there is
// none.
std::string_view next_word(std::string_view& rest);
using book::lower;

// The whole text as a decimal number, clamped to int; empty if it is not a number.
std::optional<int> to_int(std::string_view text);
// Removes the longest number at the start of `text` and returns it; empty if there is none or it is
// not finite.
std::optional<double> take_real(std::string_view& text);

// "1", "true" or "on", "0", "false" or "off", in upper or lower case.
std::optional<bool> to_bool(std::string_view text);
// For input that is repeated in an answer: bytes that are not printable ASCII become '?', and what
// follows the first `limit` bytes is dropped.
std::string printable(std::string_view text, std::size_t limit = 200);
// For names and reasons that are recorded: as UTF-8, from Latin-1 if it is not, at most `limit`
// bytes; control characters become '?'.
std::string recordable(std::string_view text, std::size_t limit);
// Puts a dot into words that xboard would act on: those that it takes for a crash, "Draw", and, in
// Error lines, the names of features, which it would switch off.
std::string defused(std::string line);

}  // namespace protocol

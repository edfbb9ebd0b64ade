// Comparing text without regard to upper and lower case: of ASCII and, in UTF-8, of the letters of
// Latin-1, Latin Extended-A, Greek and Cyrillic.
#pragma once

#include <string>
#include <string_view>

namespace book {

// Of ASCII only.
inline char lower(char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}
// A final sigma becomes a usual one. Bytes that are no UTF-8 stay as they are.
std::string lower(std::string_view text);

bool equal_ignoring_case(std::string_view a, std::string_view b);
bool contains_ignoring_case(std::string_view text, std::string_view part);

}  // namespace book

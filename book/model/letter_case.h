// Comparing text without regard to upper and lower case. Only the letters of ASCII have a case.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace book {

inline char lower(char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}
inline std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        c = lower(c);
    return result;
}

inline bool same_letter(char a, char b) {
    return lower(a) == lower(b);
}
inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_letter);
}
inline bool contains_ignoring_case(std::string_view text, std::string_view part) {
    return part.empty() ||
           std::search(text.begin(), text.end(), part.begin(), part.end(), same_letter) !=
               text.end();
}

}  // namespace book

#include "book/model/letter_case.h"

namespace book {
namespace {

constexpr bool is_in(unsigned low, unsigned letter, unsigned high) {
    return low <= letter && letter <= high;
}

// The small letter of a capital one, by the tables of Unicode; other letters as they are.
unsigned small_letter(unsigned c) {
    const bool is_even = c % 2 == 0;
    if (is_in(0xC0, c, 0xDE))  // Latin-1
        return c == 0xD7 ? c : c + 0x20;
    if (c == 0x178)
        return 0xFF;
    if (is_in(0x139, c, 0x148) || is_in(0x179, c, 0x17E))  // Latin Extended-A
        return is_even ? c : c + 1;
    if (is_in(0x100, c, 0x137) || is_in(0x14A, c, 0x177))
        return is_even && c != 0x130 ? c + 1 : c;
    if (is_in(0x391, c, 0x3AB))  // Greek
        return c == 0x3A2 ? c : c + 0x20;
    if (is_in(0x388, c, 0x38A))
        return c + 0x25;
    if (c == 0x386)
        return 0x3AC;
    if (c == 0x38C)
        return 0x3CC;
    if (is_in(0x38E, c, 0x38F))
        return c + 0x3F;
    if (c == 0x3C2)
        return 0x3C3;
    if (is_in(0x400, c, 0x42F))  // Cyrillic
        return c + (c < 0x410 ? 0x50 : 0x20);
    if (is_in(0x460, c, 0x481) || is_in(0x48A, c, 0x4BF) || is_in(0x4D0, c, 0x52F))
        return is_even ? c + 1 : c;
    if (c == 0x4C0)
        return 0x4CF;
    return is_in(0x4C1, c, 0x4CE) && !is_even ? c + 1 : c;
}

}  // namespace

// All letters that change are two bytes long, before and after.
std::string lower(std::string_view text) {
    std::string result(text);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const auto lead = static_cast<unsigned char>(result[i]);
        const unsigned next = i + 1 < result.size() ? static_cast<unsigned char>(result[i + 1]) : 0;
        if (!is_in(0xC3, lead, 0xD4) || !is_in(0x80, next, 0xBF)) {
            result[i] = lower(result[i]);
            continue;
        }
        const unsigned small = small_letter((lead & 0x1FU) << 6 | (next & 0x3FU));
        result[i] = static_cast<char>(0xC0 | small >> 6);
        result[++i] = static_cast<char>(0x80 | (small & 0x3F));
    }
    return result;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return lower(a) == lower(b);
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
    return lower(text).find(lower(part)) != std::string::npos;
}

}  // namespace book

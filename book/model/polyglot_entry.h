// The entry of a PolyGlot book (.bin): 16 bytes, big-endian: key, move, weight, and four bytes for
// what programs learn, which are ignored when read and written as zeros.
#pragma once

#include "book/model/key.h"

#include <array>
#include <cstdint>
#include <string>

namespace book {

struct PolyglotEntry {
    Key key = 0;
    std::uint16_t move = 0, weight = 0;

    static constexpr std::size_t Bytes = 16;
};

inline PolyglotEntry polyglot_entry(const std::array<char, PolyglotEntry::Bytes>& bytes) {
    const auto number = [&bytes](std::size_t from, std::size_t to) {
        std::uint64_t n = 0;
        for (std::size_t i = from; i < to; ++i)
            n = n << 8 | static_cast<unsigned char>(bytes[i]);
        return n;
    };
    return {.key = number(0, 8),
            .move = static_cast<std::uint16_t>(number(8, 10)),
            .weight = static_cast<std::uint16_t>(number(10, 12))};
}

inline void append(std::string& bytes, const PolyglotEntry& e) {
    const auto put = [&bytes](std::uint64_t number, int count) {
        for (int shift = 8 * count - 8; shift >= 0; shift -= 8)
            bytes += static_cast<char>(number >> shift & 0xFF);
    };
    put(e.key, 8);
    put(e.move, 2);
    put(e.weight, 2);
    put(0, 4);
}

}  // namespace book

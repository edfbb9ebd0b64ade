#pragma once

#include <cstdint>
#include <string_view>

namespace tools {

// FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo; `sum`: the checksum of the bytes before.
constexpr std::uint64_t checksum(std::string_view bytes,
                                 std::uint64_t sum = 0xCBF2'9CE4'8422'2325) {
    for (const char c : bytes)
        sum = (sum ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
    return sum;
}

}  // namespace tools

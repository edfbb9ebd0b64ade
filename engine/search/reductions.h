// The base of late move reductions: the product of the logarithms of depth and move count. In
// integers, so that every build searches the same tree.
#pragma once

#include "engine/search/params.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace engine {

// 1024 * ln(n), rounded down: the binary logarithm digit by digit, times ln 2.
constexpr int ln_1024(std::uint64_t n) {
    constexpr int Digits = 20;
    constexpr std::uint64_t Ln2 = 726'817;  // ln 2 * 2^20
    std::uint64_t whole = 0;
    while (n >> (whole + 1) != 0)
        ++whole;
    std::uint64_t x = (n << 30) >> whole;  // in [1, 2) * 2^30
    std::uint64_t log = whole << Digits;
    for (int i = Digits - 1; i >= 0; --i) {
        x = x * x >> 30;
        if (x >> 31 != 0) {
            x >>= 1;
            log |= std::uint64_t{1} << i;
        }
    }
    return static_cast<int>(log * Ln2 >> 30);
}
static_assert(ln_1024(1) == 0);
static_assert(ln_1024(2) == 709);
static_assert(ln_1024(100) == 4'715);

inline constexpr auto Ln = [] {
    std::array<int, 256> table{};
    for (std::size_t i = 1; i < table.size(); ++i)
        table[i] = ln_1024(i);
    return table;
}();

// In 1/1024 ply. Requires depth and move_count of at least 1.
inline int base_reduction(bool quiet, int depth, int move_count) {
    using namespace params;
    const int product = Ln[static_cast<std::size_t>(std::min(depth, 255))] *
                        Ln[static_cast<std::size_t>(std::min(move_count, 255))] / 1'024;
    return quiet ? LmrQuietBase() + product * 1'000 / LmrQuietDivisor()
                 : LmrCaptureBase() + product * 1'000 / LmrCaptureDivisor();
}

}  // namespace engine

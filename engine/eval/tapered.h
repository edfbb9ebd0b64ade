// Tapered evaluation: a value for the middlegame and one for the endgame, packed into one number.
#pragma once

#include <cstdint>

namespace engine {

// One addition adds both values. Middlegame in the low 16 bits, endgame in the high ones.
using Tapered = std::int32_t;
constexpr Tapered tapered(int middlegame, int endgame) {
    return static_cast<Tapered>(static_cast<std::uint32_t>(endgame) << 16) + middlegame;
}
constexpr int middlegame(Tapered t) {
    return static_cast<std::int16_t>(t & 0xFFFF);
}
constexpr int endgame(Tapered t) {
    return static_cast<std::int16_t>(static_cast<std::uint32_t>(t + 0x8000) >> 16);
}
static_assert(middlegame(tapered(-7, 5) * 3) == -21 && endgame(tapered(-7, 5) * 3) == 15);

}  // namespace engine

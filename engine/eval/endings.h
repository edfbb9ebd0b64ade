// Endings that material alone misjudges: drawish ones are scaled down, bare kings are driven.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <optional>

namespace engine {

// What a bare king costs, before the way to the mate is counted. No other evaluation comes near.
inline constexpr Score BareKing = 8'000;

// For a bare king against enough to mate: the winner's way, larger the nearer the mate; for White.
// Nothing in all other positions.
std::optional<Score> drive_bare_king(const Position& pos);

inline constexpr int FullScale = 64;
// What part of the endgame value is likely to be won, 0..FullScale; `strong` is ahead.
int winning_scale(const Position& pos, Color strong);

}  // namespace engine

// Endings that material alone misjudges: drawish ones are scaled down, a bare king is driven to the
// edge.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <optional>

namespace engine {

// The base score against a bare king, above all other evaluations.
inline constexpr Score BareKing = 8'000;

// For a bare king against mating material: a score for White that grows in size as the mate comes
// nearer. Empty for other positions.
std::optional<Score> drive_bare_king(const Position& pos);

inline constexpr int FullScale = 64;
// The factor that scales the endgame value, 0..FullScale: how winnable it is for `strong`, who is
// ahead.
int winning_scale(const Position& pos, Color strong);

}  // namespace engine

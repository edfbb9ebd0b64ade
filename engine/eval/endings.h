// Endings that material alone misjudges: drawish ones are scaled down, a bare king is driven to the
// edge, and what is known of a bare king exactly counts as that.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <optional>

namespace engine {

// The base score against a bare king, above all other evaluations.
inline constexpr Score BareKing = 8'000;

// The base score of a pawn that wins against a bare king.
inline constexpr Score PawnWins = 3'000;

// For a bare king, a score for White: Draw where it is one, exactly for a pawn alone; against
// mating material and a winning pawn one that grows in size as the win comes nearer. Empty for
// other positions.
std::optional<Score> bare_king_score(const Position& pos);

inline constexpr int FullScale = 64;
// The factor that scales the endgame value, 0..FullScale: how winnable it is for `strong`, who is
// ahead.
int winning_scale(const Position& pos, Color strong);

// Endings with more men are left to the network.
inline constexpr int FewMen = 7;
// The same for the network's score, which knows material but few fortresses: FullScale but for
// a piece more without pawns, opposite bishops, rook pawns with bishops of the wrong colour, a
// queen without pawns against a rook that a pawn on its first square protects, and a pawn alone
// against a minor piece.
int drawish_scale(const Position& pos, Color strong);

}  // namespace engine

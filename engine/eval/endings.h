// Endings that material alone misjudges: drawish ones are scaled down, a bare king is driven to the
// edge, and exactly known positions with a bare king get exact scores.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <optional>

namespace engine {

// The base score against a bare king, above all other evaluations.
inline constexpr Score BareKing = 8'000;

// The base score of a pawn that wins against a bare king.
inline constexpr Score PawnWins = 3'000;

// The score for White if a side has a bare king: Draw if the win cannot be forced (exact for a lone
// pawn); against mating material or a winning pawn, a score that grows as the win comes nearer.
// Nothing for other positions.
std::optional<Score> bare_king_score(const Position& pos);

inline constexpr int FullScale = 64;
// The factor that scales the endgame value, 0..FullScale: how winnable it is for `strong`, who is
// ahead.
int winning_scale(const Position& pos, Color strong);

// Endings with more men are left to the network.
inline constexpr int FewMen = 7;
// The same for the network's score, which knows material but few fortresses. FullScale except for
// an extra piece without pawns, opposite bishops, rook pawns with bishops of the wrong colour, a
// lone queen against a rook protected by a pawn on its first square, and a lone pawn against a
// minor piece.
int drawish_scale(const Position& pos, Color strong);

}  // namespace engine

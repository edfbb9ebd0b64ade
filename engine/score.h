// Scores: centipawns for the side to move, or a mate with its distance.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace engine {

// Within [-Infinite, Infinite], or NoScore.
using Score = int;

inline constexpr int MaxPly = 246;  // of the deepest node
inline constexpr Score Draw = 0;
inline constexpr Score Infinite = 32'001;
inline constexpr Score Mate = 32'000;  // minus the plies to the mate
inline constexpr Score NoScore = 32'002;
inline constexpr Score TableWin = Mate - 2 * MaxPly;  // of an endgame table, minus the plies to it
inline constexpr Score KnownWin = 20'000;  // evaluations stay below; scores above are proved

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

constexpr Score mate_in(int ply) {
    return Mate - ply;
}
constexpr Score mated_in(int ply) {
    return ply - Mate;
}
constexpr bool is_mate(Score s) {
    return std::abs(s) >= Mate - MaxPly && std::abs(s) <= Mate;
}
// A mate or a win that endgame tables know, for either side.
constexpr bool is_proved(Score s) {
    return std::abs(s) > KnownWin && std::abs(s) <= Mate;
}
// A proved loss, or the -Infinite of a node before its first move.
constexpr bool is_loss(Score s) {
    return s < -KnownWin;
}

// Full moves to mate, positive for the side to move: the n of "#n". Requires is_mate(s).
constexpr int mate_moves(Score s) {
    const int plies = Mate - std::abs(s);
    return s > 0 ? (plies + 1) / 2 : -(plies / 2);
}

}  // namespace engine

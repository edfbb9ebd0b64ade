// Strength levels: the search overlooks moves and misjudges positions as a person of that rating
// does. Pure arithmetic: the same seed gives the same mistakes. The seed stays the same during a
// game, so that a move overlooked far ahead is seen when it comes near. Against a bare king nothing
// is overlooked or misjudged: beginners know how to mate with a queen or a rook.
#pragma once

#include "engine/board/position.h"

namespace engine {

inline constexpr int MinElo = 800, MaxElo = 2800;

// How a level plays. The numbers are fitted to matches between the levels.
struct LevelParameters {
    int nodes;      // no new iteration after these
    int blindness;  // chance, permille, to overlook a quiet move of middle length far ahead
    int noise;      // standard deviation of the evaluation in a quiet position, centipawns
};
// Interpolated between the rows of the table; `elo` is clamped to its range.
LevelParameters level_parameters(int elo);

// Pieces that the enemy attacks, and attacked squares around the kings: 0 in a quiet position,
// about 10 in a sharp one.
int danger(const Position& pos);

class Level {
  public:
    Level(int elo, std::uint64_t seed);

    [[nodiscard]] const LevelParameters& parameters() const { return parameters_; }
    // True if the move, legal or not, is not looked at: with a chance that grows with the plies
    // from the root and with the length of the move. Quiet moves are overlooked most, captures
    // less, recaptures (`last`: the move before) never, nor, above 1400, the capture of a queen
    // within a move of each side. Requires that the side to move is not in check.
    [[nodiscard]] bool overlooks(const Position& pos, Move m, int ply, Move last) const;
    // Added to the evaluation, centipawns: grows with the danger(); at most 300 either way.
    [[nodiscard]] int misjudgment(const Position& pos) const;
    // Percent of the time for a move that passes before it is played, 5 to 90: more in dangerous
    // positions, little for an only move.
    [[nodiscard]] int pace(const Position& pos, std::size_t moves) const;

  private:
    [[nodiscard]] std::uint64_t draw(Key key) const;

    int elo_;
    std::uint64_t seed_;
    LevelParameters parameters_;
};

}  // namespace engine

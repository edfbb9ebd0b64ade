// Ends games whose result the scores of both sides already show.
#pragma once

#include "engine/board/position.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tools {

enum class Outcome : std::uint8_t { Unfinished, WhiteWins, BlackWins, Draw };

constexpr Outcome win_for(engine::Color c) {
    return c == engine::White ? Outcome::WhiteWins : Outcome::BlackWins;
}
// White's points; 0.5 if the game is not finished.
constexpr double white_points(Outcome outcome) {
    return outcome == Outcome::WhiteWins ? 1 : outcome == Outcome::BlackWins ? 0 : 0.5;
}

// Plies since the start of the game, from the move number.
int game_ply(const engine::Position& pos);

// Scores in centipawns. A rule must hold for a number of plies in a row; 0 plies switch it off.
struct AdjudicationRules {
    int win_score = 600, win_plies = 0;   // one side is ahead by at least this score
    int draw_score = 10, draw_plies = 0;  // neither side is ahead by more …
    int draw_from_ply = 0;                // … counted from this ply on
    int max_plies = 0;                    // a draw from this ply on; 0: never
};

// Fed with every move of one game.
class Adjudicator {
  public:
    explicit Adjudicator(const AdjudicationRules& rules) : rules_(rules) {}

    // To be called after each move. `white`: its score for White, nothing if the mover gave none;
    // `ply`: the plies before it since the start of the game. Returns Unfinished if the game
    // continues. If both rules hold, it is a draw.
    Outcome judge(std::optional<int> white, int ply);

  private:
    AdjudicationRules rules_;
    int drawn_plies_ = 0;             // in a row
    std::array<int, 2> won_plies_{};  // in a row, by the colour that is ahead
};

}  // namespace tools

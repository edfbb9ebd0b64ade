// An ending of few men, solved when it comes up in a game, so that it is played without a mistake.
#pragma once

#include "engine/endgame/win_probe.h"

namespace engine {

class SolvedEnding {
  public:
    static constexpr int MaxMen = 4;

    // The moves that keep the result of a position: the fastest wins, the slowest losses.
    struct Choice {
        MoveList moves;
        int result = 0;  // for the side to move: 1 won, 0 a draw, -1 lost
        int plies = 0;   // to mate, of a win or loss in an ending without pawns; else 0
    };

    // The ending of the position, with all that it can become. Null if it has more men or somebody
    // may castle, if there is no memory, and once `stopped`, asked now and then, says true. Takes
    // 0.03 to 0.5 s on one core of 2020, and 16 to 50 MB.
    static std::shared_ptr<const SolvedEnding> solve(const Position& pos,
                                                     const std::function<bool()>& stopped);

    // The position has the same men, or those with colours exchanged, and nobody may castle.
    [[nodiscard]] bool covers(const Position& pos) const;
    // Requires a position that is covered, and one or more of its legal moves. The 50-move rule and
    // repetitions do not count.
    [[nodiscard]] Choice choose(const Position& root, const MoveList& moves) const;
    // `choice` is that of the position. False if a win or loss comes too late by the 50-move rule:
    // if both sides play such moves, neither mate nor a capture comes before.
    [[nodiscard]] bool comes_in_time(const Position& root, const Choice& choice) const;

  private:
    WinMaterial material_;
    WinTables tables_;
};

}  // namespace engine

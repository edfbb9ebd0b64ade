// An ending of few men, solved when it arises in a game, so that it is played without a mistake.
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

    // Solves the ending of the position and all its successors. Null if it has more than MaxMen men
    // or castling rights, if memory is short, or if `stopped`, asked now and then, returns true.
    // Takes 0.03 to 0.5 s on one core of 2020, and 16 to 50 MB.
    static std::shared_ptr<const SolvedEnding> solve(const Position& pos,
                                                     const std::function<bool()>& stopped);

    // True if the position has the same men (perhaps colours exchanged) and no castling rights.
    [[nodiscard]] bool covers(const Position& pos) const;
    // Requires a position that is covered, and one or more of its legal moves. The 50-move rule and
    // repetitions do not count.
    [[nodiscard]] Choice choose(const Position& root, const MoveList& moves) const;
    // `choice`: of `root`. False if the 50-move rule draws a win or loss: when both sides play the
    // chosen moves, no mate, capture or pawn move comes in time.
    [[nodiscard]] bool comes_in_time(const Position& root, const Choice& choice) const;

  private:
    WinMaterial material_;
    WinTables tables_;
};

}  // namespace engine

// Looks up positions in solved endings.
#pragma once

#include "engine/board/movegen.h"
#include "engine/endgame/win_table.h"

#include <functional>

namespace engine {

// The men beside the kings, those of `attacker` first.
WinMaterial material_of(const Position& pos, Color attacker);

// How good a position is for the side to move.
struct WinValue {
    int result = 0;  // 1 won, 0 a draw, -1 lost
    int plies = 0;   // as the tables count them; 0 without distances
    [[nodiscard]] int rank() const { return result * (1'000 - plies); }  // the best one is highest
};

// In an ending with pawns, a capture or promotion by the loser counts as this many plies, so that
// the winner does not give up men just to end it sooner.
inline constexpr int GivenUp = 41;

// Solves the ending of the position for both sides, and all its successors, unless `tables` has
// them. With `distances`, computes these for the ending and for the successors that it needs them
// from. False if stopped. Requires at most 5 men.
bool solve_ending(const Position& pos,
                  bool distances,
                  WinTables& tables,
                  const std::function<bool()>& stopped = {});

// En passant counts, castling, the 50-move rule and repetitions do not. Require that solve_ending()
// has been called for the position, or for one from which it can arise.
WinValue probe(const WinTables& tables, const Position& pos);
WinValue probe_move(const WinTables& tables, const Position& pos, Move m);  // legal

}  // namespace engine

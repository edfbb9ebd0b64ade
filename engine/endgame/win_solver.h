// Solves an ending backwards from its mates, 64 positions at once.
// Source: K. Thompson, "Retrograde Analysis of Certain Endgames", 1986.
#pragma once

#include "engine/endgame/win_table.h"

#include <functional>

namespace engine {

// Requires all successors in `known`, with distances if `distances` is set and there are no pawns.
// `stopped` is asked now and then; if it returns true, the result is null. Castling does not count,
// en passant does. `given_up`: in endings with pawns, the plies that a capture or promotion by the
// defender counts; a high number keeps the attacker from giving up men to end the ending sooner.
std::shared_ptr<const WinTable> solve_wins(const WinMaterial& material,
                                           const WinTables& known,
                                           bool distances,
                                           const std::function<bool()>& stopped = {},
                                           int given_up = 1);

}  // namespace engine

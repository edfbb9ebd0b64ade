// Solves an ending backwards from its mates, 64 positions at once.
// Source: K. Thompson, "Retrograde Analysis of Certain Endgames", 1986.
#pragma once

#include "engine/endgame/win_table.h"

#include <functional>

namespace engine {

// Requires all successors in `known`; with `distances`, theirs, too. `stopped` is asked now and
// then; if it says true, null is returned. Castling does not count, en passant does.
std::shared_ptr<const WinTable> solve_wins(const WinMaterial& material,
                                           const WinTables& known,
                                           bool distances,
                                           const std::function<bool()>& stopped = {});

}  // namespace engine

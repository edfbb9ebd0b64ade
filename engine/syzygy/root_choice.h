// Which moves of the root position keep its result, by endgame tables.
#pragma once

#include "engine/board/move.h"
#include "engine/syzygy/syzygy.h"

namespace engine {

struct RootChoice {
    MoveList moves;            // those that keep the best result, in the order they came
    Wdl result = Wdl::Drawn;   // what they keep; cursed wins and blessed losses are draws by now
    bool by_distance = false;  // they make progress too; else only their results are known
    std::uint64_t hits = 0;    // values found in tables
};

// Ranks the moves by DTZ, with the counter of the 50-move rule: wins that the rule allows come
// first and rank equally, but once a position has been repeated only the fastest one counts. Ranks
// by WDL alone where a DTZ table is missing. Nothing if a position is in no table. `keys`: the
// game's positions, the root's own at the end.
std::optional<RootChoice> choose_at_root(const Syzygy& tables,
                                         const Position& root,
                                         const std::vector<Key>& keys,
                                         const MoveList& moves);

}  // namespace engine

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

// `keys`: the game's positions, the root's own at the end. By distance to zeroing, with the counter
// of the 50-move rule and repetitions: a win that the rule allows counts before one that it does
// not, and once a position has come again only the fastest win counts. By results alone where no
// table of distances is at hand. Nothing if a position is not in the tables.
std::optional<RootChoice> choose_at_root(const Syzygy& tables,
                                         const Position& root,
                                         const std::vector<Key>& keys,
                                         const MoveList& moves);

}  // namespace engine

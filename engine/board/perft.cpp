#include "engine/board/perft.h"

#include "engine/board/movegen.h"

namespace engine {

std::uint64_t perft(Position& pos, int depth, const std::function<bool()>& stopped) {
    if (depth <= 1)
        return depth <= 0 ? 1 : static_cast<std::uint64_t>(count_legal_moves(pos));
    std::uint64_t leaves = 0;
    for (const Move m : legal_moves(pos)) {
        if (depth >= 3 && stopped && stopped())
            break;
        Undo undo;
        pos.make(m, undo);
        leaves += perft(pos, depth - 1, stopped);
        pos.unmake(m, undo);
    }
    return leaves;
}

}  // namespace engine

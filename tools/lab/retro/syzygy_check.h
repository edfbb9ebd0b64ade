// Compares solved endings with Syzygy's tables, position by position.
#pragma once

#include "engine/syzygy/syzygy.h"
#include "tools/lab/retro/table_set.h"

namespace tools::retro {

struct Comparison {
    std::uint64_t positions = 0, en_passant = 0;  // compared; the second are part of the first
    std::uint64_t different = 0, missing = 0;     // results; no value in Syzygy's tables
    std::string first_different;                  // position as FEN; empty if none differs
};

// All positions of the ending that differ by more than symmetry, and with pawns of both sides also
// those after a double step that can be captured en passant. Only won, drawn and lost are compared:
// our tables know no 50-move rule. Requires the tables of the ending and its successors.
Comparison compare(const Ending& ending, const TableSet& tables, const engine::Syzygy& syzygy);

}  // namespace tools::retro

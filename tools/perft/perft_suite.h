// Positions with their known perft counts, in the two usual file formats.
#pragma once

#include "engine/board/position.h"
#include "engine/board/result.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace tools::perft {

struct PerftCount {
    int depth = 0;  // plies
    std::uint64_t leaves = 0;
};
struct PerftCase {
    std::string fen;
    std::string name;  // its id, or empty
    int line = 0;      // in the file, from 1
    std::vector<PerftCount> counts;
    engine::Position position{};
};

// Reads lines "FEN ;D1 20 ;D2 400" and "FEN ;depth leaves", and blocks of lines "id NAME", "epd
// FEN", "perft DEPTH LEAVES"; '#' begins a comment line. Fails on the first other line and quotes
// it, and on a FEN that is no position; any material is allowed.
Result<std::vector<PerftCase>> read_perft_suite(std::istream& in);

}  // namespace tools::perft

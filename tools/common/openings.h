// Openings for games between engines, from files or at random.
#pragma once

#include "engine/board/position.h"
#include "engine/board/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tools {

struct Opening {
    engine::Position start;
    std::vector<engine::Move> moves;  // legal one after the other from `start`
};

// The format follows from the file's name: .pgn games (at most `plies` plies of each, 0: all), .tsv
// lines with the moves in the third column, anything else FEN or EPD lines. Fails on a compressed
// file, on the first bad line and quotes it, on an opening that ends the game, and if there is no
// opening in the file.
Result<std::vector<Opening>> read_openings(const std::string& path, int plies);

// The same from text; the moves may carry numbers, comments, variations, annotations and a result.
Result<Opening> parse_line(const engine::Position& start, std::string_view moves, int plies);
Result<std::vector<Opening>> parse_pgn(std::string_view text, int plies);

// `count` different lines of `plies` random moves; equal seeds give equal lines. A line is drawn
// again if the game is over, one side can win material at once, or `accept` refuses its position.
// Gives fewer lines, or some of them twice, if there are not enough.
std::vector<Opening> random_openings(int count,
                                     int plies,
                                     std::uint64_t seed,
                                     const std::function<bool(const engine::Position&)>& accept);

}  // namespace tools

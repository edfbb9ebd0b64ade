// The file of a thermometer: quiet positions that no network is trained on, and their scores by
// long searches. Text, so that a person can look at it:
//
//     nutcracker-thermometer 1
//     seed=1 nodes=20000 positions=20000 per-game=5 scale=158 network=HASH games=HASH
//     GAME SCORE FEN          one line a position; GAME counts from 0, up the file
//     end POSITIONS CHECKSUM  of all bytes before; missing while the file is being made
#pragma once

#include "engine/board/position.h"

#include <string>
#include <string_view>
#include <vector>

namespace tools::thermometer {

// How a file is made. A file is only continued under the conditions that it was begun with.
struct Conditions {
    std::uint64_t seed = 1, nodes = 20'000, positions = 20'000, per_game = 5;
    double scale = 0;                      // centipawns at which the expected score is 73 %
    std::uint64_t network = 0, games = 0;  // checksums of the valuing network and of the games
};

struct ValuedPosition {
    std::uint64_t game;
    int score;  // centipawns for the side to move
    engine::Position pos;
};

std::string encode(const Conditions& conditions);  // the lines before the positions
std::string encode(const ValuedPosition& valued);  // one line
std::string end_line(std::string_view before, std::size_t positions);

struct Contents {
    std::string begin;  // as encode(Conditions) wrote it
    double scale = 0;
    std::vector<ValuedPosition> positions;
    bool complete = false;
};

// Fails on what is no thermometer, and on damage. A last line that is cut off is left out where the
// end is missing; then the positions are those of the lines before it.
Result<Contents> decode(std::string_view bytes);

}  // namespace tools::thermometer

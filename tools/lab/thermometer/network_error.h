// How far a network's static values are from those of the thermometer's searches.
#pragma once

#include "tools/lab/thermometer/thermometer_file.h"

#include <array>

namespace tools::thermometer {

// Classes by the number of pieces, kings included: 3-6, 7-10, …, 23-26, 27-32.
inline constexpr std::array<int, 7> LargestOfClass{6, 10, 14, 18, 22, 26, 32};
std::size_t class_of(int pieces);

// A mean of squared differences between two expected scores, 0..1; 0 for no positions.
struct MeanError {
    double mean = 0;
    std::size_t positions = 0;
};
struct NetworkError {
    MeanError all;
    std::array<MeanError, LargestOfClass.size()> by_pieces;
};

// The integers of a network file (of any hidden size that can be trained) on the positions. A value
// of x centipawns is the expected score 1 / (1 + exp(-x / scale)). Fails if the file is no network.
Result<NetworkError>
measure(std::string_view network, const std::vector<ValuedPosition>& positions, double scale);

}  // namespace tools::thermometer

// Clamps values for display.
#pragma once

#include <algorithm>

namespace tools::book_command {

// A value as an expected score. Results are adjusted for ratings, so the value of a move with few
// games may lie outside 0 to 1.
inline double in_range(double value) {
    return std::clamp(value, 0.0, 1.0);
}

}  // namespace tools::book_command

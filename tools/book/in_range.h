// Clamps values for display.
#pragma once

#include <algorithm>

namespace tools::book_command {

// A value as an expected score. Results are adjusted by the ratings, so that values of moves of few
// games may lie outside of 0 to 1.
inline double in_range(double value) {
    return std::clamp(value, 0.0, 1.0);
}

}  // namespace tools::book_command

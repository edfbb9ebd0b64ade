#include "tools/common/mean.h"

#include <cmath>
#include <numeric>

namespace tools {

Measured mean_of(const std::vector<double>& numbers) {
    const auto n = static_cast<double>(numbers.size());
    if (numbers.empty())
        return {};
    const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / n;
    double squares = 0;
    for (const double x : numbers)
        squares += (x - mean) * (x - mean);
    return {.mean = mean, .error = n > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

}  // namespace tools

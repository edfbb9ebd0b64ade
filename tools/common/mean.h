// Means of independent numbers, with their errors.
#pragma once

#include <vector>

namespace tools {

struct Measured {  // a mean and its standard error
    double mean = 0, error = 0;
};
// The error of a single number is 0, and so is the mean of none.
Measured mean_of(const std::vector<double>& numbers);

}  // namespace tools

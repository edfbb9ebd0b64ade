// Networks for the tests of the training.
#pragma once

#include "tools/lab/train/model.h"

// Random, with threats, which a new model has not. Equal for equal sizes.
inline tools::train::Model model_with_threats(std::size_t hidden) {
    tools::train::Model model(static_cast<int>(hidden), 1);
    for (std::size_t at = model.threats_at(); at < model.weights.size(); ++at)
        model.weights[at] = 0.03F * static_cast<float>(static_cast<int>(at * 7 % 11) - 5);
    return model;
}

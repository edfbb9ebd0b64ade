// Networks for the tests of the training.
#pragma once

#include "tools/lab/train/model.h"

#include <array>

// The groups of weights, in their order, and the size of a row of them: of the weights of an input,
// of those to an output, or of the biases of a bucket.
struct WeightGroup {
    std::size_t begin, end, row;
};
inline std::array<WeightGroup, 9> groups_of(const tools::train::Model& model) {
    const auto hidden = static_cast<std::size_t>(model.hidden);
    return {{{0, model.bias_at(), hidden},
             {model.bias_at(), model.threats_at(), hidden},
             {model.threats_at(), model.first_at(), tools::train::threat_hidden(hidden)},
             {model.first_at(), model.first_bias_at(), hidden},
             {model.first_bias_at(), model.second_at(), engine::FirstLayer},
             {model.second_at(), model.second_bias_at(), tools::train::SecondInputs},
             {model.second_bias_at(), model.third_at(), engine::SecondLayer},
             {model.third_at(), model.third_bias_at(), engine::SecondLayer},
             {model.third_bias_at(), model.weights.size(), 1}}};
}

// Random, with threats, biases and differing buckets, which a new model has not. Equal for equal
// sizes.
inline tools::train::Model model_with_threats(std::size_t hidden) {
    tools::train::Model model(static_cast<int>(hidden), 1);
    const auto wave = [](std::size_t at) {
        return static_cast<float>(static_cast<int>(at * 7 % 11) - 5);
    };
    for (std::size_t at = model.bias_at(); at < model.first_at(); ++at)
        model.weights[at] = 0.03F * wave(at);
    for (std::size_t at = model.first_at(); at < model.weights.size(); ++at)
        model.weights[at] += 0.02F * wave(at);
    return model;
}

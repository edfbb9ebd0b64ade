// Networks and samples for the tests of the training.
#pragma once

#include "tools/lab/train/model.h"
#include "tools/lab/train/samples.h"

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

// With 4 to 32 pieces of all kinds, and kings on either half.
inline constexpr std::array SampleFens{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk1nr/pppp1ppp/8/2b1n3/2B1P3/8/PPP2PPP/RNBQK2R b KQkq - 0 5",
    "2r2rk1/pp3ppp/4p3/3qP3/3P4/8/PP1Q1PPP/R4RK1 w - - 0 18",
    "3r2k1/5pp1/4p2p/1p1qP3/3P4/5N1P/5PP1/3Q2K1 b - - 0 30",
    "8/5pk1/4p1p1/1n2P3/6P1/5P2/4K3/3B1N2 b - - 0 45",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "8/8/1k6/8/3r4/5K2/4R3/8 w - - 0 1"};
inline std::vector<tools::train::Sample> samples() {
    std::vector<tools::train::Sample> all;
    for (const char* fen : SampleFens) {
        const int score = 70 * static_cast<int>(all.size()) - 90;
        all.push_back(tools::train::make_sample(
            engine::Position::from_fen(fen).value(), score, tools::datagen::GameResult::Drawn));
    }
    return all;
}

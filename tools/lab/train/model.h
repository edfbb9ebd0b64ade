// A network in training, with floating-point weights, and its quantised form.
#pragma once

#include "engine/eval/network.h"
#include "tools/lab/train/samples.h"

#include <algorithm>

namespace tools::train {

// The neurons that see the threats in a network of this hidden size.
constexpr std::size_t threat_hidden(std::size_t hidden) {
    return std::min<std::size_t>(hidden, engine::ThreatHidden);
}

// All weights in one vector, in the order of engine::Network.
struct Model {
    int hidden;  // hidden size: neurons for each side
    std::vector<float> weights;

    Model(int neurons, std::uint64_t seed);  // small random weights; equal seeds give equal weights

    // The weights of a network file, to train them further.
    static Result<Model> from_file(std::string_view bytes);

    [[nodiscard]] std::size_t bias_at() const {
        return engine::Inputs * static_cast<std::size_t>(hidden);
    }
    [[nodiscard]] std::size_t output_at() const {
        return bias_at() + static_cast<std::size_t>(hidden);
    }
    [[nodiscard]] std::size_t threats_at() const {
        return output_at() + engine::Buckets * 2 * static_cast<std::size_t>(hidden);
    }
    [[nodiscard]] std::size_t output_bias_at() const {
        return threats_at() +
               engine::ThreatInputs * threat_hidden(static_cast<std::size_t>(hidden));
    }
};

// Larger weights could overflow the integers of the engine.
inline constexpr float MaxWeight = static_cast<float>(engine::MaxOutputWeight) / engine::OutputUnit;
inline constexpr float MaxThreatWeight = static_cast<float>(engine::MaxThreatWeight) / engine::Unit;

// The network's score in centipawns, for the side to move.
float evaluate(const Model& model, const Sample& sample);

// The network with the integer weights of its file.
class QuantisedModel {
  public:
    explicit QuantisedModel(const Model& model);
    [[nodiscard]] int evaluate(const Sample& sample) const;
    [[nodiscard]] std::string file(std::string_view name) const;

  private:
    engine::NetworkWeights weights_;
};

}  // namespace tools::train

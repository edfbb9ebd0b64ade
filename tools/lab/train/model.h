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

// The second layer sees the outputs of the first one, then their squares. SquareScale is the square
// of 1.0, as the engine's integers have it.
inline constexpr std::size_t SecondInputs = std::size_t{2} * engine::FirstLayer;
inline constexpr float SquareScale = static_cast<float>(engine::First) / (1 << engine::SquareShift);

// All weights in one vector: features, bias, threats, then the weights and the biases of each
// layer, bucket by bucket. A row of a layer's weights belongs to one output.
struct Model {
    int hidden;  // hidden size: neurons for each side
    std::vector<float> weights;

    Model(int neurons, std::uint64_t seed);  // small random weights; equal seeds give equal weights

    // The weights of a network file, to train them further.
    static Result<Model> from_file(std::string_view bytes);

    [[nodiscard]] std::size_t bias_at() const { return engine::Inputs * size(); }
    [[nodiscard]] std::size_t threats_at() const { return bias_at() + size(); }
    [[nodiscard]] std::size_t first_at() const {
        return threats_at() + engine::ThreatInputs * threat_hidden(size());
    }
    [[nodiscard]] std::size_t first_bias_at() const {
        return first_at() + engine::Buckets * engine::FirstLayer * size();
    }
    [[nodiscard]] std::size_t second_at() const {
        return first_bias_at() + engine::Buckets * engine::FirstLayer;
    }
    [[nodiscard]] std::size_t second_bias_at() const {
        return second_at() + engine::Buckets * engine::SecondLayer * SecondInputs;
    }
    [[nodiscard]] std::size_t third_at() const {
        return second_bias_at() + engine::Buckets * engine::SecondLayer;
    }
    [[nodiscard]] std::size_t third_bias_at() const {
        return third_at() + engine::Buckets * engine::SecondLayer;
    }

  private:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(hidden); }
};

// Larger weights could overflow the integers of the engine.
inline constexpr float MaxWeight =
    static_cast<float>(engine::MaxFirstWeight - 1) / engine::FirstUnit;
inline constexpr float MaxThreatWeight = static_cast<float>(engine::MaxThreatWeight) / engine::Unit;
static_assert(MaxWeight * engine::Unit <= engine::MaxFeatureWeight &&
              MaxWeight * engine::LayerUnit <= engine::MaxLayerWeight &&
              MaxWeight * engine::One <= static_cast<float>(engine::MaxBias));

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

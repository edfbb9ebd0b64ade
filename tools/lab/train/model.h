// A network while it learns, in floating point, and how it becomes the integers that play.
#pragma once

#include "engine/eval/network.h"
#include "tools/lab/train/samples.h"

namespace tools {

// All weights in one row, in the order of engine::Network.
struct Model {
    int hidden;  // neurons a side
    std::vector<float> weights;

    Model(int neurons, std::uint64_t seed);  // random small weights; equal seeds, equal weights

    // The weights that a network file was rounded to, to train them further.
    static Result<Model> from_file(std::string_view bytes);

    [[nodiscard]] std::size_t bias_at() const {
        return engine::Inputs * static_cast<std::size_t>(hidden);
    }
    [[nodiscard]] std::size_t output_at() const {
        return bias_at() + static_cast<std::size_t>(hidden);
    }
    [[nodiscard]] std::size_t output_bias_at() const {
        return output_at() + engine::Buckets * 2 * static_cast<std::size_t>(hidden);
    }
};

// Beyond this the integer weights would overflow when they are used.
inline constexpr float LargestWeight =
    static_cast<float>(engine::LargestOutputWeight) / engine::OutputUnit;

// Centipawns for the side to move.
float evaluate(const Model& model, const Sample& sample);

// The same with the integers of the network file.
class QuantisedModel {
  public:
    explicit QuantisedModel(const Model& model);
    [[nodiscard]] int evaluate(const Sample& sample) const;
    [[nodiscard]] std::string file(std::string_view name) const;

  private:
    int hidden_;
    std::vector<std::int16_t> weights_;  // as in Model, without the output biases
    std::array<std::int32_t, engine::Buckets> output_bias_;
};

}  // namespace tools

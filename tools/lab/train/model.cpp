#include "tools/lab/train/model.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

namespace tools::train {
namespace {

long rounded(float weight, int unit) {
    return std::lround(weight * static_cast<float>(unit));
}

// The hidden neurons of one side before activation. `weights` and `threats` are in the order of
// Model.
template <typename T>
std::vector<T> neurons(const T* weights,
                       const auto* threats,
                       std::size_t hidden,
                       const Inputs& inputs,
                       std::size_t side) {
    const T* bias = weights + engine::Inputs * hidden;
    std::vector<T> sums(bias, bias + hidden);
    for (std::size_t f = 0; f < inputs.count; ++f)
        for (std::size_t i = 0; i < hidden; ++i)
            sums[i] = static_cast<T>(sums[i] + weights[inputs.features[side][f] * hidden + i]);
    const std::size_t size = threat_hidden(hidden);
    for (std::size_t f = 0; f < inputs.threat_count; ++f)
        for (std::size_t i = 0; i < size; ++i)
            sums[i] = static_cast<T>(sums[i] + threats[inputs.threats[side][f] * size + i]);
    return sums;
}

}  // namespace

Model::Model(int neurons, std::uint64_t seed)
    : hidden(neurons), weights(output_bias_at() + engine::Buckets) {
    std::mt19937_64 random(seed);
    const auto uniform = [&random](float range) {
        return range * (static_cast<float>(random() >> 40) / static_cast<float>(1 << 23) - 1.0F);
    };
    const float first = std::sqrt(1.0F / 32);
    const float second = std::sqrt(1.0F / static_cast<float>(2 * hidden));
    for (std::size_t i = 0; i < bias_at(); ++i)
        weights[i] = uniform(first);
    // All output buckets begin with equal weights; the threats add nothing at first.
    const auto one = 2 * static_cast<std::size_t>(hidden);
    for (std::size_t i = output_at(); i < threats_at(); ++i)
        weights[i] = i < output_at() + one ? uniform(second) : weights[i - one];
}

Result<Model> Model::from_file(std::string_view bytes) {
    const Result<engine::NetworkWeights> file = engine::network_weights(bytes);
    if (!file)
        return fail(file.error().what);
    if (file->hidden < 1 || file->threat_hidden != train::threat_hidden(file->hidden))
        return fail(fmt::format("a network of {} neurons a side, {} of them for threats",
                                file->hidden,
                                file->threat_hidden));
    Model model(static_cast<int>(file->hidden), 0);
    for (std::size_t i = 0; i < file->threats.size(); ++i)
        model.weights[model.threats_at() + i] = static_cast<float>(file->threats[i]) / engine::Unit;
    for (std::size_t i = 0; i < file->neurons.size(); ++i)
        model.weights[i] =
            static_cast<float>(file->neurons[i]) /
            static_cast<float>(i < model.output_at() ? engine::Unit : engine::OutputUnit);
    for (std::size_t at = 0; at < engine::Buckets; ++at)
        model.weights[model.output_bias_at() + at] =
            static_cast<float>(file->output_bias[at]) / engine::One;
    return model;
}

float evaluate(const Model& model, const Sample& sample) {
    const Inputs inputs = inputs_of(sample);
    const auto hidden = static_cast<std::size_t>(model.hidden);
    const std::size_t at = engine::bucket(inputs.count);
    float sum = model.weights[model.output_bias_at() + at];
    for (std::size_t side = 0; side < 2; ++side) {
        const float* weights = model.weights.data();
        const auto sums = neurons(weights, weights + model.threats_at(), hidden, inputs, side);
        for (std::size_t i = 0; i < hidden; ++i) {
            const float v = std::clamp(sums[i], 0.0F, 1.0F);
            sum += v * v * model.weights[model.output_at() + (2 * at + side) * hidden + i];
        }
    }
    return sum * engine::OutputCentipawns;
}

QuantisedModel::QuantisedModel(const Model& model)
    : weights_(static_cast<std::size_t>(model.hidden),
               threat_hidden(static_cast<std::size_t>(model.hidden))) {
    for (std::size_t at = 0; at < engine::Buckets; ++at)
        weights_.output_bias[at] = static_cast<std::int32_t>(
            std::lround(model.weights[model.output_bias_at() + at] * engine::One));
    for (std::size_t i = 0; i < weights_.neurons.size(); ++i)
        weights_.neurons[i] = static_cast<std::int16_t>(
            rounded(model.weights[i], i < model.output_at() ? engine::Unit : engine::OutputUnit));
    for (std::size_t i = 0; i < weights_.threats.size(); ++i)
        weights_.threats[i] =
            static_cast<std::int8_t>(rounded(model.weights[model.threats_at() + i], engine::Unit));
}

int QuantisedModel::evaluate(const Sample& sample) const {
    const Inputs inputs = inputs_of(sample);
    const std::size_t hidden = weights_.hidden;
    const std::size_t at = engine::bucket(inputs.count);
    const std::size_t output_at = (engine::Inputs + 1 + 2 * at) * hidden;
    std::int64_t sum = 0;  // beyond 32 bits only with more than 128 neurons
    for (std::size_t side = 0; side < 2; ++side) {
        const auto sums =
            neurons(weights_.neurons.data(), weights_.threats.data(), hidden, inputs, side);
        for (std::size_t i = 0; i < hidden; ++i) {
            const int v = std::clamp<int>(sums[i], 0, engine::Unit);
            sum += std::int64_t{v} * v * weights_.neurons[output_at + side * hidden + i];
        }
    }
    const std::int64_t value = sum / engine::Unit + weights_.output_bias[at];
    return static_cast<int>(value * engine::OutputCentipawns / engine::One);
}

std::string QuantisedModel::file(std::string_view name) const {
    return engine::network_file(name, weights_);
}

}  // namespace tools::train

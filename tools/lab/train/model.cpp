#include "tools/lab/train/model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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
    const Result<int> hidden = engine::network_size(bytes);
    if (!hidden)
        return fail(hidden.error().what);
    bytes.remove_prefix(engine::NetworkHeaderSize);
    if (*hidden < 1 || static_cast<std::size_t>(*hidden) > bytes.size() / engine::Inputs)
        return fail(fmt::format("a network of {} neurons a side, which it does not have", *hidden));
    Model model(*hidden, 0);
    std::vector<std::int16_t> integers(model.threats_at());
    std::vector<std::int8_t> threats(model.output_bias_at() - model.threats_at());
    const std::size_t size = integers.size() * sizeof integers[0];
    std::array<std::int32_t, engine::Buckets> output_bias{};
    if (bytes.size() < size + threats.size() + sizeof output_bias)
        return fail("a network that is cut off");
    std::memcpy(integers.data(), bytes.data(), size);
    std::memcpy(threats.data(), bytes.data() + size, threats.size());
    std::memcpy(output_bias.data(), bytes.data() + size + threats.size(), sizeof output_bias);
    for (std::size_t i = 0; i < threats.size(); ++i)
        model.weights[model.threats_at() + i] = static_cast<float>(threats[i]) / engine::Unit;
    for (std::size_t i = 0; i < integers.size(); ++i)
        model.weights[i] =
            static_cast<float>(integers[i]) /
            static_cast<float>(i < model.output_at() ? engine::Unit : engine::OutputUnit);
    for (std::size_t at = 0; at < engine::Buckets; ++at)
        model.weights[model.output_bias_at() + at] =
            static_cast<float>(output_bias[at]) / engine::One;
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
    : hidden_(model.hidden), weights_(model.threats_at()),
      threats_(model.output_bias_at() - model.threats_at()), output_bias_{} {
    for (std::size_t at = 0; at < engine::Buckets; ++at)
        output_bias_[at] = static_cast<std::int32_t>(
            std::lround(model.weights[model.output_bias_at() + at] * engine::One));
    for (std::size_t i = 0; i < weights_.size(); ++i)
        weights_[i] = static_cast<std::int16_t>(
            rounded(model.weights[i], i < model.output_at() ? engine::Unit : engine::OutputUnit));
    for (std::size_t i = 0; i < threats_.size(); ++i)
        threats_[i] =
            static_cast<std::int8_t>(rounded(model.weights[model.threats_at() + i], engine::Unit));
}

int QuantisedModel::evaluate(const Sample& sample) const {
    const Inputs inputs = inputs_of(sample);
    const auto hidden = static_cast<std::size_t>(hidden_);
    const std::size_t at = engine::bucket(inputs.count);
    const std::size_t output_at = (engine::Inputs + 1 + 2 * at) * hidden;
    std::int64_t sum = 0;  // beyond 32 bits only with more than 128 neurons
    for (std::size_t side = 0; side < 2; ++side) {
        const auto sums = neurons(weights_.data(), threats_.data(), hidden, inputs, side);
        for (std::size_t i = 0; i < hidden; ++i) {
            const int v = std::clamp<int>(sums[i], 0, engine::Unit);
            sum += v * v * weights_[output_at + side * hidden + i];
        }
    }
    const std::int64_t value = sum / engine::Unit + output_bias_[at];
    return static_cast<int>(value * engine::OutputCentipawns / engine::One);
}

std::string QuantisedModel::file(std::string_view name) const {
    const std::size_t size = weights_.size() * sizeof weights_[0];
    std::string bytes(size + threats_.size() + sizeof output_bias_, '\0');
    std::memcpy(bytes.data(), weights_.data(), size);
    std::memcpy(bytes.data() + size, threats_.data(), threats_.size());
    std::memcpy(bytes.data() + size + threats_.size(), output_bias_.data(), sizeof output_bias_);
    return engine::network_file(hidden_, name, std::move(bytes));
}

}  // namespace tools::train

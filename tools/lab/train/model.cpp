#include "tools/lab/train/model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include <fmt/format.h>

namespace tools::train {
namespace {

std::int16_t rounded(float weight, int unit) {
    return static_cast<std::int16_t>(std::lround(weight * static_cast<float>(unit)));
}

// The hidden neurons of one side before activation.
template <typename T>
std::vector<T> neurons(const std::vector<T>& weights,
                       std::size_t hidden,
                       const std::array<std::uint16_t, 32>& features,
                       std::size_t count) {
    const auto bias = weights.begin() + static_cast<std::ptrdiff_t>(engine::Inputs * hidden);
    std::vector<T> sums(bias, bias + static_cast<std::ptrdiff_t>(hidden));
    for (std::size_t f = 0; f < count; ++f)
        for (std::size_t i = 0; i < hidden; ++i)
            sums[i] = static_cast<T>(sums[i] + weights[features[f] * hidden + i]);
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
    // All output buckets begin with equal weights.
    const auto one = 2 * static_cast<std::size_t>(hidden);
    for (std::size_t i = output_at(); i < output_bias_at(); ++i)
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
    std::vector<std::int16_t> integers(model.output_bias_at());
    const std::size_t size = integers.size() * sizeof integers[0];
    std::array<std::int32_t, engine::Buckets> output_bias{};
    if (bytes.size() < size + sizeof output_bias)
        return fail("a network that is cut off");
    std::memcpy(integers.data(), bytes.data(), size);
    std::memcpy(output_bias.data(), bytes.data() + size, sizeof output_bias);
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
        const auto sums = neurons(model.weights, hidden, inputs.features[side], inputs.count);
        for (std::size_t i = 0; i < hidden; ++i) {
            const float v = std::clamp(sums[i], 0.0F, 1.0F);
            sum += v * v * model.weights[model.output_at() + (2 * at + side) * hidden + i];
        }
    }
    return sum * engine::OutputCentipawns;
}

QuantisedModel::QuantisedModel(const Model& model)
    : hidden_(model.hidden), weights_(model.output_bias_at()), output_bias_{} {
    for (std::size_t at = 0; at < engine::Buckets; ++at)
        output_bias_[at] = static_cast<std::int32_t>(
            std::lround(model.weights[model.output_bias_at() + at] * engine::One));
    for (std::size_t i = 0; i < weights_.size(); ++i)
        weights_[i] =
            rounded(model.weights[i], i < model.output_at() ? engine::Unit : engine::OutputUnit);
}

int QuantisedModel::evaluate(const Sample& sample) const {
    const Inputs inputs = inputs_of(sample);
    const auto hidden = static_cast<std::size_t>(hidden_);
    const std::size_t at = engine::bucket(inputs.count);
    const std::size_t output_at = (engine::Inputs + 1 + 2 * at) * hidden;
    std::int64_t sum = 0;  // beyond 32 bits only with more than 128 neurons
    for (std::size_t side = 0; side < 2; ++side) {
        const auto sums = neurons(weights_, hidden, inputs.features[side], inputs.count);
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
    std::string bytes(size + sizeof output_bias_, '\0');
    std::memcpy(bytes.data(), weights_.data(), size);
    std::memcpy(bytes.data() + size, output_bias_.data(), sizeof output_bias_);
    return engine::network_file(hidden_, name, std::move(bytes));
}

}  // namespace tools::train

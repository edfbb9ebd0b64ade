#include "tools/lab/train/model.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

namespace tools::train {
namespace {

constexpr float SecondBias = 0.1F;  // at first: more outputs between 0 and 1

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

// What the first layer sees: the products of the side to move, then those of the other side.
template <typename T>
std::vector<T> products(const T* weights,
                        const auto* threats,
                        std::size_t hidden,
                        const Inputs& inputs,
                        const auto& product) {
    std::vector<T> all;
    all.reserve(hidden);
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<T> sums = neurons(weights, threats, hidden, inputs, side);
        for (std::size_t i = 0; i < hidden / 2; ++i)
            all.push_back(product(sums[i], sums[i + hidden / 2]));
    }
    return all;
}

// The outputs of a layer in a bucket. `weights` and `bias` begin with those of the first bucket.
template <typename Sum, typename T>
std::vector<Sum> layer(const auto* weights,
                       const auto* bias,
                       const std::vector<T>& inputs,
                       std::size_t outputs,
                       std::size_t bucket) {
    std::vector<Sum> sums(bias + bucket * outputs, bias + (bucket + 1) * outputs);
    const auto* row = weights + bucket * outputs * inputs.size();
    for (Sum& sum : sums)
        for (const T input : inputs)
            sum += Sum{*row++} * Sum{input};
    return sums;
}

float clipped(float x) {
    return std::clamp(x, 0.0F, 1.0F);
}

// Calls the function with every group of weights: where it begins in Model, its integers, and the
// integer of 1.0.
void for_each_group(const Model& model, auto& integers, const auto& function) {
    using namespace engine;  // NOLINT(google-build-using-namespace)
    function(0, integers.neurons, Unit);
    function(model.threats_at(), integers.threats, Unit);
    function(model.first_at(), integers.first, FirstUnit);
    function(model.first_bias_at(), integers.first_bias, First);
    function(model.second_at(), integers.second, LayerUnit);
    function(model.second_bias_at(), integers.second_bias, One);
    function(model.third_at(), integers.third, LayerUnit);
    function(model.third_bias_at(), integers.third_bias, One);
}

}  // namespace

Model::Model(int neurons, std::uint64_t seed)
    : hidden(neurons), weights(third_bias_at() + engine::Buckets) {
    std::mt19937_64 random(seed);
    const auto fill = [&](std::size_t from, std::size_t to, float range) {
        for (std::size_t i = from; i < to; ++i)
            weights[i] =
                range * (static_cast<float>(random() >> 40) / static_cast<float>(1 << 23) - 1.0F);
    };
    // All buckets begin with equal weights.
    const auto fill_layer = [&](std::size_t from, std::size_t to, float range) {
        const std::size_t one = (to - from) / engine::Buckets;
        fill(from, from + one, range);
        for (std::size_t i = from + one; i < to; ++i)
            weights[i] = weights[i - one];
    };
    fill(0, bias_at(), std::sqrt(1.0F / 32));  // the threats add nothing at first
    fill_layer(first_at(), first_bias_at(), std::sqrt(6.0F / static_cast<float>(hidden)));
    fill_layer(second_at(), second_bias_at(), std::sqrt(3.0F / SecondInputs));
    for (std::size_t i = second_bias_at(); i < third_at(); ++i)
        weights[i] = SecondBias;
    fill_layer(third_at(), third_bias_at(), std::sqrt(3.0F / engine::SecondLayer));
}

Result<Model> Model::from_file(std::string_view bytes) {
    const Result<engine::NetworkWeights> file = engine::network_weights(bytes);
    if (!file)
        return fail(file.error().what);
    if (file->hidden < 2 || file->hidden % 2 != 0 ||
        file->threat_hidden != train::threat_hidden(file->hidden))
        return fail(fmt::format("a network of {} neurons a side, {} of them for threats",
                                file->hidden,
                                file->threat_hidden));
    Model model(static_cast<int>(file->hidden), 0);
    for_each_group(model, *file, [&](std::size_t at, const auto& integers, int unit) {
        for (const auto integer : integers)
            model.weights[at++] = static_cast<float>(integer) / static_cast<float>(unit);
    });
    return model;
}

float evaluate(const Model& model, const Sample& sample) {
    const Inputs inputs = inputs_of(sample);
    const auto hidden = static_cast<std::size_t>(model.hidden);
    const std::size_t at = engine::bucket(inputs.count);
    const float* w = model.weights.data();
    const auto outputs = [&](std::size_t weights_at,
                             std::size_t bias_at,
                             const std::vector<float>& in,
                             std::size_t count) {
        return layer<float>(w + weights_at, w + bias_at, in, count, at);
    };
    const auto p = products(w, w + model.threats_at(), hidden, inputs, [](float a, float b) {
        return clipped(a) * clipped(b);
    });
    const auto z = outputs(model.first_at(), model.first_bias_at(), p, engine::FirstLayer);
    std::vector<float> a;
    a.reserve(SecondInputs);
    for (const float x : z)
        a.push_back(clipped(x));
    for (const float x : z)
        a.push_back(std::min(x * x, 1.0F) * SquareScale);
    auto h = outputs(model.second_at(), model.second_bias_at(), a, engine::SecondLayer);
    for (float& x : h)
        x = clipped(x);
    const auto output = outputs(model.third_at(), model.third_bias_at(), h, 1);
    return (output[0] + z[0]) * engine::OutputCentipawns;
}

QuantisedModel::QuantisedModel(const Model& model)
    : weights_(static_cast<std::size_t>(model.hidden),
               threat_hidden(static_cast<std::size_t>(model.hidden))) {
    for_each_group(model, weights_, [&](std::size_t at, auto& integers, int unit) {
        using Integer = typename std::decay_t<decltype(integers)>::value_type;
        for (Integer& integer : integers)
            integer =
                static_cast<Integer>(std::lround(model.weights[at++] * static_cast<float>(unit)));
    });
}

// See engine::Layers.
int QuantisedModel::evaluate(const Sample& sample) const {
    using engine::First, engine::Unit;
    const Inputs inputs = inputs_of(sample);
    const std::size_t at = engine::bucket(inputs.count);
    const engine::NetworkWeights& w = weights_;
    const auto outputs =
        [at](const auto& weights, const auto& bias, const auto& in, std::size_t count) {
            return layer<std::int64_t>(weights.data(), bias.data(), in, count, at);
        };
    const auto product = [](int a, int b) {
        const int both = std::clamp(a, 0, Unit) * std::clamp(b, 0, Unit);
        return static_cast<std::int16_t>((both + 256) >> 9);
    };
    const auto p = products(w.neurons.data(), w.threats.data(), w.hidden, inputs, product);
    const auto z = outputs(w.first, w.first_bias, p, engine::FirstLayer);
    std::vector<std::int64_t> a;
    a.reserve(SecondInputs);
    for (const std::int64_t x : z)
        a.push_back(std::clamp<std::int64_t>(x, 0, First));
    for (const std::int64_t x : z) {
        const auto within = std::clamp<std::int64_t>(x, -First, First);
        a.push_back(within * within >> engine::SquareShift);
    }
    auto h = outputs(w.second, w.second_bias, a, engine::SecondLayer);
    for (std::int64_t& x : h)
        x = std::clamp<std::int64_t>(x >> 8, 0, First);
    const auto output = outputs(w.third, w.third_bias, h, 1);
    const std::int64_t value = output[0] + engine::LayerUnit * z[0];
    return static_cast<int>(value * engine::OutputCentipawns / engine::One);
}

std::string QuantisedModel::file(std::string_view name) const {
    return engine::network_file(name, weights_);
}

}  // namespace tools::train

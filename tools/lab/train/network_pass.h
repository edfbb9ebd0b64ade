// The forward and backward pass of the network in training.
#pragma once

#include "tools/lab/train/model.h"

#include <algorithm>

namespace tools::train {

// Positions pass through the network together, one block of neurons after the other: the weights
// and gradients of a block stay in the cache while all positions use them. A block has a part of
// the first half of the neurons and their partners. `hidden` is a constant so that the loops become
// straight vector code.
template <std::size_t hidden>
class NetworkPass {
  public:
    static constexpr std::size_t MaxPositions = 256;

    // The weights must not change while the pass is used.
    explicit NetworkPass(const float* weights)
        : weights_(weights), first_(transposed(FirstAt, FirstLayer, hidden)),
          second_(transposed(SecondAt, SecondLayer, SecondInputs)), positions_(MaxPositions),
          neurons_(MaxPositions * 2 * hidden) {}

    [[nodiscard]] std::size_t size() const { return count_; }
    void clear() { count_ = 0; }
    // Requires size() < MaxPositions.
    void add(const Sample& sample) { positions_[count_++].inputs = inputs_of(sample); }

    // Computes the output of every position.
    void forward() {
        for (std::size_t n = 0; n < count_; ++n) {
            Passing& p = positions_[n];
            p.bucket = engine::bucket(p.inputs.count);
            std::copy_n(weights_ + FirstBiasAt + p.bucket * FirstLayer, FirstLayer, p.first.data());
        }
        for (std::size_t block = 0; block < Blocks; ++block)
            for (std::size_t n = 0; n < count_; ++n)
                for (std::size_t side = 0; side < 2; ++side)
                    forward(block, n, side);
        for (std::size_t n = 0; n < count_; ++n)
            forward(positions_[n]);
    }
    [[nodiscard]] float output(std::size_t n) const { return positions_[n].output; }
    void set_slope(std::size_t n, float slope) { positions_[n].slope = slope; }

    // Adds for every position its slope times the derivative of its output with respect to every
    // weight. After forward().
    void backward(float* gradient) {
        for (std::size_t n = 0; n < count_; ++n)
            backward(positions_[n], gradient);
        for (std::size_t block = 0; block < Blocks; ++block)
            for (std::size_t n = 0; n < count_; ++n)
                for (std::size_t side = 0; side < 2; ++side)
                    backward(block, n, side, gradient);
    }

  private:
    static constexpr std::size_t FirstLayer = engine::FirstLayer, SecondLayer = engine::SecondLayer;
    static constexpr std::size_t Products = hidden / 2;  // of each side
    static constexpr std::size_t Part = std::min<std::size_t>(Products, 64);
    static constexpr std::size_t Blocks = Products / Part;
    static constexpr std::size_t ThreatSize = threat_hidden(hidden);
    static_assert(Products % Part == 0 && ThreatSize % Part == 0 && Part % 4 == 0);
    // As in Model.
    static constexpr std::size_t BiasAt = engine::Inputs * hidden, ThreatsAt = BiasAt + hidden;
    static constexpr std::size_t FirstAt = ThreatsAt + engine::ThreatInputs * ThreatSize;
    static constexpr std::size_t FirstBiasAt = FirstAt + engine::Buckets * FirstLayer * hidden;
    static constexpr std::size_t SecondAt = FirstBiasAt + engine::Buckets * FirstLayer;
    static constexpr std::size_t SecondBiasAt =
        SecondAt + engine::Buckets * SecondLayer * SecondInputs;
    static constexpr std::size_t ThirdAt = SecondBiasAt + engine::Buckets * SecondLayer;
    static constexpr std::size_t ThirdBiasAt = ThirdAt + engine::Buckets * SecondLayer;

    struct Passing {
        // Outputs of the layers: of the first before activation, then what the second one sees.
        alignas(64) std::array<float, FirstLayer> first;
        alignas(64) std::array<float, SecondInputs> activated;
        alignas(64) std::array<float, SecondLayer> second;
        alignas(64) std::array<float, FirstLayer> first_slope;
        Inputs inputs;
        std::size_t bucket = 0;  // of the layers, by the number of pieces
        float output = 0, slope = 0;
    };

    // The weights of a layer with the outputs of one input side by side: [bucket][input][output].
    [[nodiscard]] std::vector<float>
    transposed(std::size_t at, std::size_t outputs, std::size_t inputs) const {
        std::vector<float> all(engine::Buckets * outputs * inputs);
        const float* from = weights_ + at;
        for (std::size_t bucket = 0; bucket < engine::Buckets; ++bucket)
            for (std::size_t output = 0; output < outputs; ++output)
                for (std::size_t input = 0; input < inputs; ++input)
                    all[(bucket * inputs + input) * outputs + output] = *from++;
        return all;
    }
    // The clipped neurons of a block.
    float* neurons(std::size_t block, std::size_t n, std::size_t side) {
        return neurons_.data() + ((block * MaxPositions + n) * 2 + side) * 2 * Part;
    }
    // The first neuron of a block in a half.
    static constexpr std::size_t neuron_at(std::size_t block, std::size_t half) {
        return half * Products + block * Part;
    }
    static float clipped(float x) { return std::clamp(x, 0.0F, 1.0F); }
    // The slope of a clipped value where it was not clipped.
    static float passed(float clipped, float slope) {
        return clipped > 0.0F && clipped < 1.0F ? slope : 0.0F;
    }

    // Not inlined: GCC 12 would join the loop with the one around it and gather single weights.
    [[gnu::noinline]] static void add_four(
        float* __restrict sums, const float* a, const float* b, const float* c, const float* d) {
        for (std::size_t i = 0; i < Part; ++i)
            sums[i] += (a[i] + b[i]) + (c[i] + d[i]);
    }
    [[gnu::noinline]] static void add(float* __restrict sums, const float* a) {
        for (std::size_t i = 0; i < Part; ++i)
            sums[i] += a[i];
    }
    // Adds rows of weights, four at a time, which saves three of four loads and stores of the sums.
    template <std::size_t width>
    static void add_rows(float* __restrict sums,
                         const float* weights,
                         const std::uint16_t* rows,
                         std::size_t count) {
        const auto row = [&](std::size_t f) { return weights + rows[f] * width; };
        std::size_t f = 0;
        for (; f + 4 <= count; f += 4)
            add_four(sums, row(f), row(f + 1), row(f + 2), row(f + 3));
        for (; f < count; ++f)
            add(sums, row(f));
    }
    template <std::size_t width>
    static void add_to_rows(const float* __restrict delta,
                            float* gradient,
                            const std::uint16_t* rows,
                            std::size_t count) {
        for (std::size_t f = 0; f < count; ++f)
            add(gradient + rows[f] * width, delta);
    }

    // Adds the inputs' part of the outputs of a layer. Four inputs at a time, so that few additions
    // wait for one another. The weights are transposed ones.
    template <std::size_t inputs, std::size_t outputs>
    [[gnu::noinline]] static void add_inputs(float* __restrict sums,
                                             const float* __restrict in,
                                             const float* __restrict weights) {
        for (std::size_t i = 0; i < inputs; i += 4) {
            const float *a = weights + i * outputs, *b = a + outputs, *c = b + outputs,
                        *d = c + outputs;
            for (std::size_t o = 0; o < outputs; ++o)
                sums[o] +=
                    (in[i] * a[o] + in[i + 1] * b[o]) + (in[i + 2] * c[o] + in[i + 3] * d[o]);
        }
    }
    // The way back: from the slopes of the outputs to the gradient and the slopes of the inputs.
    // Rows of weights are `width` apart.
    template <std::size_t inputs, std::size_t outputs, std::size_t width>
    [[gnu::noinline]] static void back_through(const float* __restrict output_slopes,
                                               const float* __restrict in,
                                               const float* __restrict weights,
                                               float* __restrict gradient,
                                               float* __restrict slopes) {
        std::fill_n(slopes, inputs, 0.0F);
        for (std::size_t o = 0; o < outputs; ++o)
            for (std::size_t i = 0; i < inputs; ++i) {
                gradient[o * width + i] += output_slopes[o] * in[i];
                slopes[i] += output_slopes[o] * weights[o * width + i];
            }
    }

    void forward(std::size_t block, std::size_t n, std::size_t side) {
        Passing& p = positions_[n];
        float* own = neurons(block, n, side);
        for (std::size_t half = 0; half < 2; ++half) {
            const std::size_t at = neuron_at(block, half);
            const float* weights = weights_ + at;
            alignas(64) std::array<float, Part> sums;
            std::copy_n(weights + BiasAt, Part, sums.data());
            add_rows<hidden>(sums.data(), weights, p.inputs.features[side].data(), p.inputs.count);
            if (at < ThreatSize)
                add_rows<ThreatSize>(sums.data(),
                                     weights + ThreatsAt,
                                     p.inputs.threats[side].data(),
                                     p.inputs.threat_count);
            for (std::size_t i = 0; i < Part; ++i)
                own[half * Part + i] = clipped(sums[i]);
        }
        alignas(64) std::array<float, Part> products;
        for (std::size_t i = 0; i < Part; ++i)
            products[i] = own[i] * own[Part + i];
        const std::size_t input = p.bucket * hidden + neuron_at(block, side);
        add_inputs<Part, FirstLayer>(
            p.first.data(), products.data(), first_.data() + input * FirstLayer);
    }

    // The layers after the first one.
    void forward(Passing& p) const {
        for (std::size_t i = 0; i < FirstLayer; ++i) {
            p.activated[i] = clipped(p.first[i]);
            p.activated[FirstLayer + i] = std::min(p.first[i] * p.first[i], 1.0F) * SquareScale;
        }
        std::copy_n(weights_ + SecondBiasAt + p.bucket * SecondLayer, SecondLayer, p.second.data());
        add_inputs<SecondInputs, SecondLayer>(p.second.data(),
                                              p.activated.data(),
                                              second_.data() +
                                                  p.bucket * SecondInputs * SecondLayer);
        const float* third = weights_ + ThirdAt + p.bucket * SecondLayer;
        float sum = weights_[ThirdBiasAt + p.bucket] + p.first[0];
        for (std::size_t j = 0; j < SecondLayer; ++j) {
            p.second[j] = clipped(p.second[j]);
            sum += third[j] * p.second[j];
        }
        p.output = sum;
    }

    // From the output to the slopes of the first layer.
    void backward(Passing& p, float* gradient) const {
        const std::size_t second_at = p.bucket * SecondLayer;
        alignas(64) std::array<float, SecondLayer> second_slope;
        for (std::size_t j = 0; j < SecondLayer; ++j) {
            gradient[ThirdAt + second_at + j] += p.slope * p.second[j];
            second_slope[j] = passed(p.second[j], p.slope * weights_[ThirdAt + second_at + j]);
            gradient[SecondBiasAt + second_at + j] += second_slope[j];
        }
        gradient[ThirdBiasAt + p.bucket] += p.slope;
        alignas(64) std::array<float, SecondInputs> slopes;
        const std::size_t at = SecondAt + second_at * SecondInputs;
        back_through<SecondInputs, SecondLayer, SecondInputs>(
            second_slope.data(), p.activated.data(), weights_ + at, gradient + at, slopes.data());
        for (std::size_t i = 0; i < FirstLayer; ++i) {
            const float z = p.first[i], square_slope = 2.0F * SquareScale * z;
            p.first_slope[i] = passed(p.activated[i], slopes[i]) +
                               (z * z < 1.0F ? square_slope * slopes[FirstLayer + i] : 0.0F);
        }
        p.first_slope[0] += p.slope;
        for (std::size_t i = 0; i < FirstLayer; ++i)
            gradient[FirstBiasAt + p.bucket * FirstLayer + i] += p.first_slope[i];
    }

    void backward(std::size_t block, std::size_t n, std::size_t side, float* gradient) {
        const Passing& p = positions_[n];
        const float* own = neurons(block, n, side);
        alignas(64) std::array<float, Part> products, slopes;
        for (std::size_t i = 0; i < Part; ++i)
            products[i] = own[i] * own[Part + i];
        const std::size_t at = FirstAt + p.bucket * FirstLayer * hidden + neuron_at(block, side);
        back_through<Part, FirstLayer, hidden>(
            p.first_slope.data(), products.data(), weights_ + at, gradient + at, slopes.data());
        for (std::size_t half = 0; half < 2; ++half) {
            const float *neuron = own + half * Part, *partner = own + (1 - half) * Part;
            alignas(64) std::array<float, Part> delta;
            for (std::size_t i = 0; i < Part; ++i)
                delta[i] = passed(neuron[i], slopes[i] * partner[i]);
            add_to_inputs(delta.data(), neuron_at(block, half), p.inputs, side, gradient);
        }
    }
    // Adds the slopes of the neurons from `at` on to the gradient of the weights to them.
    static void add_to_inputs(const float* delta,
                              std::size_t at,
                              const Inputs& inputs,
                              std::size_t side,
                              float* gradient) {
        gradient += at;
        add(gradient + BiasAt, delta);
        add_to_rows<hidden>(delta, gradient, inputs.features[side].data(), inputs.count);
        if (at < ThreatSize)
            add_to_rows<ThreatSize>(
                delta, gradient + ThreatsAt, inputs.threats[side].data(), inputs.threat_count);
    }

    const float* weights_;
    std::vector<float> first_, second_;  // transposed
    std::size_t count_ = 0;
    std::vector<Passing> positions_;
    std::vector<float> neurons_;
};

}  // namespace tools::train

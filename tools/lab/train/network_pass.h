// The forward and backward pass of the network in training.
#pragma once

#include "tools/lab/train/model.h"

#include <algorithm>

namespace tools::train {

// Positions pass through the network together, one block of neurons after the other: the weights
// and gradients of a block stay in the cache while all positions use them. `hidden` is a constant
// so that the loops become straight vector code.
template <std::size_t hidden>
class NetworkPass {
  public:
    static constexpr std::size_t MaxPositions = 256;

    explicit NetworkPass(const float* weights)
        : weights_(weights), positions_(MaxPositions), neurons_(Blocks * MaxPositions * 2 * Block) {
    }

    [[nodiscard]] std::size_t size() const { return count_; }
    void clear() { count_ = 0; }
    // Requires size() < MaxPositions.
    void add(const Sample& sample) { positions_[count_++].inputs = inputs_of(sample); }

    // Computes the output of every position.
    void forward() {
        for (std::size_t n = 0; n < count_; ++n) {
            Passing& p = positions_[n];
            p.bucket = engine::bucket(p.inputs.count);
            p.output = weights_[OutputBiasAt + p.bucket];
        }
        for (std::size_t block = 0; block < Blocks; ++block)
            for (std::size_t n = 0; n < count_; ++n)
                for (std::size_t side = 0; side < 2; ++side)
                    forward(block, n, side);
    }
    [[nodiscard]] float output(std::size_t n) const { return positions_[n].output; }
    void set_slope(std::size_t n, float slope) { positions_[n].slope = slope; }

    // Adds for every position its slope times the derivative of its output with respect to every
    // weight. After forward().
    void backward(float* gradient) {
        for (std::size_t n = 0; n < count_; ++n)
            gradient[OutputBiasAt + positions_[n].bucket] += positions_[n].slope;
        for (std::size_t block = 0; block < Blocks; ++block)
            for (std::size_t n = 0; n < count_; ++n)
                for (std::size_t side = 0; side < 2; ++side)
                    backward(block, n, side, gradient);
    }

  private:
    static constexpr std::size_t Block = std::min<std::size_t>(hidden, 64);
    static constexpr std::size_t Blocks = hidden / Block;
    static constexpr std::size_t ThreatSize = threat_hidden(hidden);
    static constexpr std::size_t ThreatBlocks = ThreatSize / Block;  // the first ones
    static_assert(hidden % Block == 0 && ThreatSize % Block == 0);
    static constexpr std::size_t BiasAt = engine::Inputs * hidden;
    static constexpr std::size_t OutputAt = BiasAt + hidden;
    static constexpr std::size_t ThreatsAt = OutputAt + engine::Buckets * 2 * hidden;
    static constexpr std::size_t OutputBiasAt = ThreatsAt + engine::ThreatInputs * ThreatSize;

    struct Passing {
        Inputs inputs;
        std::size_t bucket = 0;  // output bucket, by the number of pieces
        float output = 0, slope = 0;
    };

    [[nodiscard]] std::size_t output_at(std::size_t bucket, std::size_t side) const {
        return OutputAt + (2 * bucket + side) * hidden;
    }
    // The neurons of a block before activation.
    float* neurons(std::size_t block, std::size_t n, std::size_t side) {
        return neurons_.data() + ((block * MaxPositions + n) * 2 + side) * Block;
    }

    // Not inlined: GCC 12 would join the loop with the one around it and gather single weights.
    [[gnu::noinline]] static void add_four(
        float* __restrict sums, const float* a, const float* b, const float* c, const float* d) {
        for (std::size_t i = 0; i < Block; ++i)
            sums[i] += (a[i] + b[i]) + (c[i] + d[i]);
    }
    [[gnu::noinline]] static void add(float* __restrict sums, const float* a) {
        for (std::size_t i = 0; i < Block; ++i)
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

    void forward(std::size_t block, std::size_t n, std::size_t side) {
        Passing& p = positions_[n];
        const float* weights = weights_ + block * Block;
        alignas(64) std::array<float, Block> sums;
        std::copy_n(weights + BiasAt, Block, sums.data());
        add_rows<hidden>(sums.data(), weights, p.inputs.features[side].data(), p.inputs.count);
        if (block < ThreatBlocks)
            add_rows<ThreatSize>(sums.data(),
                                 weights + ThreatsAt,
                                 p.inputs.threats[side].data(),
                                 p.inputs.threat_count);
        const float* output = weights + output_at(p.bucket, side);
        float sum = 0;
        for (std::size_t i = 0; i < Block; ++i) {
            const float v = std::clamp(sums[i], 0.0F, 1.0F);
            sum += v * v * output[i];
        }
        p.output += sum;
        std::copy_n(sums.data(), Block, neurons(block, n, side));
    }

    void backward(std::size_t block, std::size_t n, std::size_t side, float* gradient) {
        const Passing& p = positions_[n];
        const float* sums = neurons(block, n, side);
        const float* output = weights_ + block * Block + output_at(p.bucket, side);
        gradient += block * Block;
        float* output_gradient = gradient + output_at(p.bucket, side);
        float* bias_gradient = gradient + BiasAt;
        alignas(64) std::array<float, Block> delta;
        for (std::size_t i = 0; i < Block; ++i) {
            const float v = std::clamp(sums[i], 0.0F, 1.0F);
            output_gradient[i] += p.slope * v * v;
            delta[i] = sums[i] > 0.0F && sums[i] < 1.0F ? 2.0F * p.slope * v * output[i] : 0.0F;
            bias_gradient[i] += delta[i];
        }
        add_to_rows<hidden>(delta.data(), gradient, p.inputs.features[side].data(), p.inputs.count);
        if (block < ThreatBlocks)
            add_to_rows<ThreatSize>(delta.data(),
                                    gradient + ThreatsAt,
                                    p.inputs.threats[side].data(),
                                    p.inputs.threat_count);
    }

    const float* weights_;
    std::size_t count_ = 0;
    std::vector<Passing> positions_;
    std::vector<float> neurons_;
};

}  // namespace tools::train

#include "engine/eval/layers.h"

#include "engine/eval/simd.h"

#include <algorithm>

namespace engine {
namespace {

using Hidden1 = std::array<std::int32_t, FirstLayer>;
using Hidden2 = std::array<std::int32_t, SecondLayer>;
using Activated = std::array<std::int16_t, std::size_t{2} * FirstLayer>;

template <typename T, std::size_t together, std::size_t outputs, std::size_t groups>
using Weights = std::array<std::array<std::array<T, together>, outputs>, groups>;

// out = bias + weights · in.
template <typename In, typename T, std::size_t n, std::size_t m, std::size_t g, std::size_t groups>
void multiply(std::array<std::int32_t, m>& out,
              const std::array<In, n>& in,
              const Weights<T, g, m, groups>& weights,
              const std::array<std::int32_t, m>& bias) {
    constexpr std::size_t Vectors = m / simd::SumLanes;
    constexpr std::size_t Chains = Vectors < 4 ? 4 / Vectors : 1;  // independent sums
    static_assert(m % simd::SumLanes == 0 && groups % Chains == 0 && n == g * groups);
    struct Part {
        simd::Sums v = simd::no_sums();
    };
    std::array<std::array<Part, Vectors>, Chains> sums;
    for (std::size_t v = 0; v < Vectors; ++v)
        sums[0][v].v = simd::load(bias.data() + v * simd::SumLanes);
    for (std::size_t group = 0; group < groups; group += Chains)
        for (std::size_t c = 0; c < Chains; ++c)
            for (std::size_t v = 0; v < Vectors; ++v)
                sums[c][v].v = simd::add_products(sums[c][v].v,
                                                  in.data() + (group + c) * g,
                                                  weights[group + c][v * simd::SumLanes].data());
    for (std::size_t v = 0; v < Vectors; ++v) {
        for (std::size_t c = 1; c < Chains; ++c)
            sums[0][v].v = simd::add_sums(sums[0][v].v, sums[c][v].v);
        simd::store(out.data() + v * simd::SumLanes, sums[0][v].v);
    }
}

void activate(Activated& out, const Hidden1& in) {
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::int32_t clamped = std::min(std::max(in[i], -First), First);
        out[i] = static_cast<std::int16_t>(std::max(clamped, 0));
        out[i + FirstLayer] = static_cast<std::int16_t>((clamped * clamped) >> SquareShift);
    }
}

}  // namespace

std::int64_t output(const Layers& layers, const ProductVector& products) {
    alignas(64) Hidden1 first;
    alignas(64) Activated activated;
    alignas(64) Hidden2 second;
    multiply(first, products, layers.first, layers.first_bias);
    activate(activated, first);
    multiply(second, activated, layers.second, layers.second_bias);
    std::int32_t sum = layers.third_bias;
    for (std::size_t i = 0; i < SecondLayer; ++i)
        sum += std::clamp(second[i] >> 8, 0, First) * layers.third[i];
    return sum + std::int64_t{LayerUnit} * first[0];
}

}  // namespace engine

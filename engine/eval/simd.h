// The vector operations of the network, with the widest instructions that the compiler may use. All
// variants give the same integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace engine::simd {

// A Vector holds Lanes numbers of 16 bits, a Sum partial sums of 32 bits, or one of 64 bits. Memory
// is aligned to 64.
#if defined(__AVX512BW__)

using Vector = __m512i;
using Sum = __m512i;
inline constexpr std::size_t Lanes = 32;

inline Vector load(const std::int16_t* p) {
    return _mm512_load_si512(p);
}
inline Vector load(const std::int8_t* p) {
    return _mm512_cvtepi8_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(p)));
}
inline void store(std::int16_t* p, Vector v) {
    _mm512_store_si512(p, v);
}
inline Vector add(Vector a, Vector b) {
    return _mm512_add_epi16(a, b);
}
inline Vector add_saturated(Vector a, Vector b) {
    return _mm512_adds_epi16(a, b);
}
inline Vector subtract(Vector a, Vector b) {
    return _mm512_sub_epi16(a, b);
}
inline Sum no_sum() {
    return _mm512_setzero_si512();
}
inline std::int64_t total(Sum sum) {
    alignas(64) std::array<std::int32_t, 16> parts;
    _mm512_store_si512(parts.data(), sum);
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
}
// sum + v² · weight with v clamped to 0..unit; unit · weight must fit 16 bits.
inline Sum add_squares(Sum sum, Vector value, Vector weight, std::int16_t unit) {
    const Vector v =
        _mm512_min_epi16(_mm512_max_epi16(value, _mm512_setzero_si512()), _mm512_set1_epi16(unit));
    const Vector product = _mm512_mullo_epi16(v, weight);
#if defined(__AVX512VNNI__)
    return _mm512_dpwssd_epi32(sum, product, v);
#else
    return _mm512_add_epi32(sum, _mm512_madd_epi16(product, v));
#endif
}

#elif defined(__AVX2__)

using Vector = __m256i;
using Sum = __m256i;
inline constexpr std::size_t Lanes = 16;

inline Vector load(const std::int16_t* p) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}
inline Vector load(const std::int8_t* p) {
    return _mm256_cvtepi8_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(p)));
}
inline void store(std::int16_t* p, Vector v) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), v);
}
inline Vector add(Vector a, Vector b) {
    return _mm256_add_epi16(a, b);
}
inline Vector add_saturated(Vector a, Vector b) {
    return _mm256_adds_epi16(a, b);
}
inline Vector subtract(Vector a, Vector b) {
    return _mm256_sub_epi16(a, b);
}
inline Sum no_sum() {
    return _mm256_setzero_si256();
}
inline std::int64_t total(Sum sum) {
    const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sum));
    const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sum, 1));
    const __m256i four = _mm256_add_epi64(low, high);
    const __m128i two =
        _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return _mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1);
}
inline Sum add_squares(Sum sum, Vector value, Vector weight, std::int16_t unit) {
    const Vector v =
        _mm256_min_epi16(_mm256_max_epi16(value, _mm256_setzero_si256()), _mm256_set1_epi16(unit));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_mullo_epi16(v, weight), v));
}

#elif defined(__aarch64__)

using Vector = int16x8_t;
using Sum = int32x4_t;
inline constexpr std::size_t Lanes = 8;

inline Vector load(const std::int16_t* p) {
    return vld1q_s16(p);
}
inline Vector load(const std::int8_t* p) {
    return vmovl_s8(vld1_s8(p));
}
inline void store(std::int16_t* p, Vector v) {
    vst1q_s16(p, v);
}
inline Vector add(Vector a, Vector b) {
    return vaddq_s16(a, b);
}
inline Vector add_saturated(Vector a, Vector b) {
    return vqaddq_s16(a, b);
}
inline Vector subtract(Vector a, Vector b) {
    return vsubq_s16(a, b);
}
inline Sum no_sum() {
    return vdupq_n_s32(0);
}
inline std::int64_t total(Sum sum) {
    return vaddlvq_s32(sum);
}
inline Sum add_squares(Sum sum, Vector value, Vector weight, std::int16_t unit) {
    const Vector v = vminq_s16(vmaxq_s16(value, vdupq_n_s16(0)), vdupq_n_s16(unit));
    const Vector product = vmulq_s16(v, weight);
    sum = vmlal_s16(sum, vget_low_s16(product), vget_low_s16(v));
    return vmlal_high_s16(sum, product, v);
}

#else

using Vector = std::int16_t;
using Sum = std::int64_t;
inline constexpr std::size_t Lanes = 1;

inline Vector load(const std::int16_t* p) {
    return *p;
}
inline Vector load(const std::int8_t* p) {
    return *p;
}
inline void store(std::int16_t* p, Vector v) {
    *p = v;
}
inline Vector add(Vector a, Vector b) {
    return static_cast<Vector>(a + b);
}
inline Vector add_saturated(Vector a, Vector b) {
    return static_cast<Vector>(std::clamp(a + b, INT16_MIN, INT16_MAX));
}
inline Vector subtract(Vector a, Vector b) {
    return static_cast<Vector>(a - b);
}
inline Sum no_sum() {
    return 0;
}
inline std::int64_t total(Sum sum) {
    return sum;
}
inline Sum add_squares(Sum sum, Vector value, Vector weight, std::int16_t unit) {
    const int v = std::clamp<int>(value, 0, unit);
    return sum + static_cast<Sum>(v * v * weight);
}

#endif

// out = in + all of `plus` - all of `minus`, in one pass; out may be in.
template <std::size_t n, std::size_t adds, std::size_t subtractions>
void update(std::array<std::int16_t, n>& out,
            const std::array<std::int16_t, n>& in,
            const std::array<const std::int16_t*, adds>& plus,
            const std::array<const std::int16_t*, subtractions>& minus) {
    static_assert(n % Lanes == 0);
    for (std::size_t i = 0; i < n; i += Lanes) {
        Vector v = load(in.data() + i);
        for (const std::int16_t* p : plus)
            v = add(v, load(p + i));
        for (const std::int16_t* p : minus)
            v = subtract(v, load(p + i));
        store(out.data() + i, v);
    }
}

// Numbers of rows of weights, for both sides: at most 256, with room to write one more.
struct Rows {
    std::array<std::uint32_t, 257> of;
    std::size_t count = 0;

    static constexpr std::uint32_t both(std::uint32_t white, std::uint32_t black) {
        return white | black << 16;
    }
    [[nodiscard]] std::uint32_t row(std::size_t side, std::size_t k) const {
        return side == 0 ? of[k] & 0xFFFF : of[k] >> 16;
    }
};

// out = in + the rows `plus` of the weights - the rows `minus`, for both sides; out may be in.
template <std::size_t n>
void update(std::array<std::array<std::int16_t, n>, 2>& out,
            const std::array<std::array<std::int16_t, n>, 2>& in,
            const std::array<std::int8_t, n>* weights,
            const Rows& plus,
            const Rows& minus) {
    static_assert(n % Lanes == 0);
    struct Part {
        Vector v;
    };
    std::array<std::array<Part, n / Lanes>, 2> sum;  // in registers
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t i = 0; i < n / Lanes; ++i)
            sum[side][i].v = load(in[side].data() + i * Lanes);
    for (std::size_t k = 0; k < plus.count; ++k)
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t i = 0; i < n / Lanes; ++i)
                sum[side][i].v =
                    add(sum[side][i].v, load(weights[plus.row(side, k)].data() + i * Lanes));
    for (std::size_t k = 0; k < minus.count; ++k)
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t i = 0; i < n / Lanes; ++i)
                sum[side][i].v =
                    subtract(sum[side][i].v, load(weights[minus.row(side, k)].data() + i * Lanes));
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t i = 0; i < n / Lanes; ++i)
            store(out[side].data() + i * Lanes, sum[side][i].v);
}

}  // namespace engine::simd

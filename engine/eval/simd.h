// The vector operations of the network, with the widest instructions that the compiler may use. All
// variants give the same integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace engine::simd {

// A Vector holds Lanes numbers of 16 bits, Sums hold SumLanes numbers of 32 bits. Memory of vectors
// is aligned to 64.

// Some bytes of memory as one number.
template <typename To, typename From>
To bits_of(const From* p) {
    To bits;
    std::memcpy(&bits, p, sizeof bits);
    return bits;
}

#if defined(__AVX512BW__)

using Vector = __m512i;
using Sums = __m512i;
inline constexpr std::size_t Lanes = 32, SumLanes = 16;

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
// (a · b + 256) >> 9 with a and b clamped to 0..255; may be negative if b is.
inline Vector product(Vector a, Vector b) {
    const Vector zero = _mm512_setzero_si512(), unit = _mm512_set1_epi16(255);
    a = _mm512_min_epi16(_mm512_max_epi16(a, zero), unit);
    return _mm512_mulhrs_epi16(_mm512_slli_epi16(a, 6), _mm512_min_epi16(b, unit));
}
// Clamped to 0..255, in this order. Masked: GCC 12 warns about the unmasked function.
inline void store_bytes(std::uint8_t* p, Vector low, Vector high) {
    const Vector order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const Vector bytes = _mm512_packus_epi16(low, high);
    _mm512_store_si512(p, _mm512_maskz_permutexvar_epi64(0xFF, order, bytes));
}
inline Sums no_sums() {
    return _mm512_setzero_si512();
}
inline Sums load(const std::int32_t* p) {
    return _mm512_load_si512(p);
}
inline void store(std::int32_t* p, Sums sums) {
    _mm512_store_si512(p, sums);
}
inline Sums add_sums(Sums a, Sums b) {
    return _mm512_add_epi32(a, b);
}
// sums + the four inputs times the weights of each output to them. Inputs are 0..127.
inline Sums add_products(Sums sums, const std::uint8_t* inputs, const std::int8_t* weights) {
    const __m512i in = _mm512_set1_epi32(bits_of<std::int32_t>(inputs));
    const __m512i w = _mm512_load_si512(weights);
#if defined(__AVX512VNNI__)
    return _mm512_dpbusd_epi32(sums, in, w);
#else
    const __m512i pairs = _mm512_maddubs_epi16(in, w);
    return _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#endif
}
// The same with two inputs.
inline Sums add_products(Sums sums, const std::int16_t* inputs, const std::int16_t* weights) {
    const __m512i in = _mm512_set1_epi32(bits_of<std::int32_t>(inputs));
    const __m512i w = _mm512_load_si512(weights);
#if defined(__AVX512VNNI__)
    return _mm512_dpwssd_epi32(sums, in, w);
#else
    return _mm512_add_epi32(sums, _mm512_madd_epi16(in, w));
#endif
}

#elif defined(__AVX2__)

using Vector = __m256i;
using Sums = __m256i;
inline constexpr std::size_t Lanes = 16, SumLanes = 8;

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
inline Vector product(Vector a, Vector b) {
    const Vector zero = _mm256_setzero_si256(), unit = _mm256_set1_epi16(255);
    a = _mm256_min_epi16(_mm256_max_epi16(a, zero), unit);
    return _mm256_mulhrs_epi16(_mm256_slli_epi16(a, 6), _mm256_min_epi16(b, unit));
}
inline void store_bytes(std::uint8_t* p, Vector low, Vector high) {
    const Vector bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0b11'01'10'00);
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), bytes);
}
inline Sums no_sums() {
    return _mm256_setzero_si256();
}
inline Sums load(const std::int32_t* p) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}
inline void store(std::int32_t* p, Sums sums) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), sums);
}
inline Sums add_sums(Sums a, Sums b) {
    return _mm256_add_epi32(a, b);
}
inline Sums add_products(Sums sums, const std::uint8_t* inputs, const std::int8_t* weights) {
    const __m256i in = _mm256_set1_epi32(bits_of<std::int32_t>(inputs));
    const __m256i w = _mm256_load_si256(reinterpret_cast<const __m256i*>(weights));
    const __m256i pairs = _mm256_maddubs_epi16(in, w);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}
inline Sums add_products(Sums sums, const std::int16_t* inputs, const std::int16_t* weights) {
    const __m256i in = _mm256_set1_epi32(bits_of<std::int32_t>(inputs));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(in, load(weights)));
}

#elif defined(__SSE2__)

using Vector = __m128i;
using Sums = __m128i;
inline constexpr std::size_t Lanes = 8, SumLanes = 4;

inline Vector load(const std::int16_t* p) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(p));
}
inline Vector load(const std::int8_t* p) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
    return _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
}
inline void store(std::int16_t* p, Vector v) {
    _mm_store_si128(reinterpret_cast<__m128i*>(p), v);
}
inline Vector add(Vector a, Vector b) {
    return _mm_add_epi16(a, b);
}
inline Vector add_saturated(Vector a, Vector b) {
    return _mm_adds_epi16(a, b);
}
inline Vector subtract(Vector a, Vector b) {
    return _mm_sub_epi16(a, b);
}
inline Vector product(Vector a, Vector b) {
    const Vector zero = _mm_setzero_si128(), unit = _mm_set1_epi16(255);
    a = _mm_min_epi16(_mm_max_epi16(a, zero), unit);
    b = _mm_min_epi16(_mm_max_epi16(b, zero), unit);
    return _mm_srli_epi16(_mm_add_epi16(_mm_mullo_epi16(a, b), _mm_set1_epi16(256)), 9);
}
inline void store_bytes(std::uint8_t* p, Vector low, Vector high) {
    _mm_store_si128(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(low, high));
}
inline Sums no_sums() {
    return _mm_setzero_si128();
}
inline Sums load(const std::int32_t* p) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(p));
}
inline void store(std::int32_t* p, Sums sums) {
    _mm_store_si128(reinterpret_cast<__m128i*>(p), sums);
}
inline Sums add_sums(Sums a, Sums b) {
    return _mm_add_epi32(a, b);
}
inline Sums add_products(Sums sums, const std::uint8_t* inputs, const std::int8_t* weights) {
    const __m128i bytes = _mm_set1_epi32(bits_of<std::int32_t>(inputs));
    const __m128i in = _mm_unpacklo_epi8(bytes, _mm_setzero_si128());
    const __m128 low = _mm_castsi128_ps(_mm_madd_epi16(in, load(weights)));
    const __m128 high = _mm_castsi128_ps(_mm_madd_epi16(in, load(weights + 8)));
    const __m128i even = _mm_castps_si128(_mm_shuffle_ps(low, high, 0b10'00'10'00));
    const __m128i odd = _mm_castps_si128(_mm_shuffle_ps(low, high, 0b11'01'11'01));
    return _mm_add_epi32(_mm_add_epi32(sums, even), odd);
}
inline Sums add_products(Sums sums, const std::int16_t* inputs, const std::int16_t* weights) {
    const __m128i in = _mm_set1_epi32(bits_of<std::int32_t>(inputs));
    return _mm_add_epi32(sums, _mm_madd_epi16(in, load(weights)));
}

#elif defined(__aarch64__)

using Vector = int16x8_t;
using Sums = int32x4_t;
inline constexpr std::size_t Lanes = 8, SumLanes = 4;

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
inline Vector product(Vector a, Vector b) {
    const Vector unit = vdupq_n_s16(255);
    a = vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), unit);
    return vqrdmulhq_s16(vshlq_n_s16(a, 6), vminq_s16(b, unit));
}
inline void store_bytes(std::uint8_t* p, Vector low, Vector high) {
    vst1q_u8(p, vcombine_u8(vqmovun_s16(low), vqmovun_s16(high)));
}
inline Sums no_sums() {
    return vdupq_n_s32(0);
}
inline Sums load(const std::int32_t* p) {
    return vld1q_s32(p);
}
inline void store(std::int32_t* p, Sums sums) {
    vst1q_s32(p, sums);
}
inline Sums add_sums(Sums a, Sums b) {
    return vaddq_s32(a, b);
}
inline Sums add_products(Sums sums, const std::uint8_t* inputs, const std::int8_t* weights) {
    const int8x16_t in = vreinterpretq_s8_s32(vdupq_n_s32(bits_of<std::int32_t>(inputs)));
    const int8x16_t w = vld1q_s8(weights);
    const int16x8_t low = vmull_s8(vget_low_s8(in), vget_low_s8(w));
    return vpadalq_s16(sums, vpaddq_s16(low, vmull_high_s8(in, w)));
}
inline Sums add_products(Sums sums, const std::int16_t* inputs, const std::int16_t* weights) {
    const int16x8_t in = vreinterpretq_s16_s32(vdupq_n_s32(bits_of<std::int32_t>(inputs)));
    const int16x8_t w = vld1q_s16(weights);
    const int32x4_t low = vmull_s16(vget_low_s16(in), vget_low_s16(w));
    return vaddq_s32(sums, vpaddq_s32(low, vmull_high_s16(in, w)));
}

#else

using Vector = std::int16_t;
using Sums = std::array<std::int32_t, 16>;
inline constexpr std::size_t Lanes = 1, SumLanes = 16;

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
inline Vector product(Vector a, Vector b) {
    return static_cast<Vector>((std::clamp<int>(a, 0, 255) * std::clamp<int>(b, 0, 255) + 256) >>
                               9);
}
inline void store_bytes(std::uint8_t* p, Vector low, Vector high) {
    p[0] = static_cast<std::uint8_t>(low);
    p[1] = static_cast<std::uint8_t>(high);
}
inline Sums no_sums() {
    return {};
}
inline Sums load(const std::int32_t* p) {
    return bits_of<Sums>(p);
}
inline void store(std::int32_t* p, const Sums& sums) {
    std::copy(sums.begin(), sums.end(), p);
}
inline Sums add_sums(Sums a, const Sums& b) {
    for (std::size_t i = 0; i < SumLanes; ++i)
        a[i] += b[i];
    return a;
}
inline Sums add_products(Sums sums, const std::uint8_t* inputs, const std::int8_t* weights) {
    for (std::size_t i = 0; i < SumLanes; ++i)
        for (std::size_t k = 0; k < 4; ++k)
            sums[i] += inputs[k] * weights[4 * i + k];
    return sums;
}
inline Sums add_products(Sums sums, const std::int16_t* inputs, const std::int16_t* weights) {
    for (std::size_t i = 0; i < SumLanes; ++i)
        for (std::size_t k = 0; k < 2; ++k)
            sums[i] += inputs[k] * weights[2 * i + k];
    return sums;
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

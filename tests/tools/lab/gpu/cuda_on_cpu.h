// The part of CUDA that tools/lab/gpu/pass.cuh uses, with one CPU thread for each thread of a
// block: so that its arithmetic can be tested without a GPU. Blocks run one after the other.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <thread>
#include <vector>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names are CUDA's
#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(threads)

struct float4 {
    float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}

namespace cuda_on_cpu {

struct Index {
    unsigned x = 0, y = 0;
};
inline thread_local Index thread, block;
inline Index threads, blocks;

inline constexpr std::size_t WarpSize = 32, MaxWarps = 32;
inline std::optional<std::barrier<>> block_barrier;
inline std::array<std::optional<std::barrier<>>, MaxWarps> warp_barriers;
inline std::array<std::array<float, WarpSize>, MaxWarps> lanes;
inline std::array<std::array<unsigned, WarpSize>, MaxWarps> lane_bits;

// Gives every thread of a warp the values of all.
template <typename T>
std::array<T, WarpSize> exchange(std::array<std::array<T, WarpSize>, MaxWarps>& place, T value) {
    const std::size_t warp = thread.x / WarpSize;
    place.at(warp).at(thread.x % WarpSize) = value;
    warp_barriers.at(warp)->arrive_and_wait();
    const std::array<T, WarpSize> all = place.at(warp);
    warp_barriers.at(warp)->arrive_and_wait();
    return all;
}

// kernel<<<block_count, thread_count>>>(): thread_count must be a multiple of WarpSize.
template <typename Kernel>
void launch(Index block_count, unsigned thread_count, const Kernel& kernel) {
    threads.x = thread_count, blocks = block_count;
    for (unsigned b = 0; b < block_count.x * block_count.y; ++b) {
        block_barrier.emplace(static_cast<std::ptrdiff_t>(thread_count));
        for (std::size_t warp = 0; warp < thread_count / WarpSize; ++warp)
            warp_barriers.at(warp).emplace(static_cast<std::ptrdiff_t>(WarpSize));
        std::vector<std::jthread> running;
        for (unsigned t = 0; t < thread_count; ++t)
            running.emplace_back([&kernel, block_count, b, t] {
                block = {b % block_count.x, b / block_count.x};
                thread.x = t;
                kernel();
            });
    }
}

// The same for a kernel whose threads do not wait for each other: `count` blocks of one thread.
template <typename Kernel>
void launch_each(unsigned count, const Kernel& kernel) {
    threads.x = 1, blocks.x = count, thread.x = 0;
    for (block.x = 0; block.x < count; ++block.x)
        kernel();
}

}  // namespace cuda_on_cpu

#define threadIdx cuda_on_cpu::thread
#define blockIdx cuda_on_cpu::block
#define blockDim cuda_on_cpu::threads
#define gridDim cuda_on_cpu::blocks

inline void __syncthreads() {
    cuda_on_cpu::block_barrier->arrive_and_wait();
}
inline unsigned __ballot_sync(unsigned /*mask*/, bool set) {
    const auto all = cuda_on_cpu::exchange(cuda_on_cpu::lane_bits, set ? 1U : 0U);
    unsigned bits = 0;
    for (std::size_t lane = 0; lane < all.size(); ++lane)
        bits |= all.at(lane) << lane;
    return bits;
}
inline unsigned __reduce_or_sync(unsigned /*mask*/, unsigned value) {
    unsigned bits = 0;
    for (const unsigned other : cuda_on_cpu::exchange(cuda_on_cpu::lane_bits, value))
        bits |= other;
    return bits;
}
inline float __shfl_xor_sync(unsigned /*mask*/, float value, int distance) {
    const std::size_t lane = threadIdx.x % cuda_on_cpu::WarpSize;
    return cuda_on_cpu::exchange(cuda_on_cpu::lanes, value)
        .at(lane ^ static_cast<std::size_t>(distance));
}
template <typename T>
T atomicAdd(T* to, T value) {
    return std::atomic_ref<T>(*to).fetch_add(value);
}
inline int __popc(unsigned x) {
    return std::popcount(x);
}
inline int __popcll(unsigned long long x) {
    return std::popcount(x);
}
inline int __ffsll(long long x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline float __expf(float x) {
    return std::exp(x);
}
using std::min;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

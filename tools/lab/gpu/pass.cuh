// What the GPU does in training: a batch through the network and back, and a step of AdamW. The
// same as network_pass.h and trainer.cpp on the CPU. Sources: Y. Nasu, "Efficiently updatable
// neural-network-based evaluation functions", 2018; I. Loshchilov, F. Hutter, "Decoupled weight
// decay regularization", 2019.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

#ifndef HIDDEN
#define HIDDEN 512  // engine::Hidden
#endif

namespace gpu {

using Bits = unsigned long long;

// As in engine/eval/network.h and tools/lab/train/model.h.
constexpr int Hidden = HIDDEN, ThreatHidden = 64;
constexpr int Inputs = 768, ThreatInputs = 12 * Inputs, Buckets = 8;
constexpr float OutputCentipawns = 100, MaxWeight = 126.0F / 64, MaxThreatWeight = 127.0F / 255;
constexpr int BiasAt = Inputs * Hidden, OutputAt = BiasAt + Hidden;
constexpr int ThreatsAt = OutputAt + Buckets * 2 * Hidden;
constexpr int OutputBiasAt = ThreatsAt + ThreatInputs * ThreatHidden;
constexpr int Weights = OutputBiasAt + Buckets;

constexpr float Beta1 = 0.9F, Beta2 = 0.999F, Epsilon = 1e-8F, Decay = 0.01F;  // of AdamW

constexpr unsigned AllLanes = 0xFFFFFFFF;
constexpr int Threads = Hidden / 4;  // of a block: four neurons each
constexpr int Warps = Threads / 32;  // a block unpacks so many positions at once
constexpr int MaxThreats = 160;  // others are left out; the most in 2.8 million positions was 64
constexpr int OutputWeights = Buckets * 2 * Hidden;

// tools::train::Sample
struct Sample {
    Bits occupied;
    std::uint8_t pieces[16];
    std::int16_t score;
    std::uint8_t result, own_king, other_king, unused[3];
};
static_assert(sizeof(Sample) == 32, "a sample has 32 bytes");

// The active inputs of a position, by perspective, and what the network should say.
struct Unpacked {
    std::uint16_t features[2][32], threats[2][MaxThreats];
    int count, threat_count, bucket;
    float target;  // expected score
};

__device__ Bits step(int square, int files, int ranks) {
    const int file = (square & 7) + files, rank = (square >> 3) + ranks;
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? 1ULL << (rank * 8 + file) : 0;
}
__device__ Bits slide(Bits occupied, int square, int files, int ranks) {
    Bits seen = 0;
    int file = (square & 7) + files, rank = (square >> 3) + ranks;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += files, rank += ranks) {
        const Bits at = 1ULL << (rank * 8 + file);
        seen |= at;
        if ((occupied & at) != 0)
            break;
    }
    return seen;
}
__device__ Bits attacks(int color, int type, int s, Bits occupied) {
    enum { Pawn, Knight, Bishop, Rook, Queen, King };
    if (type == Pawn)
        return step(s, -1, color == 0 ? 1 : -1) | step(s, 1, color == 0 ? 1 : -1);
    if (type == Knight)
        return step(s, 1, 2) | step(s, 2, 1) | step(s, 2, -1) | step(s, 1, -2) | step(s, -1, -2) |
               step(s, -2, -1) | step(s, -2, 1) | step(s, -1, 2);
    if (type == King)
        return step(s, 1, 0) | step(s, 1, 1) | step(s, 0, 1) | step(s, -1, 1) | step(s, -1, 0) |
               step(s, -1, -1) | step(s, 0, -1) | step(s, 1, -1);
    Bits seen = 0;
    if (type != Rook)
        seen |= slide(occupied, s, 1, 1) | slide(occupied, s, -1, 1) | slide(occupied, s, 1, -1) |
                slide(occupied, s, -1, -1);
    if (type != Bishop)
        seen |= slide(occupied, s, 1, 0) | slide(occupied, s, -1, 0) | slide(occupied, s, 0, 1) |
                slide(occupied, s, 0, -1);
    return seen;
}

// Unpacks a position with the 32 lanes of a warp, one piece each.
__device__ void unpack(const Sample& sample, Unpacked& out, float scale) {
    const int lane = static_cast<int>(threadIdx.x) & 31, count = __popcll(sample.occupied);
    const bool active = lane < count;
    Bits rest = sample.occupied;
    for (int i = 0; i < lane && rest != 0; ++i)
        rest &= rest - 1;
    const int square = active ? __ffsll(static_cast<long long>(rest)) - 1 : 0;
    const int both = sample.pieces[lane / 2];
    const int piece = lane % 2 == 0 ? both & 15 : both >> 4;
    const int color = piece >> 3, type = piece & 7;
    int feature[2];
    for (int side = 0; side < 2; ++side) {
        const int king = side == 0 ? sample.own_king : sample.other_king;
        const int seen = square ^ (side == 0 ? 0 : 56) ^ ((king & 7) >= 4 ? 7 : 0);
        feature[side] = ((color == side ? 0 : 6) + type) * 64 + seen;
        if (active)
            out.features[side][lane] = static_cast<std::uint16_t>(feature[side]);
    }
    const Bits mine = active ? attacks(color, type, square, sample.occupied) : 0;
    const bool victim = active && type != 5;
    int threats = 0;
    for (int kind = 0; kind < 12; ++kind) {  // colour and type of the attackers
        const Bits part = active && color * 6 + type == kind ? mine : 0;
        const Bits high = __reduce_or_sync(AllLanes, static_cast<unsigned>(part >> 32));
        const Bits attacked = high << 32 | __reduce_or_sync(AllLanes, static_cast<unsigned>(part));
        const bool hit = victim && (attacked >> square & 1) != 0;
        const unsigned hits = __ballot_sync(AllLanes, hit);
        const int at = threats + __popc(hits & ((1U << lane) - 1));
        const int row = ((color == kind / 6 ? 6 : 0) + kind % 6) * Inputs;
        for (int side = 0; side < 2; ++side)
            if (hit && at < MaxThreats)
                out.threats[side][at] = static_cast<std::uint16_t>(row + feature[side]);
        threats += __popc(hits);
    }
    if (lane == 0) {
        out.count = count;
        out.threat_count = min(threats, MaxThreats);
        out.bucket = (count - 2) / 4;
        out.target = 1.0F / (1.0F + __expf(-static_cast<float>(sample.score) / scale));
    }
}

// A row of a matrix.
template <typename T>
__device__ T* row_of(T* matrix, int row, int width) {
    return matrix + static_cast<std::ptrdiff_t>(row) * width;
}
__device__ float4 load(const float* from) {
    return *reinterpret_cast<const float4*>(from);
}
__device__ void add(float4& sum, float4 v) {
    sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
}
__device__ void add_atomically(float* to, float4 v) {
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
    atomicAdd(reinterpret_cast<float4*>(to), v);
#else
    atomicAdd(to, v.x), atomicAdd(to + 1, v.y), atomicAdd(to + 2, v.z), atomicAdd(to + 3, v.w);
#endif
}
// Four rows at a time, so that their loads overlap.
__device__ void
add_rows(float4& sum, const float* weights, int width, const std::uint16_t* rows, int count) {
    const auto row = [&](int i) { return load(row_of(weights, rows[i], width)); };
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        const float4 a = row(i), b = row(i + 1), c = row(i + 2), d = row(i + 3);
        add(sum, a), add(sum, b), add(sum, c), add(sum, d);
    }
    for (; i < count; ++i)
        add(sum, row(i));
}
__device__ float clipped(float x) {
    return fminf(fmaxf(x, 0.0F), 1.0F);
}
__device__ float slope_of(float x, float output, float slope) {
    return x > 0.0F && x < 1.0F ? 2.0F * slope * x * output : 0.0F;
}

// A random order of 0..n-1: a Feistel network on 2 * bits bits, repeated until the number is small.
__device__ Bits shuffled(Bits i, Bits n, int bits, unsigned key) {
    const unsigned mask = (1U << bits) - 1;
    do {
        unsigned left = static_cast<unsigned>(i >> bits) & mask;
        unsigned right = static_cast<unsigned>(i) & mask;
        for (unsigned round = 0; round < 4; ++round) {
            unsigned x = right * 0x9E3779B1U + key + round * 0x85EBCA6BU;
            x = (x ^ x >> 15) * 0x2C1B3C6DU;
            x = (x ^ x >> 12) * 0x297A2D39U;
            const unsigned next = left ^ ((x ^ x >> 15) & mask);
            left = right, right = next;
        }
        i = static_cast<Bits>(left) << bits | right;
    } while (i >= n);
    return i;
}

struct Batch {
    const Sample* samples;
    Bits all, from;  // number of samples, first one of the batch in their random order
    int size, bits;  // bits: for shuffled()
    unsigned key;
    float scale;
};

// Adds the squared errors of a batch to `loss` and, if training, their gradient. A block takes one
// position after the other; each thread has four neurons of both perspectives.
template <bool training>
__global__ void __launch_bounds__(Threads)
    pass(Batch batch, const float* __restrict__ weights, float* gradient, double* loss) {
    __shared__ float output_gradient[OutputWeights];  // added up over the block's positions
    __shared__ Unpacked unpacked[Warps];
    __shared__ float partial[Warps], output_bias_gradient[Buckets];
    const int t = static_cast<int>(threadIdx.x), neuron = 4 * t;
    if (training) {
        for (int i = t; i < OutputWeights; i += Threads)
            output_gradient[i] = 0;
        if (t < Buckets)
            output_bias_gradient[t] = 0;
    }
    const float steepness = OutputCentipawns / batch.scale;
    const float4 bias = load(weights + BiasAt + neuron);
    float4 bias_gradient = make_float4(0, 0, 0, 0);
    double errors = 0;
    const int stride = static_cast<int>(gridDim.x) * Warps;
    for (int first = static_cast<int>(blockIdx.x) * Warps; first < batch.size; first += stride) {
        __syncthreads();
        if (const int mine = first + t / 32; mine < batch.size) {
            const Bits i = batch.from + static_cast<Bits>(mine);
            const Bits at = training ? shuffled(i, batch.all, batch.bits, batch.key) : i;
            unpack(batch.samples[at], unpacked[t / 32], batch.scale);
        }
        __syncthreads();
        for (int g = 0; g < Warps && first + g < batch.size; ++g) {
            const Unpacked& p = unpacked[g];
            const float* output = row_of(weights + OutputAt + neuron, 2 * p.bucket, Hidden);
            float4 sums[2], outputs[2], squares[2];
            float part = 0;
            for (int side = 0; side < 2; ++side) {
                float4& s = sums[side] = bias;
                add_rows(s, weights + neuron, Hidden, p.features[side], p.count);
                if (neuron < ThreatHidden)
                    add_rows(s,
                             weights + ThreatsAt + neuron,
                             ThreatHidden,
                             p.threats[side],
                             p.threat_count);
                const float4 o = outputs[side] = load(row_of(output, side, Hidden));
                const float x = clipped(s.x), y = clipped(s.y), z = clipped(s.z), w = clipped(s.w);
                const float4 q = squares[side] = make_float4(x * x, y * y, z * z, w * w);
                part += q.x * o.x + q.y * o.y + q.z * o.z + q.w * o.w;
            }
            for (int d = 16; d != 0; d /= 2)
                part += __shfl_xor_sync(AllLanes, part, d);
            if (t % 32 == 0)
                partial[t / 32] = part;
            __syncthreads();
            float out = weights[OutputBiasAt + p.bucket];
            for (const float sum : partial)
                out += sum;
            __syncthreads();
            const float expected = 1.0F / (1.0F + __expf(-steepness * out));
            const float error = expected - p.target;
            if (t == 0)
                errors += static_cast<double>(error * error);
            if (!training)
                continue;
            const float slope = 2.0F * steepness * error * expected * (1.0F - expected);
            if (t == 0)
                output_bias_gradient[p.bucket] += slope;
            for (int side = 0; side < 2; ++side) {
                const float4 s = sums[side], o = outputs[side], q = squares[side];
                float* to = row_of(output_gradient + neuron, 2 * p.bucket + side, Hidden);
                to[0] += slope * q.x, to[1] += slope * q.y;
                to[2] += slope * q.z, to[3] += slope * q.w;
                const float4 delta = make_float4(slope_of(s.x, o.x, slope),
                                                 slope_of(s.y, o.y, slope),
                                                 slope_of(s.z, o.z, slope),
                                                 slope_of(s.w, o.w, slope));
                add(bias_gradient, delta);
                for (int i = 0; i < p.count; ++i)
                    add_atomically(row_of(gradient + neuron, p.features[side][i], Hidden), delta);
                if (neuron < ThreatHidden)
                    for (int i = 0; i < p.threat_count; ++i)
                        add_atomically(
                            row_of(gradient + ThreatsAt + neuron, p.threats[side][i], ThreatHidden),
                            delta);
            }
        }
    }
    if (t == 0)
        atomicAdd(loss, errors);
    if (!training)
        return;
    __syncthreads();
    add_atomically(gradient + BiasAt + neuron, bias_gradient);
    for (int i = t; i < OutputWeights; i += Threads)
        atomicAdd(gradient + OutputAt + i, output_gradient[i]);
    if (t < Buckets)
        atomicAdd(gradient + OutputBiasAt + t, output_bias_gradient[t]);
}

struct Adam {
    float *mean, *square;
    float rate, correction1, correction2;
};

// One step with the mean gradient of a batch, which is set to zero.
__global__ void update(float* weights, float* gradient, Adam adam, int batch) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= Weights)
        return;
    const float g = gradient[i] / static_cast<float>(batch);
    gradient[i] = 0;
    const float mean = adam.mean[i] = Beta1 * adam.mean[i] + (1 - Beta1) * g;
    const float square = adam.square[i] = Beta2 * adam.square[i] + (1 - Beta2) * g * g;
    const float move =
        mean * adam.correction1 / (sqrtf(square * adam.correction2) + Epsilon) + Decay * weights[i];
    const float limit = i >= ThreatsAt && i < OutputBiasAt ? MaxThreatWeight : MaxWeight;
    weights[i] = fminf(fmaxf(weights[i] - adam.rate * move, -limit), limit);
}

}  // namespace gpu

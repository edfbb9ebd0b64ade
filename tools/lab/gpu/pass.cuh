// What the GPU does in training: a batch through the network and back, and a step of AdamW. The
// same as network_pass.h and trainer.cpp on the CPU. Sources: Y. Nasu, "Efficiently updatable
// neural-network-based evaluation functions", 2018; I. Loshchilov, F. Hutter, "Decoupled weight
// decay regularization", 2019.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
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
constexpr int Products = Hidden / 2, FirstLayer = 16, SecondLayer = 32;
constexpr int BiasAt = Inputs * Hidden, ThreatsAt = BiasAt + Hidden;
constexpr int FirstAt = ThreatsAt + ThreatInputs * ThreatHidden;
constexpr int FirstBiasAt = FirstAt + Buckets * FirstLayer * Hidden;
constexpr int SecondAt = FirstBiasAt + Buckets * FirstLayer;
constexpr int SecondBiasAt = SecondAt + Buckets * SecondLayer * SecondLayer;
constexpr int ThirdAt = SecondBiasAt + Buckets * SecondLayer;
constexpr int ThirdBiasAt = ThirdAt + Buckets * SecondLayer;
constexpr int Weights = ThirdBiasAt + Buckets;
constexpr float SquareScale = 8128.0F / 8192;  // of the squares, as the engine's integers have it

constexpr float Beta1 = 0.9F, Beta2 = 0.999F, Epsilon = 1e-8F, Decay = 0.01F;  // of AdamW

constexpr unsigned AllLanes = 0xFFFFFFFF;
constexpr int Threads = Hidden / 8;  // of a block for the neurons: four of each half
constexpr int Tile = 32;             // positions of one bucket that a block takes to the layers
constexpr int LayerThreads = 256, LayerWarps = LayerThreads / 32, OfWarp = Tile / LayerWarps;
constexpr int MaxThreats = 160;  // others are left out; the most in 2.8 million positions was 64

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
__device__ float4 clipped(float4 v) {
    return make_float4(clipped(v.x), clipped(v.y), clipped(v.z), clipped(v.w));
}
__device__ void store(float* to, float4 v) {
    *reinterpret_cast<float4*>(to) = v;
}
__device__ float4 product(float4 a, float4 b) {
    return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
__device__ void add_scaled(float4& sum, float factor, float4 v) {
    sum.x += factor * v.x, sum.y += factor * v.y, sum.z += factor * v.z, sum.w += factor * v.w;
}
__device__ float dot(float4 a, float4 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__device__ bool is_between(float x, float least, float most) {
    return x > least && x < most;
}
// The slope of a clipped value where it was not clipped.
__device__ float4 passed(float4 clipped, float4 slope) {
    return make_float4(is_between(clipped.x, 0, 1) ? slope.x : 0.0F,
                       is_between(clipped.y, 0, 1) ? slope.y : 0.0F,
                       is_between(clipped.z, 0, 1) ? slope.z : 0.0F,
                       is_between(clipped.w, 0, 1) ? slope.w : 0.0F);
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
    bool shuffle;
};

// What the kernels hand on. For every position the clipped neurons of both perspectives, and after
// layers() their slopes.
struct Passing {
    Unpacked* unpacked;
    float* neurons;  // [position][perspective][neuron]
    int* order;      // [bucket][capacity]: the positions of every bucket
    int* filled;     // [bucket]: their number; zero at first
    int capacity;    // positions of the largest batch
};

// A warp for each position.
__global__ void unpack_batch(Batch batch, Passing passing) {
    const auto n = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
    if (n >= batch.size)
        return;
    const Bits i = batch.from + static_cast<Bits>(n);
    const Bits at = batch.shuffle ? shuffled(i, batch.all, batch.bits, batch.key) : i;
    Unpacked& out = passing.unpacked[n];
    unpack(batch.samples[at], out, batch.scale);
    if (threadIdx.x % 32 == 0)
        passing.order[out.bucket * passing.capacity + atomicAdd(passing.filled + out.bucket, 1)] =
            n;
}

// Each thread has four neurons of the first half and their partners.
__global__ void __launch_bounds__(Threads)
    forward(int size, Passing passing, const float* __restrict__ weights) {
    const int neuron = 4 * static_cast<int>(threadIdx.x), partner = neuron + Products;
    const float4 bias = load(weights + BiasAt + neuron);
    const float4 partner_bias = load(weights + BiasAt + partner);
    for (auto n = static_cast<int>(blockIdx.x); n < size; n += static_cast<int>(gridDim.x)) {
        const Unpacked& p = passing.unpacked[n];
        for (int side = 0; side < 2; ++side) {
            float4 a = bias, b = partner_bias;
            add_rows(a, weights + neuron, Hidden, p.features[side], p.count);
            add_rows(b, weights + partner, Hidden, p.features[side], p.count);
            if (neuron < ThreatHidden)
                add_rows(
                    a, weights + ThreatsAt + neuron, ThreatHidden, p.threats[side], p.threat_count);
            float* to = row_of(passing.neurons, 2 * n + side, Hidden);
            store(to + neuron, clipped(a));
            store(to + partner, clipped(b));
        }
    }
}

// The gradient of the neurons' weights.
__global__ void __launch_bounds__(Threads) backward(int size, Passing passing, float* gradient) {
    const int neuron = 4 * static_cast<int>(threadIdx.x), partner = neuron + Products;
    float4 bias = make_float4(0, 0, 0, 0), partner_bias = bias;
    for (auto n = static_cast<int>(blockIdx.x); n < size; n += static_cast<int>(gridDim.x)) {
        const Unpacked& p = passing.unpacked[n];
        for (int side = 0; side < 2; ++side) {
            const float* from = row_of(passing.neurons, 2 * n + side, Hidden);
            const float4 a = load(from + neuron), b = load(from + partner);
            add(bias, a), add(partner_bias, b);
            for (int i = 0; i < p.count; ++i) {
                float* to = row_of(gradient, p.features[side][i], Hidden);
                add_atomically(to + neuron, a);
                add_atomically(to + partner, b);
            }
            if (neuron < ThreatHidden)
                for (int i = 0; i < p.threat_count; ++i)
                    add_atomically(
                        row_of(gradient + ThreatsAt + neuron, p.threats[side][i], ThreatHidden), a);
        }
    }
    add_atomically(gradient + BiasAt + neuron, bias);
    add_atomically(gradient + BiasAt + partner, partner_bias);
}

// The values of the layers for the positions of a tile, and their slopes.
struct LayerValues {
    float first[Tile][FirstLayer], first_slope[Tile][FirstLayer + 1];
    float activated[Tile][SecondLayer + 1];  // of the first layer: clipped, then squares
    float second[Tile][SecondLayer + 1], second_slope[Tile][SecondLayer + 1];
    float part[Tile][8], slope[Tile];  // of the output
    float error[Tile];
    int position[Tile];
};

// Four products of a position; `input` counts those of both sides.
__device__ float4 products_at(const Passing& passing, int position, int input) {
    const int side = input >= Products ? 1 : 0;
    const float* from =
        row_of(passing.neurons, 2 * position + side, Hidden) + input - side * Products;
    return product(load(from), load(from + Products));
}

// Adds up 2 * half sums over the lanes of a warp, such that each lane ends with its share of them.
template <int half>
__device__ void share(float* sums, int lane) {
    constexpr int Distance = half / (OfWarp * FirstLayer / 32);
    const bool upper = (lane & Distance) != 0;
    UNROLL
    for (int i = 0; i < half; ++i) {
        const float sent = upper ? sums[i] : sums[i + half];
        const float kept = upper ? sums[i + half] : sums[i];
        sums[i] = kept + __shfl_xor_sync(AllLanes, sent, Distance);
    }
    if constexpr (Distance > 1)
        share<half / 2>(sums, lane);
}

// The first layer of OfWarp positions, by one warp: the lanes share the inputs, and add up their
// sums such that each ends with two of them.
__device__ void first_layer(
    const Passing& passing, const float* first, const float* bias, LayerValues& values, int from) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    constexpr int Sums = OfWarp * FirstLayer;
    static_assert(Sums == 64);
    float sums[Sums];
    UNROLL
    for (float& sum : sums)
        sum = 0;
    for (int input = 4 * lane; input < Hidden; input += 128) {
        float4 p[OfWarp];
        UNROLL
        for (int s = 0; s < OfWarp; ++s)
            p[s] = products_at(passing, values.position[from + s], input);
        UNROLL
        for (int o = 0; o < FirstLayer; ++o) {
            const float4 w = load(row_of(first, o, Hidden) + input);
            UNROLL
            for (int s = 0; s < OfWarp; ++s)
                sums[s * FirstLayer + o] += dot(w, p[s]);
        }
    }
    share<Sums / 2>(sums, lane);
    for (int i = 0; i < 2; ++i) {
        const int at = 2 * lane + i, o = at % FirstLayer;
        values.first[from + at / FirstLayer][o] = sums[i] + bias[o];
    }
}

// The second layer and the output: eight threads for each position.
__device__ void second_layer(const float* weights, int bucket, LayerValues& values) {
    const int t = static_cast<int>(threadIdx.x), s = t / 8, part = t % 8;
    for (int o = 2 * part; o < 2 * part + 2; ++o) {
        const float z = values.first[s][o];
        values.activated[s][o] = clipped(z);
        values.activated[s][o + FirstLayer] = fminf(z * z, 1.0F) * SquareScale;
    }
    __syncthreads();
    const float* bias = row_of(weights + SecondBiasAt, bucket, SecondLayer);
    const float* third = row_of(weights + ThirdAt, bucket, SecondLayer);
    float output = 0;
    for (int j = 4 * part; j < 4 * part + 4; ++j) {
        const float* row = row_of(weights + SecondAt, bucket * SecondLayer + j, SecondLayer);
        float sum = bias[j];
        for (int i = 0; i < SecondLayer; ++i)
            sum += row[i] * values.activated[s][i];
        values.second[s][j] = clipped(sum);
        output += third[j] * values.second[s][j];
    }
    values.part[s][part] = output;
    __syncthreads();
}

// The slopes of both layers; eight threads for each position.
__device__ void layer_slopes(const float* weights, int bucket, LayerValues& values) {
    const int t = static_cast<int>(threadIdx.x), s = t / 8, part = t % 8;
    const float* second = row_of(weights + SecondAt, bucket * SecondLayer, SecondLayer);
    const float* third = row_of(weights + ThirdAt, bucket, SecondLayer);
    const float slope = values.slope[s];
    for (int j = 4 * part; j < 4 * part + 4; ++j)
        values.second_slope[s][j] = is_between(values.second[s][j], 0, 1) ? slope * third[j] : 0.0F;
    __syncthreads();
    for (int o = 2 * part; o < 2 * part + 2; ++o) {
        float clipped_slope = 0, square_slope = 0;
        for (int j = 0; j < SecondLayer; ++j) {
            const float* row = row_of(second, j, SecondLayer);
            clipped_slope += values.second_slope[s][j] * row[o];
            square_slope += values.second_slope[s][j] * row[o + FirstLayer];
        }
        const float z = values.first[s][o];
        values.first_slope[s][o] =
            (is_between(z, 0, 1) ? clipped_slope : 0.0F) +
            (is_between(z, -1, 1) ? 2 * SquareScale * z * square_slope : 0.0F) +
            (o == 0 ? slope : 0.0F);
    }
    __syncthreads();
}

// The gradient of the second layer, the output and the biases, added up over the tile.
__device__ void small_gradients(int bucket, const LayerValues& values, float* gradient) {
    const int t = static_cast<int>(threadIdx.x);
    for (int at = t; at < SecondLayer * SecondLayer; at += LayerThreads) {
        const int j = at / SecondLayer, i = at % SecondLayer;
        float sum = 0;
        for (int s = 0; s < Tile; ++s)
            sum += values.second_slope[s][j] * values.activated[s][i];
        atomicAdd(gradient + SecondAt + bucket * SecondLayer * SecondLayer + at, sum);
    }
    float first_bias = 0, second_bias = 0, third = 0, third_bias = 0;
    for (int s = 0; s < Tile; ++s) {
        first_bias += values.first_slope[s][t % FirstLayer];
        second_bias += values.second_slope[s][t % SecondLayer];
        third += values.slope[s] * values.second[s][t % SecondLayer];
        third_bias += values.slope[s];
    }
    if (t < FirstLayer)
        atomicAdd(gradient + FirstBiasAt + bucket * FirstLayer + t, first_bias);
    if (t < SecondLayer) {
        atomicAdd(gradient + SecondBiasAt + bucket * SecondLayer + t, second_bias);
        atomicAdd(gradient + ThirdAt + bucket * SecondLayer + t, third);
    }
    if (t == 0)
        atomicAdd(gradient + ThirdBiasAt + bucket, third_bias);
}

// The gradient of the first layer: a warp takes 128 inputs and half of the outputs.
__device__ void first_gradient(const Passing& passing, const LayerValues& values, float* gradient) {
    constexpr int Half = FirstLayer / 2;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    for (int item = warp; item < 2 * Hidden / 128; item += LayerWarps) {
        const int input = item / 2 * 128 + 4 * lane, from = item % 2 * Half;
        float4 sums[Half];
        UNROLL
        for (float4& sum : sums)
            sum = make_float4(0, 0, 0, 0);
        for (int s = 0; s < Tile; ++s) {
            const float4 p = products_at(passing, values.position[s], input);
            UNROLL
            for (int o = 0; o < Half; ++o)
                add_scaled(sums[o], values.first_slope[s][from + o], p);
        }
        UNROLL
        for (int o = 0; o < Half; ++o)
            add_atomically(row_of(gradient, from + o, Hidden) + input, sums[o]);
    }
}

// Replaces the neurons of OfWarp positions by their slopes, by one warp.
__device__ void neuron_slopes(
    const Passing& passing, const float* first, const LayerValues& values, int from, int count) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int input = 4 * lane; input < Hidden; input += 128) {
        float4 slopes[OfWarp];
        UNROLL
        for (float4& slope : slopes)
            slope = make_float4(0, 0, 0, 0);
        UNROLL
        for (int o = 0; o < FirstLayer; ++o) {
            const float4 w = load(row_of(first, o, Hidden) + input);
            UNROLL
            for (int s = 0; s < OfWarp; ++s)
                add_scaled(slopes[s], values.first_slope[from + s][o], w);
        }
        const int side = input >= Products ? 1 : 0;
        UNROLL
        for (int s = 0; s < OfWarp; ++s) {
            if (from + s >= count)
                continue;
            float* at = row_of(passing.neurons, 2 * values.position[from + s] + side, Hidden) +
                        input - side * Products;
            const float4 a = load(at), b = load(at + Products);
            store(at, passed(a, product(slopes[s], b)));
            store(at + Products, passed(b, product(slopes[s], a)));
        }
    }
}

// Adds the squared errors of a batch to `loss` and, if training, the gradient of the layers to
// `gradient`. A block has the tile blockIdx.x of the bucket blockIdx.y.
template <bool training>
__global__ void __launch_bounds__(LayerThreads) layers(Passing passing,
                                                       float scale,
                                                       const float* __restrict__ weights,
                                                       float* gradient,
                                                       double* loss) {
    __shared__ LayerValues values;
    const int t = static_cast<int>(threadIdx.x), s = t / 8, from = t / 32 * OfWarp;
    const auto bucket = static_cast<int>(blockIdx.y);
    const int begin = static_cast<int>(blockIdx.x) * Tile;
    const int count = min(passing.filled[bucket] - begin, Tile);
    if (count <= 0)
        return;
    // An unused place has a copy of the first position, of slope zero.
    if (t < Tile)
        values.position[t] = passing.order[bucket * passing.capacity + begin + (t < count ? t : 0)];
    __syncthreads();
    const float* first = row_of(weights + FirstAt, bucket * FirstLayer, Hidden);
    first_layer(passing, first, row_of(weights + FirstBiasAt, bucket, FirstLayer), values, from);
    __syncthreads();
    second_layer(weights, bucket, values);
    if (t % 8 == 0) {
        float output = weights[ThirdBiasAt + bucket] + values.first[s][0];
        for (const float part : values.part[s])
            output += part;
        const float steepness = OutputCentipawns / scale;
        const float expected = 1.0F / (1.0F + __expf(-steepness * output));
        const float error =
            s < count ? expected - passing.unpacked[values.position[s]].target : 0.0F;
        values.error[s] = error * error;
        values.slope[s] = 2.0F * steepness * error * expected * (1.0F - expected);
    }
    __syncthreads();
    if (t == 0) {
        double errors = 0;
        for (const float error : values.error)
            errors += static_cast<double>(error);
        atomicAdd(loss, errors);
    }
    if (!training)
        return;
    layer_slopes(weights, bucket, values);
    small_gradients(bucket, values, gradient);
    first_gradient(passing, values, row_of(gradient + FirstAt, bucket * FirstLayer, Hidden));
    __syncthreads();
    neuron_slopes(passing, first, values, from, count);
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
    const float limit = i >= ThreatsAt && i < FirstAt ? MaxThreatWeight : MaxWeight;
    weights[i] = fminf(fmaxf(weights[i] - adam.rate * move, -limit), limit);
}

}  // namespace gpu

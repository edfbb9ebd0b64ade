// The network (NNUE): (768 -> Hidden) x 2 -> 16 -> 32 -> 1. Both perspectives share the neurons and
// have mirrored inputs. Each neuron of the first half, clipped to 0..1, is multiplied by its
// partner in the second half. The layers after that have a bucket for every four pieces on the
// board. The first ThreatHidden neurons also see which kinds of pieces attack and defend each
// piece. Sources: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions", 2018;
// products and squares: Stockfish; threat inputs: the engine Monty, 2024.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

inline constexpr int Inputs = 768;                // own or other side, 6 piece types, 64 squares
inline constexpr int Hidden = 512;                // hidden size: neurons per side
inline constexpr int ThreatInputs = 12 * Inputs;  // attacked or defended, by six piece types
inline constexpr int ThreatHidden = 64;           // the neurons that see them
inline constexpr int Products = Hidden / 2;       // of each side
inline constexpr int FirstLayer = 16, SecondLayer = 32;  // outputs; the second has 32 inputs
inline constexpr std::size_t Buckets = 8;                // of the layers

// Weights are stored as integers. 1.0 is Unit for a neuron, ProductUnit for a product of two,
// FirstUnit for a weight of the first layer, LayerUnit for one of the next two, First for an output
// of the first layer and One for an output of the next two.
inline constexpr int Unit = 255, ProductUnit = 127, FirstUnit = 64, LayerUnit = 256;
inline constexpr int First = ProductUnit * FirstUnit, One = First * LayerUnit;
inline constexpr int SquareShift = 13;        // First² >> SquareShift is about First
inline constexpr int OutputCentipawns = 100;  // the value of an output of 1.0
inline constexpr int MaxFeatureWeight = 900;  // against overflow, as those below
inline constexpr int MaxThreatWeight = 127;   // 32 pieces attack 256 others at most: fits 16 bits
inline constexpr int MaxFirstWeight = 127, MaxLayerWeight = 1'024;
inline constexpr int MaxBias = 1 << 26;  // of the layers

using Neurons = std::array<std::int16_t, Hidden>;
using ThreatNeurons = std::array<std::int16_t, ThreatHidden>;
using ThreatWeights = std::array<std::int8_t, ThreatHidden>;

// The layers of a bucket. With p the products, own side first:
//     z = first_bias + first · p                          (16 numbers, 1.0 is First)
//     a = z clamped to 0..First, then (z clamped to -First..First)² >> SquareShift
//     h = (second_bias + second · a) >> 8 clamped to 0..First
//     output = third_bias + third · h + LayerUnit · z[0]  (1.0 is One)
struct alignas(64) Layers {
    // For every four inputs, or two of the second layer, the weights of all outputs to them.
    std::array<std::array<std::array<std::int8_t, 4>, FirstLayer>, Hidden / 4> first;
    std::array<std::int32_t, FirstLayer> first_bias;
    std::array<std::array<std::array<std::int16_t, 2>, SecondLayer>, FirstLayer> second;
    std::array<std::int32_t, SecondLayer> second_bias;
    std::array<std::int16_t, SecondLayer> third;
    std::int32_t third_bias;
};

struct alignas(64) Network {
    std::array<Neurons, Inputs> features;
    Neurons bias;
    std::array<ThreatWeights, ThreatInputs> threats;
    std::array<Layers, Buckets> layers;
};

// The output bucket of a position with 2 to 32 pieces, kings included.
constexpr std::size_t bucket(std::size_t pieces) {
    return (pieces - 2) / 4;
}

// The input of a piece as seen by `perspective`: own pieces first, own first rank at the bottom,
// files mirrored if `mirrored`, that is, while the own king stands on files e to h.
constexpr std::size_t feature(Color perspective, bool mirrored, Piece p, Square s) {
    const std::size_t side = color_of(p) == perspective ? 0 : 6;
    const auto seen = static_cast<std::size_t>(relative(perspective, s) ^ (mirrored ? 7 : 0));
    return (side + type_of(p)) * 64 + seen;
}
constexpr bool is_mirrored(Square king) {
    return file_of(king) >= 4;
}

// The threat input of a piece that pieces of the type `by` and the colour `attacker` attack or, if
// the colours are the same, defend.
constexpr std::size_t
threat_feature(Color perspective, bool mirrored, Color attacker, PieceType by, Piece p, Square s) {
    const std::size_t kind = (color_of(p) == attacker ? 6U : 0U) + by;
    return kind * Inputs + feature(perspective, mirrored, p, s);
}

// The weights of a file. The sizes of the neurons may differ from those of Network.
struct NetworkWeights {
    std::size_t hidden, threat_hidden;
    std::vector<std::int16_t> neurons;  // features, bias: [Inputs + 1][hidden]
    std::vector<std::int8_t> threats;   // [ThreatInputs][threat_hidden]
    std::vector<std::int8_t> first;     // [Buckets][FirstLayer][hidden]
    std::vector<std::int16_t> second;   // [Buckets][SecondLayer][2 * FirstLayer]
    std::vector<std::int16_t> third;    // [Buckets][SecondLayer]
    std::vector<std::int32_t> first_bias, second_bias, third_bias;  // [Buckets][outputs]

    NetworkWeights(std::size_t hidden_size, std::size_t threat_size);  // all of them zero
};

// The file, little-endian, sizes in bytes: "NUTNET05", hidden size (4), neurons that see threats
// (2), buckets (2), FNV-1a hash of what follows the header (8), name (40); then the weights
// in the order of NetworkWeights as rows in Rice code: the weights of one input or of one output,
// the biases of one bucket.
std::string network_file(std::string_view name, const NetworkWeights& weights);

// Fails if the file is no network, damaged, or has another number of output buckets or weights than
// it should have.
Result<NetworkWeights> network_weights(std::string_view bytes);

// Fail as network_weights() does, and if the sizes are not those of Network.
Result<std::shared_ptr<const Network>> parse_network(std::string_view bytes);
Result<std::shared_ptr<const Network>> load_network(const std::string& path);

// The network linked into the program.
std::shared_ptr<const Network> built_in_network();
std::string_view built_in_network_file();

}  // namespace engine

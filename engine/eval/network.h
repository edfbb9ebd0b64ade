// The network (NNUE): (768 -> Hidden) x 2 -> 1 with a first layer shared by both perspectives,
// SCReLU, mirrored inputs, and output buckets by the number of pieces. The first ThreatHidden
// neurons also see which kinds of pieces attack and defend each piece. Sources: Y. Nasu,
// "Efficiently updatable neural-network-based evaluation functions", 2018; threat inputs: the
// engine Monty, 2024.
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
inline constexpr std::size_t Buckets = 8;         // output buckets

// Weights are stored as integers: 1.0 is Unit in the first layer, OutputUnit in the second.
inline constexpr int Unit = 255, OutputUnit = 64, One = Unit * OutputUnit;
inline constexpr int OutputCentipawns = 100;  // the value of an output of 1.0
inline constexpr int MaxOutputWeight = 126, MaxFeatureWeight = 900;  // against overflow
inline constexpr int MaxThreatWeight = 127;  // 32 pieces attack 256 others at most: fits 16 bits

using Neurons = std::array<std::int16_t, Hidden>;
using ThreatNeurons = std::array<std::int16_t, ThreatHidden>;
using ThreatWeights = std::array<std::int8_t, ThreatHidden>;

struct alignas(64) Network {
    std::array<Neurons, Inputs> features;
    Neurons bias;
    std::array<std::array<Neurons, 2>, Buckets> output;  // for the side to move, the other side
    std::array<ThreatWeights, ThreatInputs> threats;
    std::array<std::int32_t, Buckets> output_bias;  // 1.0 is One
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

// The weights of a file, in the order of Network. The sizes may differ from those of Network.
struct NetworkWeights {
    std::size_t hidden, threat_hidden;
    std::vector<std::int16_t> neurons;  // features, bias, output
    std::vector<std::int8_t> threats;
    std::array<std::int32_t, Buckets> output_bias{};

    NetworkWeights(std::size_t hidden_size, std::size_t threat_size);  // all of them zero
};

// The file, little-endian, sizes in bytes: "NUTNET04", hidden size (4), neurons that see threats
// (2), output buckets (2), FNV-1a hash of what follows the header (8), name (40); then the weights
// in the order of Network as rows in Rice code: one row of an input, the bias, an output.
std::string network_file(std::string_view name, const NetworkWeights& weights);

// Fails if the file is no network, damaged, or has another number of output buckets or weights than
// it should have.
Result<NetworkWeights> network_weights(std::string_view bytes);

// Fail as network_weights() does, and if the sizes are not those of Network.
Result<std::unique_ptr<const Network>> parse_network(std::string_view bytes);
Result<std::unique_ptr<const Network>> load_network(const std::string& path);

// The network linked into the program.
std::shared_ptr<const Network> built_in_network();
std::string_view built_in_network_file();

}  // namespace engine

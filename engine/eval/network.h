// The network that evaluates: (768 -> Hidden) x 2 -> 1, one first layer seen by both sides, SCReLU,
// and an output of its own for each range of the number of pieces.
// Source: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions", 2018.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <memory>
#include <string>
#include <string_view>

namespace engine {

inline constexpr int Inputs = 768;         // own and other pieces, 6 types, 64 squares
inline constexpr int Hidden = 128;         // neurons a side
inline constexpr std::size_t Buckets = 8;  // outputs

// Weights are stored as integers: 1.0 is Unit in the first layer, OutputUnit in the second.
inline constexpr int Unit = 255, OutputUnit = 64, One = Unit * OutputUnit;
inline constexpr int OutputCentipawns = 100;  // what an output of 1.0 is worth
inline constexpr int LargestOutputWeight = 126, LargestFeatureWeight = 900;  // so nothing overflows

using Neurons = std::array<std::int16_t, Hidden>;

// As in the file, after its header.
struct alignas(64) Network {
    std::array<Neurons, Inputs> features;
    Neurons bias;
    std::array<std::array<Neurons, 2>, Buckets> output;  // side to move's neurons, the other's
    std::array<std::int32_t, Buckets> output_bias;       // 1.0 is One
};

// The output for a position of 2 to 32 pieces, kings included.
constexpr std::size_t bucket(std::size_t pieces) {
    return (pieces - 2) / 4;
}

// Which input a piece is to `perspective`: its own pieces first, its own side at the bottom, and
// the files swapped if `mirrored`, which holds while its king stands on files e to h.
constexpr std::size_t feature(Color perspective, bool mirrored, Piece p, Square s) {
    const std::size_t side = color_of(p) == perspective ? 0 : 6;
    const auto seen = static_cast<std::size_t>(relative(perspective, s) ^ (mirrored ? 7 : 0));
    return (side + type_of(p)) * 64 + seen;
}
constexpr bool is_mirrored(Square king) {
    return file_of(king) >= 4;
}

// The file: "NUTNET02", neurons a side (4), outputs (4), hash of what follows the header (8), name
// (40), then the weights in the order of Network for any number of neurons, filled up with zeros to
// a multiple of 64 bytes. Little-endian.
inline constexpr std::size_t NetworkHeaderSize = 64;
std::string network_file(int hidden, std::string_view name, std::string weights);

// The neurons a side of a network file with so many outputs; fails on any other file and on a
// damaged one.
Result<int> network_size(std::string_view bytes);

// Fails on what is no network file, was damaged, or has another number of neurons than Hidden.
Result<std::unique_ptr<const Network>> parse_network(std::string_view bytes);
Result<std::unique_ptr<const Network>> load_network(const std::string& path);

// The one that comes with the program; lives as long as it.
std::shared_ptr<const Network> built_in_network();
std::string_view built_in_network_file();

}  // namespace engine

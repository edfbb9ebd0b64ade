#include "engine/eval/network.h"

#include "engine/platform/file.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

// data/nutcracker.net, linked in by builtin.S.
struct NetworkFile {
    std::array<char, engine::NetworkHeaderSize> header;
    engine::Network network;
};
extern "C" const NetworkFile nutcracker_network;

namespace engine {
namespace {

constexpr std::string_view Magic = "NUTNET03", AnyMagic = "NUTNET";
constexpr std::size_t SizeAt = 8, BucketsAt = 12, HashAt = 16, NameAt = 24;
constexpr std::streamoff MaxFileSize = 1 << 26;  // do not read huge files into memory

// FNV-1a.
std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
    for (const char c : bytes)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
    return hash;
}

template <typename T>
T read_at(std::string_view bytes, std::size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

bool within(const auto& weights, int limit) {
    return std::all_of(
        weights.begin(), weights.end(), [limit](int w) { return std::abs(w) <= limit; });
}

bool is_safe(const Network& net) {
    return std::all_of(net.features.begin(),
                       net.features.end(),
                       [](const Neurons& n) { return within(n, MaxFeatureWeight); }) &&
           within(net.bias, MaxFeatureWeight) &&
           std::all_of(net.threats.begin(),
                       net.threats.end(),
                       [](const ThreatWeights& t) { return within(t, MaxThreatWeight); }) &&
           std::all_of(net.output.begin(), net.output.end(), [](const auto& sides) {
               return within(sides[0], MaxOutputWeight) && within(sides[1], MaxOutputWeight);
           });
}

}  // namespace

std::string network_file(int hidden, std::string_view name, std::string weights) {
    weights.resize((weights.size() + 63) / 64 * 64, '\0');
    std::string bytes(NetworkHeaderSize, '\0');
    const std::uint64_t hash = hash_of(weights);
    std::memcpy(bytes.data(), Magic.data(), Magic.size());
    const auto neurons = static_cast<std::uint32_t>(hidden);
    const auto buckets = static_cast<std::uint32_t>(Buckets);
    std::memcpy(bytes.data() + SizeAt, &neurons, sizeof neurons);
    std::memcpy(bytes.data() + BucketsAt, &buckets, sizeof buckets);
    std::memcpy(bytes.data() + HashAt, &hash, sizeof hash);
    std::memcpy(bytes.data() + NameAt, name.data(), std::min(name.size(), bytes.size() - NameAt));
    return bytes + weights;
}

Result<int> network_size(std::string_view bytes) {
    if (bytes.size() < NetworkHeaderSize || !bytes.starts_with(AnyMagic))
        return fail("not a network of this program");
    if (!bytes.starts_with(Magic))
        return fail("a network of another version of this program");
    if (hash_of(bytes.substr(NetworkHeaderSize)) != read_at<std::uint64_t>(bytes, HashAt))
        return fail("a damaged network: its hash is wrong");
    const auto buckets = read_at<std::uint32_t>(bytes, BucketsAt);
    if (buckets != Buckets)
        return fail("a network of " + std::to_string(buckets) + " outputs, not of " +
                    std::to_string(Buckets));
    return static_cast<int>(read_at<std::uint32_t>(bytes, SizeAt));
}

Result<std::unique_ptr<const Network>> parse_network(std::string_view bytes) {
    const Result<int> hidden = network_size(bytes);
    if (!hidden)
        return fail(hidden.error().what);
    if (*hidden != Hidden)
        return fail("a network of " + std::to_string(*hidden) + " neurons a side, not of " +
                    std::to_string(Hidden));
    const std::string_view weights = bytes.substr(NetworkHeaderSize);
    if (weights.size() != sizeof(Network))
        return fail("a network of " + std::to_string(bytes.size()) + " bytes, not of " +
                    std::to_string(NetworkHeaderSize + sizeof(Network)));
    auto net = std::make_unique<Network>();
    std::memcpy(net.get(), weights.data(), sizeof(Network));
    if (!is_safe(*net))
        return fail("a network whose weights are too large");
    return net;
}

Result<std::unique_ptr<const Network>> load_network(const std::string& path) {
    std::ifstream file(platform::long_path(path), std::ios::binary | std::ios::ate);
    if (!file || file.tellg() < 0 || file.tellg() > MaxFileSize)
        return fail("cannot read the network \"" + path + "\"");
    std::string bytes(static_cast<std::size_t>(file.tellg()), '\0');
    file.seekg(0);
    if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        return fail("cannot read the network \"" + path + "\"");
    Result<std::unique_ptr<const Network>> net = parse_network(bytes);
    if (!net)
        return fail('"' + path + "\" is " + net.error().what);
    return net;
}

std::shared_ptr<const Network> built_in_network() {
    return {std::shared_ptr<const Network>(), &nutcracker_network.network};
}

std::string_view built_in_network_file() {
    return {nutcracker_network.header.data(), sizeof nutcracker_network};
}

}  // namespace engine

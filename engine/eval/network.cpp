#include "engine/eval/network.h"

#include "engine/eval/rice_code.h"
#include "engine/platform/file.h"
#include "engine/platform/memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <type_traits>

// data/nutcracker.net, linked in by builtin.S.
// NOLINTBEGIN(modernize-avoid-c-arrays,readability-identifier-naming)
extern "C" const char nutcracker_network[];
extern "C" const std::uint64_t nutcracker_network_size;
// NOLINTEND(modernize-avoid-c-arrays,readability-identifier-naming)

namespace engine {
namespace {

constexpr std::string_view Magic = "NUTNET05", AnyMagic = "NUTNET";
constexpr std::size_t HiddenAt = 8, ThreatsAt = 12, BucketsAt = 14, HashAt = 16, NameAt = 24;
constexpr std::size_t HeaderSize = 64;
constexpr std::uint32_t MaxHidden = 4'096;
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

template <typename T>
void write_at(std::string& bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// Calls the function with every row of the file, in its order, while it returns true.
bool for_each_row(auto& weights, auto function) {
    const auto rows = [&function](auto& values, std::size_t size) {
        using Row = std::span<std::remove_pointer_t<decltype(values.data())>>;
        for (Row rest(values); !rest.empty(); rest = rest.subspan(size))
            if (!function(rest.first(size)))
                return false;
        return true;
    };
    return rows(weights.neurons, weights.hidden) && rows(weights.threats, weights.threat_hidden) &&
           rows(weights.first, weights.hidden) && rows(weights.second, 2 * FirstLayer) &&
           rows(weights.third, SecondLayer) && rows(weights.first_bias, FirstLayer) &&
           rows(weights.second_bias, SecondLayer) && rows(weights.third_bias, 1);
}

bool within(const auto& weights, int limit) {
    return std::all_of(
        weights.begin(), weights.end(), [limit](int w) { return std::abs(w) <= limit; });
}

// True if no sum in the evaluation can overflow: 16 bits for neurons, 32 bits for the layers.
bool is_safe(const NetworkWeights& weights) {
    return within(weights.neurons, MaxFeatureWeight) && within(weights.threats, MaxThreatWeight) &&
           within(weights.first, MaxFirstWeight) && within(weights.second, MaxLayerWeight) &&
           within(weights.third, MaxLayerWeight) && within(weights.first_bias, MaxBias) &&
           within(weights.second_bias, MaxBias) && within(weights.third_bias, MaxBias);
}
static_assert(33 * MaxFeatureWeight <= INT16_MAX);
static_assert(Hidden * ProductUnit * MaxFirstWeight + MaxBias <= INT32_MAX);
static_assert(std::int64_t{2} * FirstLayer * First * MaxLayerWeight + MaxBias <= INT32_MAX);
static_assert(std::int64_t{SecondLayer} * First * MaxLayerWeight + MaxBias <= INT32_MAX);

template <typename T>
void take(T& to, const auto*& from) {
    std::memcpy(&to, from, sizeof to);
    from += sizeof to / sizeof *from;
}

// [output][input] to [inputs][output][input].
template <typename T, std::size_t together, std::size_t outputs, std::size_t groups>
void transpose(std::array<std::array<std::array<T, together>, outputs>, groups>& to,
               const T*& from) {
    for (std::size_t output = 0; output < outputs; ++output)
        for (auto& group : to)
            take(group[output], from);
}

// The weights in the order in which the evaluation reads them.
std::shared_ptr<const Network> arranged(const NetworkWeights& weights) {
    auto net = platform::make_in_pages<Network>();
    const std::int16_t *neurons = weights.neurons.data(), *second = weights.second.data(),
                       *third = weights.third.data();
    const std::int8_t *threats = weights.threats.data(), *first = weights.first.data();
    const std::int32_t *first_bias = weights.first_bias.data(),
                       *second_bias = weights.second_bias.data(),
                       *third_bias = weights.third_bias.data();
    take(net->features, neurons);
    take(net->bias, neurons);
    take(net->threats, threats);
    for (Layers& layers : net->layers) {
        transpose(layers.first, first);
        take(layers.first_bias, first_bias);
        transpose(layers.second, second);
        take(layers.second_bias, second_bias);
        take(layers.third, third);
        layers.third_bias = *third_bias++;
    }
    return net;
}

}  // namespace

NetworkWeights::NetworkWeights(std::size_t hidden_size, std::size_t threat_size)
    : hidden(hidden_size), threat_hidden(threat_size), neurons((Inputs + 1) * hidden_size),
      threats(ThreatInputs * threat_size), first(Buckets * FirstLayer * hidden_size),
      second(Buckets * SecondLayer * 2 * FirstLayer), third(Buckets * SecondLayer),
      first_bias(Buckets * FirstLayer), second_bias(Buckets * SecondLayer), third_bias(Buckets) {}

std::string network_file(std::string_view name, const NetworkWeights& weights) {
    RiceWriter writer;
    for_each_row(weights, [&writer](auto row) {
        writer.write(row);
        return true;
    });
    const std::string coded = writer.finish();
    std::string bytes(HeaderSize, '\0');
    Magic.copy(bytes.data(), Magic.size());
    write_at(bytes, HiddenAt, static_cast<std::uint32_t>(weights.hidden));
    write_at(bytes, ThreatsAt, static_cast<std::uint16_t>(weights.threat_hidden));
    write_at(bytes, BucketsAt, static_cast<std::uint16_t>(Buckets));
    write_at(bytes, HashAt, hash_of(coded));
    name.copy(bytes.data() + NameAt, bytes.size() - NameAt);
    return bytes + coded;
}

Result<NetworkWeights> network_weights(std::string_view bytes) {
    if (bytes.size() < HeaderSize || !bytes.starts_with(AnyMagic))
        return fail("not a network of this program");
    if (!bytes.starts_with(Magic))
        return fail("a network of another version of this program");
    const std::string_view coded = bytes.substr(HeaderSize);
    if (hash_of(coded) != read_at<std::uint64_t>(bytes, HashAt))
        return fail("a damaged network: its hash is wrong");
    const auto buckets = read_at<std::uint16_t>(bytes, BucketsAt);
    if (buckets != Buckets)
        return fail("a network of " + std::to_string(buckets) + " outputs, not of " +
                    std::to_string(Buckets));
    const auto hidden = read_at<std::uint32_t>(bytes, HiddenAt);
    const auto threats = read_at<std::uint16_t>(bytes, ThreatsAt);
    if (hidden > MaxHidden || threats > hidden)
        return fail("a network of " + std::to_string(hidden) + " neurons a side, " +
                    std::to_string(threats) + " of them for threats");
    NetworkWeights weights(hidden, threats);
    RiceReader reader(coded);
    if (!for_each_row(weights, [&reader](auto row) { return reader.read(row); }) ||
        !reader.at_end())
        return fail("a network with more or fewer weights than it should have");
    return weights;
}

Result<std::shared_ptr<const Network>> parse_network(std::string_view bytes) {
    const Result<NetworkWeights> weights = network_weights(bytes);
    if (!weights)
        return fail(weights.error().what);
    if (weights->hidden != Hidden || weights->threat_hidden != ThreatHidden)
        return fail("a network of " + std::to_string(weights->hidden) + " neurons a side, " +
                    std::to_string(weights->threat_hidden) + " of them for threats, not of " +
                    std::to_string(Hidden) + " and " + std::to_string(ThreatHidden));
    if (!is_safe(*weights))
        return fail("a network whose weights are too large");
    return arranged(*weights);
}

Result<std::shared_ptr<const Network>> load_network(const std::string& path) {
    const std::filesystem::path place = platform::long_path(path);
    std::error_code error;
    const auto size = std::filesystem::file_size(place, error);  // fails on pipes
    std::ifstream file;
    if (!error && size <= MaxFileSize)
        file.open(place, std::ios::binary);
    std::string bytes(file.is_open() ? size : 0, '\0');
    if (!file.is_open() || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        return fail("cannot read the network \"" + path + "\"");
    Result<std::shared_ptr<const Network>> net = parse_network(bytes);
    if (!net)
        return fail('"' + path + "\" is " + net.error().what);
    return net;
}

std::shared_ptr<const Network> built_in_network() {
    static const std::shared_ptr<const Network> Parsed = [] {
        Result<std::shared_ptr<const Network>> parsed = parse_network(built_in_network_file());
        assert(parsed);
        return std::move(*parsed);
    }();
    return Parsed;
}

std::string_view built_in_network_file() {
    return {static_cast<const char*>(nutcracker_network), nutcracker_network_size};
}

}  // namespace engine

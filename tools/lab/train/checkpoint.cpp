#include "tools/lab/train/checkpoint.h"

#include "tools/common/checksum.h"
#include "tools/common/files.h"

#include <cstring>

namespace tools::train {
namespace {

constexpr std::string_view Magic = "Nutcracker checkpoint 1\n";  // the number is the version
constexpr std::string_view Name = Magic.substr(0, Magic.size() - 2);
constexpr std::size_t HeaderSize = Magic.size() + 40, ChecksumSize = 8;

template <typename T>
std::string_view bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}
std::string_view bytes_of(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]};
}

template <typename T>
T take(std::string_view& bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
}
void take(std::string_view& bytes, std::vector<float>& values) {
    const std::size_t size = values.size() * sizeof values[0];
    std::memcpy(values.data(), bytes.data(), size);
    bytes.remove_prefix(size);
}

}  // namespace

std::uint64_t identity_of(const TrainingPlan& plan,
                          const SampleSet& samples,
                          const Model& start,
                          std::uint64_t before) {
    std::uint64_t sum = checksum(bytes_of(start.weights));
    const auto add = [&sum](const auto& value) { sum = checksum(bytes_of(value), sum); };
    add(before);
    add(plan.epochs);
    add(plan.batch_size);
    add(plan.threads);
    add(plan.drops.size());
    for (const double drop : plan.drops)
        add(drop);
    for (const double number : {plan.learning_rate,
                                plan.end_learning_rate,
                                plan.lambda,
                                plan.end_lambda,
                                plan.scale,
                                plan.weight_decay})
        add(number);
    add(plan.lambda_by_men);
    add(plan.seed);
    add(samples.training.size());
    // By words, since there may be a hundred million samples.
    const auto add_word = [&sum](std::uint64_t word) { sum = (sum ^ word) * 0x100'0000'01B3; };
    for (const Sample& sample : samples.training) {
        std::array<std::uint64_t, 2> pieces{};
        std::memcpy(pieces.data(), sample.pieces.data(), sizeof pieces);
        add_word(sample.occupied);
        add_word(pieces[0]);
        add_word(pieces[1]);
        add_word(static_cast<std::uint16_t>(sample.score) * 256U + sample.result);
    }
    return sum;
}

std::string encode(const Checkpoint& checkpoint) {
    const TrainingState& state = checkpoint.state;
    std::string bytes(Magic);
    bytes.append(bytes_of(checkpoint.identity))
        .append(bytes_of(state.epoch))
        .append(bytes_of(state.steps))
        .append(bytes_of(state.done))
        .append(bytes_of(state.loss))
        .append(bytes_of(std::uint64_t{state.weights.size()}))
        .append(bytes_of(state.weights))
        .append(bytes_of(state.mean))
        .append(bytes_of(state.square));
    return bytes.append(bytes_of(checksum(bytes)));
}

Result<Checkpoint> decode_checkpoint(std::string_view bytes) {
    if (!bytes.starts_with(Name))
        return fail("not a checkpoint");
    if (!bytes.starts_with(Magic))
        return fail("a checkpoint of another version");
    if (bytes.size() < HeaderSize + ChecksumSize ||
        bytes_of(checksum(bytes.substr(0, bytes.size() - ChecksumSize))) !=
            bytes.substr(bytes.size() - ChecksumSize))
        return fail("a damaged checkpoint: its checksum is wrong");
    bytes.remove_suffix(ChecksumSize);
    bytes.remove_prefix(Magic.size());
    Checkpoint checkpoint;
    TrainingState& state = checkpoint.state;
    checkpoint.identity = take<std::uint64_t>(bytes);
    state.epoch = take<std::int32_t>(bytes);
    state.steps = take<float>(bytes);
    state.done = take<std::uint64_t>(bytes);
    state.loss = take<double>(bytes);
    const auto weights = take<std::uint64_t>(bytes);
    if (bytes.size() % (3 * sizeof(float)) != 0 || bytes.size() / (3 * sizeof(float)) != weights)
        return fail("a damaged checkpoint: its length is wrong");
    for (std::vector<float>* values : {&state.weights, &state.mean, &state.square}) {
        values->resize(weights);
        take(bytes, *values);
    }
    return checkpoint;
}

Result<void> write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
    return replace_file(path, encode(checkpoint));
}

Result<Checkpoint> read_checkpoint(const std::string& path) {
    const Result<std::string> bytes = read_bytes(path);
    if (!bytes)
        return fail(bytes.error().what);
    Result<Checkpoint> checkpoint = decode_checkpoint(*bytes);
    if (!checkpoint)
        return fail(path + ": " + checkpoint.error().what);
    return checkpoint;
}

}  // namespace tools::train

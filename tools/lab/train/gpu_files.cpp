#include "tools/lab/train/gpu_files.h"

#include "tools/common/files.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tools::train {
namespace {

static_assert(std::endian::native == std::endian::little);
static_assert(std::is_trivially_copyable_v<Sample> && sizeof(Sample) == 32);

template <typename T>
Result<void> write(const std::string& path, const std::vector<T>& values) {
    return replace_file(path,
                        {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace

Result<void>
write_gpu_files(const std::string& prefix, const SampleSet& samples, const Model& model) {
    if (auto written = write(prefix + ".samples", samples.training); !written)
        return written;
    if (auto written = write(prefix + ".held-out", samples.held_out); !written)
        return written;
    return write(prefix + ".weights", model.weights);
}

Result<void> read_gpu_weights(const std::string& path, Model& model) {
    const Result<std::string> bytes = read_bytes(path);
    if (!bytes)
        return fail(bytes.error().what);
    if (bytes->size() != model.weights.size() * sizeof(float))
        return fail(path + ": weights of another network");
    std::memcpy(model.weights.data(), bytes->data(), bytes->size());
    if (!std::all_of(
            model.weights.begin(), model.weights.end(), [](float w) { return std::isfinite(w); }))
        return fail(path + ": weights that are no numbers");
    return {};
}

}  // namespace tools::train

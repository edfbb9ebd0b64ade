// The files that gpu-train (tools/lab/gpu) reads and writes: samples and weights as they lie in
// memory, little-endian.
#pragma once

#include "tools/lab/train/model.h"

#include <string>

namespace tools::train {

// Writes PREFIX.samples, PREFIX.held-out and PREFIX.weights.
Result<void>
write_gpu_files(const std::string& prefix, const SampleSet& samples, const Model& model);

// Replaces the weights of the model. Fails, with the path, if their number differs or one is not
// finite.
Result<void> read_gpu_weights(const std::string& path, Model& model);

}  // namespace tools::train

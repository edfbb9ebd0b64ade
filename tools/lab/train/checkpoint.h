// Checkpoints: the whole state of a training in a file, so that it can go on after an interruption
// as if there had been none.
//
//     "Nutcracker checkpoint 1\n", identity (8), epoch (4), Adam's steps (4, floating point),
//     positions of the epoch trained on (8), their loss (8), number of weights (8), weights, Adam's
//     means and squares (4 each, floating point), checksum (8); little-endian
#pragma once

#include "tools/lab/train/trainer.h"

#include <string>
#include <string_view>

namespace tools::train {

struct Checkpoint {
    std::uint64_t identity = 0;  // see identity_of()
    TrainingState state;
};

// Equal for trainings that must end with the same network: same plan, same positions in the same
// order, same weights at the start, which also depend on what `before` tells of earlier training.
std::uint64_t identity_of(const TrainingPlan& plan,
                          const SampleSet& samples,
                          const Model& start,
                          std::uint64_t before = 0);

std::string encode(const Checkpoint& checkpoint);
Result<Checkpoint> decode_checkpoint(std::string_view bytes);

// Fails with the path. The file is always complete, with the old state or the new one, even if the
// system crashes.
Result<void> write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
Result<Checkpoint> read_checkpoint(const std::string& path);

}  // namespace tools::train

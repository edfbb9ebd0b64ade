// Distillation: the network learns the static scores of its teacher, the hand-written evaluation or
// an older network, on child positions of the games. These samples need no search, and show the
// network positions that a search meets and games avoid.
#pragma once

#include "tools/lab/train/model.h"

#include <optional>

namespace tools::train {

struct DistillationPlan {
    int children = 0;  // drawn at every position of the games, one or two random moves on
    std::uint64_t seed = 1;
    std::optional<Model> teacher{};  // nothing: the hand-written evaluation
};

// Adds samples with the score of the teacher and an unknown result.
Result<void>
add_teacher_samples(const std::string& path, const DistillationPlan& plan, SampleSet& set);

}  // namespace tools::train

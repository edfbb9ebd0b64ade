// Lessons by the hand-written evaluation: what it says, without a search, of positions near those
// of the games. They cost next to nothing, show the network what a search meets and games avoid,
// and leave to the games what the hand-written evaluation does not know.
#pragma once

#include "tools/lab/train/samples.h"

namespace tools {

struct LessonPlan {
    int children = 0;  // tried at every position of the games, one or two random moves on
    std::uint64_t seed = 1;
};

// The score is the evaluation's, the result unknown.
Result<void> add_lessons(const std::string& path, const LessonPlan& plan, SampleSet& set);

}  // namespace tools

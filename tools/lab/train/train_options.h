// The options of nutcracker-train.
#pragma once

#include "tools/common/command_line.h"
#include "tools/lab/train/distillation.h"
#include "tools/lab/train/trainer.h"

namespace tools::train {

struct Options {
    std::vector<std::string> games;
    std::string output, name = "network", from, teacher;
    int hidden = 0;        // 0: not given
    double td_lambda = 0;  // of smoothed_scores()
    std::string schedule;  // as given; the plan has the drops
    TrainingPlan plan;
    DistillationPlan distillation;
    int distillation_epochs = 8;
    std::string checkpoint;        // file; empty: none
    double checkpoint_every = 10;  // minutes
    bool resume = false;
    std::string gpu_files;    // prefix of files to write instead of training
    std::string gpu_weights;  // file to read instead of training
};

// Throws Failure if the words are wrong use; prints the help.
Options parse_training(const Words& words);

}  // namespace tools::train

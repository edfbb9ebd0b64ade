// Trains a network on the CPU: AdamW on the squared error of the expected score.
// Source: I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", 2019.
#pragma once

#include "tools/lab/train/model.h"

#include <functional>
#include <optional>

namespace tools::train {

struct TrainingPlan {
    int epochs = 30;
    std::size_t batch_size = 16'384;
    int threads = 2;
    double learning_rate = 0.001;        // of the first step
    double end_learning_rate = 0.00001;  // of the last step, along a cosine; not used with drops
    std::vector<double> drops;  // parts of the run (0..1) after which the rate falls to a tenth
    double lambda = 0.75;  // weight of the game's result (WDL) in the target, the rest: the score
    double end_lambda = 0.75;  // at the end of the run, reached linearly
    double scale = 400;        // centipawns at which the expected score is 1 / (1 + 1/e)
    double weight_decay = 0.01;
    std::uint64_t seed = 1;  // of the order of positions
};

struct EpochReport {
    int epoch;  // from 1
    double learning_rate, training_loss, held_out_loss;
    double samples_per_second;
};

bool can_train(int hidden);  // whether there is code for this hidden size

// Requires can_train(model.hidden) and training positions. `report` is called after every epoch;
// the training ends when it returns false.
void train(Model& model,
           const SampleSet& samples,
           const TrainingPlan& plan,
           const std::function<bool(const EpochReport&)>& report);

// The scale at which the scores of the training positions predict the results best; nothing if no
// result is known.
std::optional<double> fitted_scale(const SampleSet& samples);

double learning_rate(const TrainingPlan& plan, double progress);  // progress 0..1

}  // namespace tools::train

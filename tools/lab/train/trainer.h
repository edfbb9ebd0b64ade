// Trains a network on the processor: AdamW on the squared error of the expected score.
// Source: I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", 2019.
#pragma once

#include "tools/lab/train/model.h"

#include <functional>
#include <optional>

namespace tools {

struct TrainingPlan {
    int passes = 30;  // over all training positions
    std::size_t batch = 16'384;
    int threads = 2;
    double rate = 0.001;         // of learning, at first
    double last_rate = 0.00001;  // reached along a cosine; with drops, they say
    std::vector<double> drops;   // parts of the run (0..1) after which the rate falls to a tenth
    double result_share = 0.75;  // of the game's result in the target; the rest is the score
    double last_result_share = 0.75;  // reached linearly
    double scale = 400;               // centipawns at which the expected score is 1 / (1 + 1/e)
    double decay = 0.01;
    std::uint64_t seed = 1;  // of the order of positions
};

struct PassReport {
    int pass;  // from 1
    double rate, training_loss, held_out_loss;
    double visits_per_second;
};

bool can_train(int hidden);  // there is code for this number of neurons

// Requires can_train(model.hidden) and training positions. `report` says whether to go on.
void train(Model& model,
           const SampleSet& samples,
           const TrainingPlan& plan,
           const std::function<bool(const PassReport&)>& report);

// The scale at which the scores of the training positions foretell the results best; nothing if no
// result is known.
std::optional<double> fitted_scale(const SampleSet& samples);

double learning_rate(const TrainingPlan& plan, double progress);  // progress 0..1

}  // namespace tools

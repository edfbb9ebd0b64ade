// Trains a network on the CPU: AdamW on the squared error of the expected score.
// Source: I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", 2019.
#pragma once

#include "tools/lab/train/model.h"

#include <chrono>
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
    double end_lambda = 0.75;    // at the end of the run, reached linearly
    bool lambda_by_men = false;  // instead of both: lambda_of_men()
    double scale = 400;          // centipawns at which the expected score is 1 / (1 + 1/e)
    double weight_decay = 0.01;
    std::uint64_t seed = 1;  // of the order of positions
};

struct EpochReport {
    int epoch;  // from 1
    double learning_rate, training_loss, held_out_loss;
    double samples_per_second;
};

// A training between two batches. The order of an epoch's positions follows from the plan's seed
// and the epoch.
struct TrainingState {
    int epoch = 1;                                   // from 1
    std::uint64_t done = 0;                          // positions of the epoch that were trained on
    double loss = 0;                                 // their sum
    float steps = 0;                                 // of Adam: batches
    std::vector<float> weights{}, mean{}, square{};  // the last two: Adam's moments
};

struct Checkpointing {
    std::chrono::duration<double> interval{};  // between two states; 0: after every batch
    // Called with each state and the final one, on a training thread while the others wait. Must
    // not throw. Empty: none are wanted.
    std::function<void(const TrainingState&)> save{};
    const TrainingState* resume = nullptr;  // to continue; of this plan and these samples
};

bool can_train(int hidden);  // whether there is code for this hidden size

// Requires can_train(model.hidden) and training positions. `report` is called after every epoch;
// the training ends when it returns false. A training that is resumed ends with the same weights as
// one that ran through.
void train(Model& model,
           const SampleSet& samples,
           const TrainingPlan& plan,
           const std::function<bool(const EpochReport&)>& report,
           const Checkpointing& checkpointing = {});

// The scale at which the scores of the training positions predict the results best; nothing if no
// result is known.
std::optional<double> fitted_scale(const SampleSet& samples);

// The weight of the result in a position with `men` men, kings included: 0.1 with all 32, where a
// result says little, rising evenly to 0.4 with 8 or fewer, where only results know what is a draw.
constexpr double lambda_of_men(int men) {
    return men <= 8 ? 0.4 : 0.1 + 0.3 * (32 - men) / 24;
}

double learning_rate(const TrainingPlan& plan, double progress);  // progress 0..1

}  // namespace tools::train

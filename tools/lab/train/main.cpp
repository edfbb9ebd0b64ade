// nutcracker-train: trains a network on files of self-play games.
#include "engine/platform/file.h"
#include "tools/common/checksum.h"
#include "tools/common/files.h"
#include "tools/lab/train/checkpoint.h"
#include "tools/lab/train/gpu_files.h"
#include "tools/lab/train/train_options.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include <fmt/format.h>

namespace {

using namespace tools::train;
using tools::Failure;
using tools::value_or_throw;

constexpr std::size_t CheckedPositions = 10'000, DistillationBatch = 8'192;
constexpr double DistillationRate = 0.001;
constexpr double MaxQuantisationError = 3.5;  // centipawns, on average; generation 8 has 3.0

// Positions in which Black lacks a piece, by the name of the piece.
constexpr std::array<std::pair<const char*, const char*>, 5> Odds{
    {{"equal", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
     {"pawn", "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
     {"knight", "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
     {"rook", "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
     {"queen", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}}};

// Prints the difference between the quantised and the trained network; false if it is too large.
bool check_quantised(const Model& model,
                     const QuantisedModel& quantised,
                     const SampleSet& samples) {
    const auto& set = samples.held_out.empty() ? samples.training : samples.held_out;
    const std::size_t count = std::min(set.size(), CheckedPositions);
    double sum = 0, largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double difference =
            std::abs(static_cast<double>(evaluate(model, set[i])) - quantised.evaluate(set[i]));
        sum += difference;
        largest = std::max(largest, difference);
    }
    const double mean = sum / static_cast<double>(std::max<std::size_t>(count, 1));
    std::cout << fmt::format(
        "quantised: off by {:.2f} centipawns, at most {:.2f}, on {} positions\n",
        mean,
        largest,
        count);
    return mean <= MaxQuantisationError;
}

// Prints the network's score of each missing piece, which shows mistakes of the perspective.
void print_odds(const QuantisedModel& quantised) {
    std::cout << "odds:";
    for (const auto& [name, board] : Odds)
        for (const char* side : {" w", " b"})
            if (const auto pos = engine::Position::from_fen(std::string(board) + side))
                std::cout << fmt::format(
                    " {}{} {}",
                    name,
                    side,
                    quantised.evaluate(make_sample(*pos, 0, GameResult::Drawn)));
    std::cout << '\n';
}

// Random weights, or those of the network to train further.
Model begin(const Options& o) {
    if (o.from.empty())
        return {o.hidden != 0 ? o.hidden : engine::Hidden, o.plan.seed};
    const std::string bytes = value_or_throw(tools::read_bytes(o.from));
    Model model = value_or_throw(Model::from_file(bytes), o.from + ": ");
    if (!can_train(model.hidden))
        throw Failure(o.from + ": cannot train its hidden size");
    if (o.hidden != 0 && o.hidden != model.hidden)
        throw Failure(fmt::format("{}: has hidden size {}", o.from, model.hidden));
    return model;
}

// Prints an epoch; false if the weights are no longer finite.
bool report(const EpochReport& r) {
    std::cout << fmt::format(
                     "epoch {:3}  learning rate {:.2e}  training {:.6f}  held out {:.6f}  {:.2f} M "
                     "samples/s",
                     r.epoch,
                     r.learning_rate,
                     r.training_loss,
                     r.held_out_loss,
                     r.samples_per_second / 1e6)
              << std::endl;
    return std::isfinite(r.training_loss);
}

// Writes the empty file beside it through which it will be replaced: now rather than after hours.
void check_output(const std::string& name) {
    std::filesystem::path path = engine::platform::resolved(name);
    std::error_code none;
    if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none))
        return;  // a pipe or a device is written directly
    path += ".new";
    if (!std::ofstream(path, std::ios::binary))
        throw Failure("cannot write " + name);
    std::filesystem::remove(path, none);
}

// The checkpoint to continue. Without --resume, one that is there is not overwritten.
std::optional<Checkpoint> last_checkpoint(const Options& o) {
    using engine::platform::long_path;
    if (o.checkpoint.empty())
        return std::nullopt;
    std::error_code none;
    if (!std::filesystem::exists(long_path(o.checkpoint), none)) {
        check_output(o.checkpoint);
        return std::nullopt;
    }
    if (!o.resume)
        throw Failure(o.checkpoint + ": exists already; --resume continues its training");
    return value_or_throw(read_checkpoint(o.checkpoint));
}

// Trains, from the checkpoint if there is one, and writes checkpoints.
void train_on(const Options& o,
              const std::optional<Checkpoint>& last,
              std::uint64_t identity,
              Model& model,
              const SampleSet& samples,
              const TrainingPlan& plan) {
    Checkpointing checkpointing{
        .interval = std::chrono::duration<double, std::ratio<60>>(o.checkpoint_every)};
    if (!o.checkpoint.empty())
        checkpointing.save = [&](const TrainingState& state) {
            if (const auto written = write_checkpoint(o.checkpoint, {identity, state}); !written)
                std::cerr << "nutcracker-train: " << written.error().what << std::endl;
        };
    if (last) {
        if (last->identity != identity || last->state.weights.size() != model.weights.size())
            throw Failure(o.checkpoint + ": belongs to a training with other options or games");
        checkpointing.resume = &last->state;
        std::cout << fmt::format(
            "resumed in epoch {}, after {} positions\n", last->state.epoch, last->state.done);
    }
    train(model, samples, plan, report, checkpointing);
}

// What the distillation depends on, apart from the games; 0: there is none.
std::uint64_t identity_of(const DistillationPlan& plan, int epochs) {
    if (plan.children == 0)
        return 0;
    const auto numbers =
        static_cast<std::uint64_t>(plan.children) << 32U | static_cast<std::uint64_t>(epochs);
    if (!plan.teacher)
        return numbers;
    const std::string weights = QuantisedModel(*plan.teacher).file("");
    return tools::checksum(weights, numbers);
}

void distill(const Options& o,
             const DistillationPlan& plan,
             double scale,
             const std::optional<Checkpoint>& last,
             Model& model) {
    SampleSet samples;
    for (const std::string& path : o.games)
        value_or_throw(add_teacher_samples(path, plan, samples));
    if (samples.training.empty())
        throw Failure("no child position is usable for distillation");
    std::cout << fmt::format("{} samples of the teacher\n", samples.training.size());
    TrainingPlan training = o.plan;
    training.epochs = o.distillation_epochs;
    training.batch_size = DistillationBatch;
    training.learning_rate = DistillationRate;
    training.drops.clear();
    training.lambda = training.end_lambda = 0;
    training.lambda_by_men = false;
    training.scale = scale;
    train_on(o, last, identity_of(training, samples, model), model, samples, training);
}

SampleSet read_samples(const Options& o) {
    SampleSet samples;
    for (const std::string& path : o.games)
        value_or_throw(add_samples(path, o.td_lambda, samples));
    if (samples.training.empty())
        throw Failure("no usable positions");
    std::cout << fmt::format(
        "{} games, {} children, {} plies, {} training positions, {} held out, {} of both solved\n",
        samples.games,
        samples.children,
        samples.plies,
        samples.training.size(),
        samples.held_out.size(),
        samples.known);
    return samples;
}

// The scale that was asked for, or the one that fits the games.
double scale_for(const Options& o, const SampleSet& samples) {
    const auto fitted = fitted_scale(samples);
    if (!fitted && o.plan.scale <= 0)
        throw Failure("no game has a result to fit the scale to: give --scale");
    const double scale = o.plan.scale > 0 ? o.plan.scale : *fitted;
    if (fitted)
        std::cout << fmt::format(
            "scores predict results best at scale {}, used {}\n", *fitted, scale);
    return scale;
}

// Distills and trains, or goes on from the checkpoint.
void train_here(const Options& o,
                std::optional<Checkpoint> last,
                const SampleSet& samples,
                Model& model) {
    DistillationPlan distillation = o.distillation;
    distillation.seed = o.plan.seed;
    if (!o.teacher.empty())
        distillation.teacher = value_or_throw(
            Model::from_file(value_or_throw(tools::read_bytes(o.teacher))), o.teacher + ": ");
    const std::uint64_t identity =
        identity_of(o.plan, samples, model, identity_of(distillation, o.distillation_epochs));
    if (distillation.children > 0 && !(last && last->identity == identity)) {
        distill(o, distillation, o.plan.scale, last, model);
        last.reset();
    }
    train_on(o, last, identity, model, samples, o.plan);
}

// The files that a run writes or replaces, with the unfinished ones beside them.
std::vector<std::string> written_files(const Options& o) {
    std::vector<std::string> files;
    if (!o.output.empty())
        files.push_back(o.output);
    if (!o.checkpoint.empty())
        files.push_back(o.checkpoint);
    if (!o.gpu_files.empty())
        for (const char* part : {".samples", ".held-out", ".weights"})
            files.push_back(o.gpu_files + part);
    for (std::size_t i = files.size(); i-- > 0;)
        files.push_back(files[i] + ".new");
    return files;
}

// Refuses to write a file that is read, or two files of one name.
void check_files(const Options& o) {
    using engine::platform::resolved;
    std::set<std::filesystem::path> written;
    for (const std::string& file : written_files(o))
        if (!written.insert(std::filesystem::weakly_canonical(resolved(file))).second)
            throw Failure(file + ": network and checkpoint need different names");
    std::vector<std::string> read = o.games;
    for (const std::string& file : {o.from, o.teacher, o.gpu_weights})
        if (!file.empty())
            read.push_back(file);
    std::error_code none;
    for (const std::string& file : written_files(o))
        for (const std::string& source : read)
            if (std::filesystem::equivalent(resolved(file), resolved(source), none))
                throw Failure(source + " is read, and cannot be written");
}

int run(const tools::Words& words) {
    Options o = parse_training(words);
    check_files(o);
    const SampleSet samples = read_samples(o);
    Model model = begin(o);
    if (!o.gpu_files.empty()) {
        value_or_throw(write_gpu_files(o.gpu_files, samples, model));
        return 0;
    }
    o.plan.scale = scale_for(o, samples);
    std::optional<Checkpoint> last = last_checkpoint(o);
    check_output(o.output);
    if (o.gpu_weights.empty())
        train_here(o, std::move(last), samples, model);
    else
        value_or_throw(read_gpu_weights(o.gpu_weights, model));
    const QuantisedModel quantised(model);
    value_or_throw(tools::replace_file(o.output, quantised.file(o.name)));
    print_odds(quantised);
    return check_quantised(model, quantised, samples) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-train", argc, argv, run);
}

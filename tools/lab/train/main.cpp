// nutcracker-train: trains a network on files of self-play games.
#include "engine/platform/file.h"
#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/lab/train/distillation.h"
#include "tools/lab/train/trainer.h"

#include <cmath>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

namespace {

namespace po = boost::program_options;
using namespace tools::train;
using tools::bound;
using tools::Failure;
using tools::value_or_throw;

constexpr std::size_t CheckedPositions = 10'000, DistillationBatch = 8'192;
constexpr double DistillationRate = 0.001;
constexpr double MaxQuantisationError = 3.0;  // centipawns, on average

struct Options {
    std::vector<std::string> games;
    std::string output, name = "network", from;
    int hidden = 0;  // 0: not given
    TrainingPlan plan;
    DistillationPlan distillation;
    int distillation_epochs = 8;
};

void check(const Options& o) {
    const TrainingPlan& plan = o.plan;
    if (o.games.empty() || o.output.empty())
        throw Failure("files of games and a file to write (--output) are needed");
    const auto is_share = [](double x) { return x >= 0 && x <= 1; };
    if (plan.epochs < 1 || o.distillation.children < 0 || o.distillation.children > 1'000 ||
        o.distillation_epochs < 1 || plan.batch_size < 1 || plan.threads < 1 ||
        plan.threads > 256 || !(plan.learning_rate > 0) || !(plan.scale >= 0) ||
        !(plan.end_learning_rate >= 0) || !(plan.weight_decay >= 0) ||
        !std::all_of(plan.drops.begin(), plan.drops.end(), is_share) || !is_share(plan.lambda) ||
        !is_share(plan.end_lambda))
        throw Failure("a number is out of range");
}

Options parse(const tools::Words& words) {
    Options o;
    TrainingPlan& plan = o.plan;
    plan.scale = 0;
    po::options_description options(
        "Usage: nutcracker-train GAMES... --output FILE [OPTION...]\n\n"
        "Trains a network on files of games made by nutcracker-datagen.\n\nOptions");
    auto option = options.add_options();
    option("games", po::value(&o.games)->multitoken(), "files of games");
    option("output,o", po::value(&o.output), "network file to write");
    option("name", bound(o.name), "name that is kept in the file");
    option("from", po::value(&o.from), "network file to train further");
    option(
        "hidden",
        po::value(&o.hidden),
        "hidden size, neurons for each side: 16, 32, 64, 128 or 256. The engine runs only its own "
        "size, which is the default");
    option("epochs", bound(plan.epochs), "passes over all positions");
    option("batch", bound(plan.batch_size), "batch size in positions");
    option("distill",
           bound(o.distillation.children),
           "before the games, train on this many child positions of every position, with the score "
           "of the hand-written evaluation (the teacher)");
    option("distill-epochs", bound(o.distillation_epochs), "epochs of that distillation");
    option("learning-rate", bound(plan.learning_rate), "learning rate at the beginning");
    option("end-learning-rate", bound(plan.end_learning_rate), "at the end, along a cosine");
    option(
        "drops",
        po::value(&plan.drops)->multitoken(),
        "instead of the cosine: parts of the run (0 to 1) after which the learning rate falls to "
        "a tenth");
    option("lambda", bound(plan.lambda), "weight of the result (WDL) in the target; rest: score");
    option("end-lambda", po::value(&plan.end_lambda), "lambda at the end, reached linearly");
    option("scale", bound(plan.scale), "centipawns of a score of 73 %; 0: fitted to the games");
    option("weight-decay", bound(plan.weight_decay), "weight decay of AdamW");
    option("threads", bound(plan.threads), "number of threads");
    option("seed", bound(plan.seed), "seed of weights and order");
    const po::variables_map given = tools::parse_options(
        {.who = "nutcracker-train",
         .words = words,
         .rest = "games",
         .explanation = "\nExit status: 0; 1 if the quantised network differs too much from the "
                        "trained one;\n2 for wrong use or an error.\n"},
        options);
    if (!given.contains("end-lambda"))
        plan.end_lambda = plan.lambda;
    if (given.contains("hidden") && !can_train(o.hidden))
        throw Failure("--hidden must be 16, 32, 64, 128 or 256");
    check(o);
    return o;
}

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

void distill(const Options& o, double scale, Model& model) {
    SampleSet samples;
    DistillationPlan plan = o.distillation;
    plan.seed = o.plan.seed;
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
    training.scale = scale;
    train(model, samples, training, report);
}

int run(const tools::Words& words) {
    Options o = parse(words);
    SampleSet samples;
    for (const std::string& path : o.games)
        value_or_throw(add_samples(path, samples));
    if (samples.training.empty())
        throw Failure("no usable positions");
    std::cout << fmt::format(
        "{} games, {} children, {} plies, {} training positions, {} held out\n",
        samples.games,
        samples.children,
        samples.plies,
        samples.training.size(),
        samples.held_out.size());
    TrainingPlan& plan = o.plan;
    const auto fitted = fitted_scale(samples);
    if (!fitted && plan.scale <= 0)
        throw Failure("no game has a result to fit the scale to: give --scale");
    const double scale = plan.scale > 0 ? plan.scale : *fitted;
    if (fitted)
        std::cout << fmt::format(
            "scores predict results best at scale {}, used {}\n", *fitted, scale);
    Model model = begin(o);
    const Failure cannot_write("cannot write " + o.output);
    if (!std::ofstream(engine::platform::long_path(o.output),
                       std::ios::app))  // tested now rather than after hours
        throw cannot_write;
    if (o.distillation.children > 0)
        distill(o, scale, model);
    plan.scale = scale;
    train(model, samples, plan, report);
    const QuantisedModel quantised(model);
    std::ofstream file(engine::platform::long_path(o.output), std::ios::binary);
    file << quantised.file(o.name);
    if (!file.flush())
        throw cannot_write;
    print_odds(quantised);
    return check_quantised(model, quantised, samples) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-train", argc, argv, run);
}

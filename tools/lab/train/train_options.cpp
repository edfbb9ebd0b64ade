#include "tools/lab/train/train_options.h"

#include <algorithm>

namespace tools::train {
namespace {

namespace po = boost::program_options;

void check(const Options& o) {
    const TrainingPlan& plan = o.plan;
    if (o.games.empty() || (o.output.empty() && o.gpu_files.empty()))
        throw Failure("files of games and a file to write (--output) are needed");
    if (!o.gpu_files.empty() && (!o.gpu_weights.empty() || !o.output.empty()))
        throw Failure("--gpu-files writes no network");
    const bool trains = o.gpu_files.empty() && o.gpu_weights.empty();
    if (!trains && (o.distillation.children > 0 || !o.checkpoint.empty()))
        throw Failure(
            "--gpu-files and --gpu-weights cannot be used with --distill and --checkpoint");
    if (!(plan.learning_rate > 0))
        throw Failure("--learning-rate must be above 0");
    if (!std::all_of(
            plan.drops.begin(), plan.drops.end(), [](double x) { return x >= 0 && x <= 1; }))
        throw Failure("--drops must be 0 to 1");
    if (!o.teacher.empty() && o.distillation.children == 0)
        throw Failure("--teacher needs --distill");
    if (o.resume && o.checkpoint.empty())
        throw Failure("--resume needs --checkpoint");
}

// The plan has drops for steps and none for the cosine.
void set_schedule(Options& o) {
    std::vector<double>& drops = o.plan.drops;
    if (!o.schedule.empty() && o.schedule != "cosine" && o.schedule != "step")
        throw Failure("--schedule must be cosine or step");
    if (o.schedule == "cosine" && !drops.empty())
        throw Failure("--drops needs --schedule step");
    if (o.schedule == "step" && drops.empty())
        drops = {0.6, 0.85};
}

// The options that decide what is learned from what.
void describe_training(Options& o, po::options_description& options) {
    TrainingPlan& plan = o.plan;
    auto option = options.add_options();
    option("games", po::value(&o.games)->multitoken(), "files of games");
    option("output,o", po::value(&o.output), "network file to write");
    option("name", bound(o.name), "name that is kept in the file");
    option("from", po::value(&o.from), "network file to train further");
    option("hidden",
           po::value(&o.hidden),
           "hidden size, neurons for each side: 16, 32, 64, 128, 256, 384 or 512. The engine runs "
           "only its own size, which is the default");
    option("epochs", bound(plan.epochs, 1), "passes over all positions");
    option("batch", bound(plan.batch_size, 1), "batch size in positions");
    option("distill",
           bound(o.distillation.children, 0, 1'000),
           "before the games, train on this many child positions of every position, with the "
           "static score of a teacher");
    option(
        "teacher", po::value(&o.teacher), "a network file; default: the hand-written evaluation");
    option("distill-epochs", bound(o.distillation_epochs, 1), "epochs of that distillation");
    option("learning-rate", bound(plan.learning_rate), "learning rate at the beginning");
    option("end-learning-rate",
           bound(plan.end_learning_rate, 0),
           "learning rate at the end of the cosine schedule");
    option("schedule",
           po::value(&o.schedule),
           "of the learning rate: cosine, down to --end-learning-rate (default), or step, divided "
           "by ten at each of --drops");
    option("drops",
           po::value(&plan.drops)->multitoken(),
           "points of the run (0 to 1) for --schedule step, which they imply (default: 0.6 0.85)");
    option("lambda",
           bound(plan.lambda, 0, 1),
           "weight of the result (WDL) in the target; rest: score");
    option("end-lambda", ranged(plan.end_lambda, 0, 1), "lambda at the end, reached linearly");
    option("lambda-by-men",
           po::bool_switch(&plan.lambda_by_men),
           "instead of --lambda: from 0.1 with 32 men on the board to 0.4 with 8 or fewer");
    option("td-lambda",
           bound(o.td_lambda, 0, 1),
           "TD(lambda): weight of the next position's value in the score of a position, 0 to 1");
    option("scale", bound(plan.scale, 0), "centipawns of a score of 73 %; 0: fitted to the games");
    option("weight-decay", bound(plan.weight_decay, 0), "weight decay of AdamW");
    option("threads", bound(plan.threads, 1, 256), "number of threads");
    option("seed", bound(plan.seed), "seed of weights and order");
}

}  // namespace

Options parse_training(const Words& words) {
    Options o;
    TrainingPlan& plan = o.plan;
    plan.scale = 0;
    po::options_description options(
        "Usage: nutcracker-train GAMES... --output FILE [OPTION...]\n\n"
        "Trains a network on files of games made by nutcracker-datagen.\n\nOptions");
    describe_training(o, options);
    auto option = options.add_options();
    option("checkpoint",
           po::value(&o.checkpoint),
           "file for the state of the training, from which an interrupted training can go on");
    option("checkpoint-every", bound(o.checkpoint_every, 0), "minutes between two checkpoints");
    option("resume",
           po::bool_switch(&o.resume),
           "go on from the checkpoint, if there is one; the other options must be as before");
    option("gpu-files",
           po::value(&o.gpu_files),
           "instead of training, write what gpu-train (tools/lab/gpu) needs: ARG.samples, "
           "ARG.held-out, ARG.weights");
    option("gpu-weights",
           po::value(&o.gpu_weights),
           "instead of training, take the weights that gpu-train (tools/lab/gpu) wrote");
    const po::variables_map given = parse_options(
        {.who = "nutcracker-train",
         .words = words,
         .rest = "games",
         .explanation = "\nExit status: 0; 1 if the quantised network differs too much from the "
                        "trained one;\n2 for wrong use or an error.\n"},
        options);
    if (plan.lambda_by_men && (!given["lambda"].defaulted() || given.contains("end-lambda")))
        throw Failure("either --lambda-by-men, or --lambda and --end-lambda");
    if (!given.contains("end-lambda"))
        plan.end_lambda = plan.lambda;
    set_schedule(o);
    if (given.contains("hidden") && !can_train(o.hidden))
        throw Failure("--hidden must be 16, 32, 64, 128, 256, 384 or 512");
    check(o);
    return o;
}

}  // namespace tools::train

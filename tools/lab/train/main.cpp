// nutcracker-train: makes a network from files of self-play games.
#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/lab/train/distillation.h"
#include "tools/lab/train/trainer.h"

#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>

namespace {

namespace po = boost::program_options;

constexpr std::size_t CheckedPositions = 10'000, LessonBatch = 8'192;
constexpr double LessonRate = 0.001;
constexpr double AllowedError = 3.0;  // centipawns that the integers may be off, on average

struct Options {
    std::vector<std::string> games;
    std::string output, name, from;
    std::optional<int> hidden;
    tools::TrainingPlan plan;
    tools::LessonPlan lessons;
    int lesson_passes = 8;
};

int complain(const std::string& what) {
    std::cerr << "nutcracker-train: " << what << '\n';
    return 2;
}

// Reads the options; an exit code if there is nothing more to do.
std::optional<int> parse(const std::vector<std::string>& arguments, Options& o) {
    tools::TrainingPlan& plan = o.plan;
    po::options_description words("nutcracker-train: a network from files of self-play games");
    words.add_options()("help", "this text")(
        "games", po::value(&o.games)->multitoken(), "files of nutcracker-datagen")(
        "output,o", po::value(&o.output), "network file to write")(
        "name", po::value(&o.name)->default_value("network"), "kept in the file")(
        "from", po::value(&o.from), "network file to train further")(
        "hidden",
        po::value<int>()->notifier([&o](int n) { o.hidden = n; }),
        "neurons a side: 16, 32, 64, 128, 256; the engine takes only as many as its own has, and "
        "so many there are if nothing else is said")(
        "passes", po::value(&plan.passes)->default_value(30), "over all positions")(
        "batch", po::value(&plan.batch)->default_value(16'384), "positions a step")(
        "lessons",
        po::value(&o.lessons.children)->default_value(0),
        "to begin with: what the hand-written evaluation says of so many children of each "
        "position")("lesson-passes", po::value(&o.lesson_passes)->default_value(8), "over them")(
        "rate", po::value(&plan.rate)->default_value(0.001), "of learning, at first")(
        "last-rate", po::value(&plan.last_rate)->default_value(0.00001), "reached by a cosine")(
        "drops",
        po::value(&plan.drops)->multitoken(),
        "parts of the run after which the rate falls to a tenth; no cosine then")(
        "result-share", po::value(&plan.result_share)->default_value(0.75), "in the target")(
        "last-result-share", po::value(&plan.last_result_share), "reached linearly")(
        "scale",
        po::value(&plan.scale)->default_value(0),
        "centipawns at which the expected score is 73 %; 0: as the games say")(
        "decay", po::value(&plan.decay)->default_value(0.01), "of the weights")(
        "threads", po::value(&plan.threads)->default_value(2), "of the processor")(
        "seed", po::value(&plan.seed)->default_value(1), "of weights and order");
    po::variables_map given;
    if (const auto code = tools::read_options(
            {.who = "nutcracker-train", .words = arguments, .rest = "games"}, words, given))
        return code;
    if (!given.contains("last-result-share"))
        plan.last_result_share = plan.result_share;
    if (o.games.empty() || o.output.empty())
        return complain("games to read and a file to write (--output) are needed");
    if (o.hidden && !tools::can_train(*o.hidden))
        return complain("--hidden is 16, 32, 64, 128 or 256");
    const auto is_share = [](double x) { return x >= 0 && x <= 1; };
    if (plan.passes < 1 || o.lessons.children < 0 || o.lessons.children > 1'000 ||
        o.lesson_passes < 1 || plan.batch < 1 || plan.threads < 1 || plan.threads > 256 ||
        !(plan.rate > 0) || !(plan.scale >= 0) || !(plan.last_rate >= 0) || !(plan.decay >= 0) ||
        !std::all_of(plan.drops.begin(), plan.drops.end(), is_share) ||
        !is_share(plan.result_share) || !is_share(plan.last_result_share))
        return complain("a number is out of range");
    return std::nullopt;
}

// Positions with a piece of Black's missing.
constexpr std::array<std::pair<const char*, const char*>, 5> Odds{
    {{"equal", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
     {"pawn", "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
     {"knight", "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
     {"rook", "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
     {"queen", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}}};

// What the integers lose against the floating point; false if it is too much.
bool check_quantised(const tools::Model& model,
                     const tools::QuantisedModel& quantised,
                     const tools::SampleSet& samples) {
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
    std::cout << "quantised: off by " << std::setprecision(2) << mean << " centipawns, at most "
              << largest << ", on " << count << " positions\n";
    return mean <= AllowedError;
}

// What a missing piece is worth to the network: a wrong perspective shows here.
void print_odds(const tools::QuantisedModel& quantised) {
    std::cout << "odds:";
    for (const auto& [name, board] : Odds)
        for (const char* side : {" w", " b"})
            if (const auto pos = engine::Position::from_fen(std::string(board) + side))
                std::cout << ' ' << name << side << ' '
                          << quantised.evaluate(
                                 tools::make_sample(*pos, 0, tools::GameResult::Drawn));
    std::cout << '\n';
}

// Random weights, or those of the network to go on with.
Result<tools::Model> begin(const Options& o) {
    if (o.from.empty())
        return tools::Model(o.hidden.value_or(engine::Hidden), o.plan.seed);
    const Result<std::string> bytes = tools::read_bytes(o.from);
    if (!bytes)
        return fail(bytes.error().what);
    Result<tools::Model> model = tools::Model::from_file(*bytes);
    if (!model)
        return fail(o.from + ": " + model.error().what);
    if (!tools::can_train(model->hidden))
        return fail(o.from + ": cannot train its number of neurons");
    if (o.hidden && *o.hidden != model->hidden)
        return fail(o.from + ": has " + std::to_string(model->hidden) + " neurons a side");
    return model;
}

// Returns whether the weights are still numbers.
bool report(const tools::PassReport& r) {
    std::cout << "pass " << std::setw(3) << r.pass << "  rate " << std::scientific
              << std::setprecision(2) << r.rate << "  training " << std::fixed
              << std::setprecision(6) << r.training_loss << "  held out " << r.held_out_loss << "  "
              << std::setprecision(2) << r.visits_per_second / 1e6 << " M visits/s" << std::endl;
    return std::isfinite(r.training_loss);
}

// What the hand-written evaluation can tell, before the games.
Result<void> take_lessons(const Options& o, double scale, tools::Model& model) {
    tools::SampleSet lessons;
    tools::LessonPlan plan = o.lessons;
    plan.seed = o.plan.seed;
    for (const std::string& path : o.games)
        if (const Result<void> added = tools::add_lessons(path, plan, lessons); !added)
            return added;
    if (lessons.training.empty())
        return fail("no position to give lessons on");
    std::cout << lessons.training.size() << " lessons\n";
    tools::TrainingPlan taught = o.plan;
    taught.passes = o.lesson_passes;
    taught.batch = LessonBatch;
    taught.rate = LessonRate;
    taught.drops.clear();
    taught.result_share = taught.last_result_share = 0;
    taught.scale = scale;
    tools::train(model, lessons, taught, report);
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    if (const auto code = parse({argv + 1, argv + argc}, o))
        return *code;
    tools::SampleSet samples;
    for (const std::string& path : o.games) {
        const Result<void> added = tools::add_samples(path, samples);
        if (!added)
            return complain(added.error().what);
    }
    if (samples.training.empty())
        return complain("no usable positions");
    std::cout << samples.games << " games, " << samples.children << " children, " << samples.plies
              << " plies, " << samples.training.size() << " positions to train on, "
              << samples.held_out.size() << " held out\n";
    tools::TrainingPlan plan = o.plan;
    if (const auto fitted = tools::fitted_scale(samples)) {
        plan.scale = plan.scale > 0 ? plan.scale : *fitted;
        std::cout << "scores foretell results best at scale " << *fitted << ", used " << plan.scale
                  << '\n';
    } else if (plan.scale <= 0) {
        return complain("no game has a result to find the scale by: give --scale");
    }
    Result<tools::Model> begun = begin(o);
    if (!begun)
        return complain(begun.error().what);
    if (!std::ofstream(o.output, std::ios::app))  // rather than after hours
        return complain("cannot write " + o.output);
    tools::Model& model = *begun;
    if (o.lessons.children > 0)
        if (const Result<void> taken = take_lessons(o, plan.scale, model); !taken)
            return complain(taken.error().what);
    tools::train(model, samples, plan, report);
    const tools::QuantisedModel quantised(model);
    std::ofstream file(o.output, std::ios::binary);
    file << quantised.file(o.name);
    if (!file.flush())
        return complain("cannot write " + o.output);
    print_odds(quantised);
    return check_quantised(model, quantised, samples) ? 0 : 1;
}

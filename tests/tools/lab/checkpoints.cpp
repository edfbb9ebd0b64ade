// Checkpoints of a training: whatever interrupts it, it ends with the same network.
#include "engine/engine.h"
#include "tests/folder.h"
#include "tests/posix/child.h"
#include "tools/common/files.h"
#include "tools/lab/datagen/training_game.h"
#include "tools/lab/train/checkpoint.h"

#include <algorithm>
#include <fstream>

#include <boost/test/unit_test.hpp>

using namespace tools::train;  // NOLINT(google-build-using-namespace)

namespace {

const std::string& games() {
    static const std::string Played = [] {
        const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
        std::string bytes = encode(tools::datagen::GamesHeader{});
        for (std::uint64_t seed = 1; seed <= 8; ++seed)
            bytes +=
                encode(tools::datagen::play_training_game(*searcher, {.soft_nodes = 40}, seed));
        return bytes;
    }();
    return Played;
}

SampleSet samples() {
    const Folder folder;
    std::ofstream(folder / "games", std::ios::binary) << games();
    SampleSet set;
    BOOST_TEST_REQUIRE(add_samples((folder / "games").string(), 0, set).has_value());
    return set;
}

TrainingPlan small_plan(int threads) {
    TrainingPlan plan;
    plan.epochs = 3;
    plan.batch_size = 50;
    plan.threads = threads;
    plan.learning_rate = 0.01;
    plan.end_lambda = 0.25;
    return plan;
}

bool always(const EpochReport& /*report*/) {
    return true;
}

Checkpoint some_checkpoint() {
    return {5, {2, 100, 0.5, 17, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
}

// The program on the games in the folder.
class Training {
  public:
    explicit Training(const Folder& folder) : folder_(folder) {
        std::ofstream(folder / "games", std::ios::binary) << games();
    }
    [[nodiscard]] std::vector<std::string> words(std::vector<std::string> more) const {
        std::vector<std::string> all{NUTCRACKER_TRAIN,
                                     (folder_ / "games").string(),
                                     "--output",
                                     (folder_ / "net").string(),
                                     "--hidden",
                                     "16",
                                     "--epochs",
                                     "6",
                                     "--batch",
                                     "40",
                                     "--scale",
                                     "158"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    [[nodiscard]] std::vector<std::string>
    words_with_checkpoint(std::vector<std::string> more) const {
        more.insert(more.end(),
                    {"--checkpoint", (folder_ / "state").string(), "--checkpoint-every", "0"});
        return words(more);
    }
    [[nodiscard]] std::string network() const {
        return tools::read_bytes((folder_ / "net").string()).value();
    }

  private:
    const Folder& folder_;
};

// Kills the program after some lines, beyond the first epoch of a stage, and resumes it.
void check_killed(std::vector<std::string> options, int lines) {
    const Folder whole_folder, cut_folder;
    const Training whole(whole_folder), cut(cut_folder);
    BOOST_TEST(Child(whole.words(options)).status() <= 1);
    {
        Child child(cut.words_with_checkpoint(options));
        for (int i = 0; i < lines; ++i)
            BOOST_TEST(child.line());
    }  // killed
    options.emplace_back("--resume");
    Child resumed(cut.words_with_checkpoint(options));
    BOOST_TEST(resumed.status() <= 1);
    const std::vector<std::string> lines_after = resumed.lines();
    BOOST_TEST(std::any_of(lines_after.begin(), lines_after.end(), [](const std::string& line) {
        return line.starts_with("resumed in epoch") && !line.starts_with("resumed in epoch 1,");
    }));
    BOOST_TEST((cut.network() == whole.network()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(checkpoints, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(a_training_goes_on_from_every_batch) {
    const SampleSet set = samples();
    for (const int threads : {1, 2}) {
        const TrainingPlan plan = small_plan(threads);
        std::vector<std::string> states;
        Model whole(16, 1);
        train(whole, set, plan, always, {.save = [&states](const TrainingState& state) {
                  states.push_back(encode(Checkpoint{1, state}));
              }});
        const std::size_t batches = (set.training.size() + 49) / 50;
        BOOST_TEST_REQUIRE(states.size() == 3 * batches);
        for (std::size_t i = 0; i < states.size(); i += 5) {
            const auto checkpoint = decode_checkpoint(states[i]);
            BOOST_TEST_REQUIRE(checkpoint.has_value());
            BOOST_TEST(checkpoint->state.epoch == static_cast<int>(i / batches) + 1);
            Model resumed(16, 2);
            int epochs = 0;
            const auto count = [&epochs](const EpochReport&) { return ++epochs > 0; };
            train(resumed, set, plan, count, {.resume = &checkpoint->state});
            BOOST_TEST((resumed.weights == whole.weights));
            BOOST_TEST(epochs == 4 - checkpoint->state.epoch);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_checkpoint_at_the_end_holds_the_trained_weights) {
    const SampleSet set = samples();
    Model model(16, 1);
    int saved = 0;
    std::vector<float> weights;
    train(model,
          set,
          small_plan(2),
          always,
          {.interval = std::chrono::hours(1), .save = [&](const TrainingState& state) {
               ++saved;
               weights = state.weights;
           }});
    BOOST_TEST(saved == 1);
    BOOST_TEST((weights == model.weights));
}

BOOST_AUTO_TEST_CASE(a_killed_training_ends_with_the_same_network) {
    check_killed({}, 4);
}

BOOST_AUTO_TEST_CASE(a_training_killed_in_its_distillation_does_too) {
    check_killed({"--distill", "1", "--distill-epochs", "40"}, 5);
    check_killed({"--distill", "1", "--distill-epochs", "3"}, 8);
}

BOOST_AUTO_TEST_CASE(only_the_same_training_is_resumed) {
    const Folder folder;
    const Training training(folder);
    const std::string path = (folder / "state").string();
    BOOST_TEST(Child(training.words_with_checkpoint({"--resume"})).status() <= 1);
    const std::string state = tools::read_bytes(path).value();
    const auto complaint = [&](const std::vector<std::string>& words) {
        Child child(training.words_with_checkpoint(words), true);
        BOOST_TEST(child.status() == 2);
        BOOST_TEST((tools::read_bytes(path).value() == state));
        return child.lines().back();
    };
    BOOST_TEST(complaint({}).find("exists already") != std::string::npos);
    BOOST_TEST(complaint({"--resume", "--lambda", "0.3"}).find("other options or games") !=
               std::string::npos);
    BOOST_TEST(complaint({"--resume", "--distill", "1"}).find("other options or games") !=
               std::string::npos);
    const std::string net = training.network();
    BOOST_TEST(Child(training.words_with_checkpoint({"--resume"})).status() <= 1);
    BOOST_TEST((training.network() == net));
}

BOOST_AUTO_TEST_CASE(no_file_that_is_read_is_written) {
    const Folder folder;
    const Training training(folder);
    const std::string net = (folder / "net").string(), data = (folder / "games").string();
    BOOST_TEST(Child(training.words({})).status() <= 1);
    const std::string trained = training.network();
    const std::string other = (folder / "other.new").string(), link = (folder / "link").string();
    std::ofstream(other, std::ios::binary) << trained;
    std::filesystem::create_hard_link(data, link);
    const std::string other_net = (folder / "other").string();
    const std::vector<std::string> quick{
        NUTCRACKER_TRAIN, data, "--hidden", "16", "--epochs", "1", "--scale", "158"};
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--output", data},
          {"--output", link},
          {"--output", net, "--from", net},
          {"--output", other_net, "--from", other},
          {"--output", net, "--distill", "1", "--teacher", net},
          {"--output", net, "--checkpoint", (folder / "." / "games").string()},
          {"--output", other_net, "--checkpoint", other_net},
          {"--output", other_net, "--checkpoint", (folder / "." / "other").string()},
          {"--output", other_net, "--checkpoint", other, "--resume"}}) {
        std::vector<std::string> words = quick;
        words.insert(words.end(), wrong.begin(), wrong.end());
        Child child(words, true);
        BOOST_TEST(child.status() == 2);
        BOOST_TEST(child.lines().size() == 1U);
        BOOST_TEST((tools::read_bytes(data).value() == games()));
        BOOST_TEST((training.network() == trained));
        BOOST_TEST((tools::read_bytes(other).value() == trained));
        BOOST_TEST(!std::filesystem::exists(other_net));
    }
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_network_that_was_there) {
    const Folder folder;
    const Training training(folder);
    BOOST_TEST(Child(training.words({})).status() <= 1);
    const std::string before = training.network();
    std::vector<std::string> words = training.words({"--seed", "2"});
    words.insert(words.begin(), {"/bin/sh", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\""});
    Child full(words, true);
    BOOST_TEST(full.status() == 2);
    BOOST_TEST(full.lines().back().find("cannot write") != std::string::npos);
    BOOST_TEST((training.network() == before));
    BOOST_TEST(!std::filesystem::exists(folder / "net.new"));
}

BOOST_AUTO_TEST_CASE(a_checkpoint_is_read_as_it_was_written) {
    const Folder folder;
    const std::string path = (folder / "state").string();
    const std::string bytes = encode(some_checkpoint());
    const auto read = decode_checkpoint(bytes);
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST((encode(*read) == bytes));
    BOOST_TEST(read->identity == 5U);
    BOOST_TEST(read->state.done == 100U);
    BOOST_TEST(read->state.square.back() == 9);
    std::ofstream(path) << std::string(10'000, 'x');
    std::ofstream(path + ".new") << std::string(10'000, 'x');
    BOOST_TEST(write_checkpoint(path, some_checkpoint()).has_value());
    BOOST_TEST((tools::read_bytes(path).value() == bytes));
    BOOST_TEST(!std::filesystem::exists(path + ".new"));
    BOOST_TEST(!write_checkpoint((folder / "none/state").string(), some_checkpoint()).has_value());
}

BOOST_AUTO_TEST_CASE(a_damaged_checkpoint_is_refused) {
    const std::string bytes = encode(some_checkpoint());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        BOOST_TEST(!decode_checkpoint(damaged).has_value());
        BOOST_TEST(!decode_checkpoint(bytes.substr(0, at)).has_value());
    }
    BOOST_TEST(decode_checkpoint("NUTNET02").error().what == "not a checkpoint");
    BOOST_TEST(decode_checkpoint("Nutcracker checkpoint 2\n").error().what ==
               "a checkpoint of another version");
}

BOOST_AUTO_TEST_CASE(other_plans_and_positions_have_another_identity) {
    SampleSet set = samples();
    const Model start(16, 1);
    TrainingPlan plan = small_plan(1);
    const std::uint64_t same = identity_of(plan, set, start);
    BOOST_TEST(identity_of(small_plan(1), samples(), Model(16, 1)) == same);
    BOOST_TEST(identity_of(plan, set, Model(16, 2)) != same);
    BOOST_TEST(identity_of(plan, set, start, 1) != same);
    BOOST_TEST(identity_of(small_plan(2), set, start) != same);
    plan.scale += 1;
    BOOST_TEST(identity_of(plan, set, start) != same);
    plan = small_plan(1);
    plan.lambda_by_men = true;
    BOOST_TEST(identity_of(plan, set, start) != same);
    plan = small_plan(1);
    plan.drops = {0.5};
    BOOST_TEST(identity_of(plan, set, start) != same);
    std::swap(set.training.front(), set.training.back());
    BOOST_TEST(identity_of(small_plan(1), set, start) != same);
}

BOOST_AUTO_TEST_SUITE_END()

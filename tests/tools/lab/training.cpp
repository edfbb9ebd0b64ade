// From samples to a network: training, and the quantised weights.
#include "engine/eval/accumulator.h"
#include "tests/tools/lab/models.h"
#include "tests/tools/lab/some_games.h"
#include "tools/lab/train/trainer.h"

#include <cmath>

#include <boost/test/unit_test.hpp>

using namespace tools::datagen;  // NOLINT(google-build-using-namespace)
using namespace tools::train;    // NOLINT(google-build-using-namespace)

BOOST_AUTO_TEST_SUITE(training, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(training_learns_what_the_games_say) {
    const SampleSet set = samples_of(games());
    BOOST_REQUIRE(set.training.size() > 200);
    Model model(16, 1);
    TrainingPlan plan;
    plan.epochs = 40;
    plan.batch_size = 128;
    plan.learning_rate = 0.01;
    plan.threads = 1;
    std::vector<double> losses;
    train(model, set, plan, [&losses](const EpochReport& r) {
        losses.push_back(r.training_loss);
        return true;
    });
    BOOST_TEST(losses.size() == 40U);
    BOOST_TEST(losses.back() < losses.front() / 4);
}

BOOST_AUTO_TEST_CASE(equal_seeds_train_equal_networks) {
    const SampleSet set = samples_of(games());
    TrainingPlan plan;
    plan.epochs = 1;
    plan.batch_size = 400;
    const auto trained = [&](std::uint64_t seed) {
        Model model(16, seed);
        train(model, set, plan, [](const EpochReport&) { return true; });
        return QuantisedModel(model).file("same");
    };
    BOOST_TEST((trained(1) == trained(1)));
    BOOST_TEST((trained(1) != trained(2)));
}

BOOST_AUTO_TEST_CASE(every_hidden_size_is_trained_and_written) {
    SampleSet set = samples_of(games());
    set.training.resize(100);
    TrainingPlan plan;
    plan.epochs = 2;
    plan.batch_size = 20;
    for (const int hidden : {16, 32, 64, 128, 256, 384, 512}) {
        BOOST_TEST_REQUIRE(can_train(hidden));
        Model model(hidden, 1);
        std::vector<double> losses;
        train(model, set, plan, [&losses](const EpochReport& r) {
            losses.push_back(r.training_loss);
            return true;
        });
        BOOST_TEST(losses.at(1) < losses.at(0));
        const QuantisedModel quantised(model);
        const std::string file = quantised.file("test");
        BOOST_TEST(engine::network_weights(file).value().hidden ==
                   static_cast<std::size_t>(hidden));
        const Result<Model> read = Model::from_file(file);
        BOOST_TEST_REQUIRE(read.has_value());
        BOOST_TEST((QuantisedModel(*read).file("test") == file));
        double difference = 0;
        for (const Sample& sample : set.training)
            difference +=
                std::abs(static_cast<double>(evaluate(model, sample)) - quantised.evaluate(sample));
        BOOST_TEST(difference / 100 < 4);
    }
    for (const int hidden : {-16, 0, 48, 1'024})
        BOOST_TEST(!can_train(hidden));
}

BOOST_AUTO_TEST_CASE(training_keeps_the_weights_within_their_limits) {
    const SampleSet set = samples_of(games());
    TrainingPlan plan;
    plan.epochs = 3;
    plan.batch_size = 100;
    plan.learning_rate = 2;
    Model model(64, 1);
    train(model, set, plan, [](const EpochReport&) { return true; });
    for (const WeightGroup& group : groups_of(model)) {
        float largest = 0;
        for (std::size_t at = group.begin; at < group.end; ++at)
            largest = std::max(largest, std::abs(model.weights[at]));
        BOOST_TEST(largest == (group.begin == model.threats_at() ? MaxThreatWeight : MaxWeight));
    }
}

BOOST_AUTO_TEST_CASE(the_rate_falls_as_planned) {
    TrainingPlan plan;
    plan.learning_rate = 1;
    plan.end_learning_rate = 0.1;
    BOOST_TEST(learning_rate(plan, 0) == 1.0);
    BOOST_TEST(std::abs(learning_rate(plan, 0.5) - 0.55) < 1e-9);
    BOOST_TEST(std::abs(learning_rate(plan, 1) - 0.1) < 1e-9);
    plan.drops = {0.45, 0.9};
    BOOST_TEST(learning_rate(plan, 0.44) == 1.0);
    BOOST_TEST(std::abs(learning_rate(plan, 0.5) - 0.1) < 1e-9);
    BOOST_TEST(std::abs(learning_rate(plan, 0.95) - 0.01) < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_engine_plays_with_the_integers_that_were_trained) {
    const SampleSet set = samples_of(games());
    Model model(engine::Hidden, 5);
    TrainingPlan plan;
    plan.epochs = 3;
    plan.batch_size = 100;
    plan.threads = 1;
    train(model, set, plan, [](const EpochReport&) { return true; });
    const QuantisedModel quantised(model);
    const auto net = engine::parse_network(quantised.file("test"));
    BOOST_REQUIRE(net.has_value());
    engine::AccumulatorStack stack(**net);
    double difference = 0;
    int positions = 0;
    for (const TrainingGame& game : games()) {
        engine::Position pos = game.start;
        stack.reset();
        for (const ScoredMove& ply : game.plies) {
            const Sample sample = make_sample(pos, 0, GameResult::Drawn);
            BOOST_REQUIRE_EQUAL(stack.evaluate(pos), quantised.evaluate(sample));
            difference +=
                std::abs(static_cast<double>(evaluate(model, sample)) - quantised.evaluate(sample));
            ++positions;
            stack.reset();
            pos.make(ply.move);
        }
    }
    BOOST_TEST(difference / positions < 8.0);
}

BOOST_AUTO_TEST_SUITE_END()

// Networks in training and their integers: files keep them, and both score alike.
#include "tests/tools/lab/models.h"

#include <cmath>

#include <boost/test/unit_test.hpp>

using namespace tools::train;  // NOLINT(google-build-using-namespace)

namespace {

bool all_equal(const Model& model, std::size_t begin, std::size_t end) {
    const std::size_t one = (end - begin) / engine::Buckets;
    const auto at = [&](std::size_t i) {
        return model.weights.begin() + static_cast<std::ptrdiff_t>(i);
    };
    return std::equal(at(begin), at(end - one), at(begin + one));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(models)

BOOST_AUTO_TEST_CASE(all_buckets_begin_alike_and_threats_with_nothing) {
    const Model model(32, 1);
    BOOST_TEST(all_equal(model, model.first_at(), model.first_bias_at()));
    BOOST_TEST(all_equal(model, model.second_at(), model.second_bias_at()));
    BOOST_TEST(all_equal(model, model.third_at(), model.third_bias_at()));
    BOOST_TEST(model.weights.size() == model.third_bias_at() + engine::Buckets);
    for (std::size_t at = model.threats_at(); at < model.first_at(); ++at)
        BOOST_TEST_REQUIRE(model.weights[at] == 0);
}

BOOST_AUTO_TEST_CASE(a_file_keeps_the_weights) {
    const Model model = model_with_threats(32);
    const std::string file = QuantisedModel(model).file("test");
    const Result<Model> read = Model::from_file(file);
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->hidden == 32);
    BOOST_TEST((QuantisedModel(*read).file("test") == file));
    BOOST_TEST_REQUIRE(read->weights.size() == model.weights.size());
    for (std::size_t at = 0; at < model.weights.size(); ++at)
        BOOST_TEST_REQUIRE(std::abs(read->weights[at] - model.weights[at]) <=
                           0.501F / engine::FirstUnit);
    BOOST_TEST(!Model::from_file(file.substr(0, 500)).has_value());
}

BOOST_AUTO_TEST_CASE(neurons_without_partners_are_refused) {
    for (const std::size_t hidden : {0U, 1U, 33U}) {
        const engine::NetworkWeights weights(hidden, hidden);
        BOOST_TEST(!Model::from_file(engine::network_file("odd", weights)).has_value());
    }
    const engine::NetworkWeights weights(32, 16);
    BOOST_TEST(!Model::from_file(engine::network_file("few threats", weights)).has_value());
}

BOOST_AUTO_TEST_CASE(the_largest_weights_that_training_leaves_fit) {
    for (const float sign : {1.0F, -1.0F}) {
        Model model(engine::Hidden, 3);
        for (std::size_t at = 0; at < model.weights.size(); ++at) {
            const bool threat = at >= model.threats_at() && at < model.first_at();
            model.weights[at] = sign * (threat ? MaxThreatWeight : MaxWeight);
        }
        const QuantisedModel quantised(model);
        const std::string file = quantised.file("test");
        BOOST_TEST(engine::parse_network(file).has_value());
        // Nothing overflows: a neuron, a weight, or a sum.
        for (const Sample& sample : samples())
            BOOST_TEST(std::abs(static_cast<double>(evaluate(model, sample)) -
                                quantised.evaluate(sample)) < 2);
    }
}

BOOST_AUTO_TEST_CASE(the_integers_score_as_the_weights_do) {
    for (const std::size_t hidden : {16U, 64U, 256U}) {
        const Model trained = model_with_threats(hidden);
        const QuantisedModel quantised(trained);
        // Without the errors of rounded weights, only those of the arithmetic are left.
        const Model model = Model::from_file(quantised.file("test")).value();
        std::vector<int> scores;
        for (const Sample& sample : samples()) {
            scores.push_back(quantised.evaluate(sample));
            BOOST_TEST(std::abs(static_cast<double>(evaluate(model, sample)) - scores.back()) < 3);
            BOOST_TEST(std::abs(static_cast<double>(evaluate(trained, sample)) - scores.back()) <
                       15);
        }
        std::sort(scores.begin(), scores.end());
        BOOST_TEST(scores.back() - scores.front() > 50);
    }
}

BOOST_AUTO_TEST_SUITE_END()

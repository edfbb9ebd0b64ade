// The passes of training: the output is that of the network, and the gradient that of its
// definition by small differences.
#include "tools/lab/train/network_pass.h"

#include "tests/tools/lab/models.h"

#include <cmath>
#include <utility>

#include <boost/test/unit_test.hpp>

using namespace tools::train;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t Parts = 24, OfRow = 64;  // weights of a group and of a row to check

double output(const Model& model, const Sample& sample) {
    return static_cast<double>(evaluate(model, sample)) / engine::OutputCentipawns;
}

// How the sum of the outputs changes with a weight, by the definition of the network: if the weight
// falls and if it rises, which differ where a value begins to be clipped. The smaller one first.
std::pair<double, double> slopes(Model& model, std::size_t at) {
    constexpr float Step = 1.0F / 4'096;
    const auto sum_with = [&](float weight) {
        const float before = std::exchange(model.weights[at], weight);
        double sum = 0;
        for (const Sample& sample : samples())
            sum += output(model, sample);
        model.weights[at] = before;
        return sum;
    };
    const float weight = model.weights[at];
    const double sum = sum_with(weight);
    const auto slope_to = [&](float other) {
        return (sum_with(other) - sum) / static_cast<double>(other - weight);
    };
    return std::minmax({slope_to(weight - Step), slope_to(weight + Step)});
}

// The largest number in a part of the gradient.
std::size_t largest_in(const std::vector<float>& gradient, std::size_t begin, std::size_t end) {
    const auto larger = [](float a, float b) { return std::abs(a) < std::abs(b); };
    const auto at = [&](std::size_t i) {
        return gradient.begin() + static_cast<std::ptrdiff_t>(i);
    };
    return static_cast<std::size_t>(std::max_element(at(begin), at(end), larger) -
                                    gradient.begin());
}

// Compares the gradient of some weights with the definition: of the largest number in each of some
// parts of the group, and of the row that has the largest of all.
void check_group(Model& network, const std::vector<float>& gradient, const WeightGroup& group) {
    const std::size_t largest = largest_in(gradient, group.begin, group.end);
    BOOST_TEST(gradient[largest] != 0);
    std::vector<std::size_t> checked;
    const std::size_t size = group.end - group.begin, parts = std::min(size, Parts);
    for (std::size_t part = 0; part < parts; ++part)
        checked.push_back(largest_in(
            gradient, group.begin + size * part / parts, group.begin + size * (part + 1) / parts));
    const std::size_t row = largest - (largest - group.begin) % group.row;
    for (std::size_t at = 0; at < group.row; at += group.row / OfRow + 1)
        checked.push_back(row + at);
    for (const std::size_t at : checked) {
        const auto [least, most] = slopes(network, at);
        const auto computed = static_cast<double>(gradient[at]);
        const double tolerance = 0.01 + 0.05 * std::abs(computed);
        BOOST_TEST((least - tolerance < computed && computed < most + tolerance),
                   "weight " << at << ": " << computed << ", not " << least << " to " << most);
    }
}

template <std::size_t hidden>
void check_pass() {
    Model network = model_with_threats(hidden);
    NetworkPass<hidden> pass(network.weights.data());
    const std::vector<Sample> all = samples();
    for (const Sample& sample : all)
        pass.add(sample);
    pass.forward();
    for (std::size_t n = 0; n < pass.size(); ++n) {
        BOOST_TEST(std::abs(static_cast<double>(pass.output(n)) - output(network, all[n])) < 1e-4);
        pass.set_slope(n, 1);
    }
    std::vector<float> gradient(network.weights.size());
    pass.backward(gradient.data());

    for (const WeightGroup& group : groups_of(network))
        check_group(network, gradient, group);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(network_pass)

BOOST_AUTO_TEST_CASE(outputs_and_gradients_are_those_of_the_network) {
    check_pass<16>();   // less than a vector
    check_pass<64>();   // all neurons see threats
    check_pass<256>();  // two blocks; some neurons see no threats
}

BOOST_AUTO_TEST_SUITE_END()

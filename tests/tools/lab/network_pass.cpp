// The passes of training: the output is that of the network, and the gradient that of its
// definition by small differences.
#include "tools/lab/train/network_pass.h"

#include "tests/tools/lab/models.h"

#include <cmath>
#include <utility>

#include <boost/test/unit_test.hpp>

using namespace tools::train;  // NOLINT(google-build-using-namespace)

namespace {

// More neurons than one block has, of which some see no threats.
constexpr std::size_t Hidden = 128;
static_assert(threat_hidden(Hidden) < Hidden);

const std::array Fens{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                      "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1"};

std::vector<Sample> samples() {
    std::vector<Sample> all;
    all.reserve(Fens.size());
    for (const char* fen : Fens)
        all.push_back(make_sample(engine::Position::from_fen(fen).value(), 0, GameResult::Unknown));
    return all;
}

double output(const Model& model, const Sample& sample) {
    return static_cast<double>(evaluate(model, sample)) / engine::OutputCentipawns;
}

// How the sum of the outputs changes with a weight, by the definition of the network.
double slope(Model& model, std::size_t at) {
    constexpr float Step = 1.0F / 512;
    const auto sum_with = [&](float weight) {
        const float before = std::exchange(model.weights[at], weight);
        double sum = 0;
        for (const Sample& sample : samples())
            sum += output(model, sample);
        model.weights[at] = before;
        return sum;
    };
    const float weight = model.weights[at];
    return (sum_with(weight + Step) - sum_with(weight - Step)) / (2 * static_cast<double>(Step));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(network_pass)

BOOST_AUTO_TEST_CASE(outputs_and_gradients_are_those_of_the_network) {
    Model network = model_with_threats(Hidden);
    NetworkPass<Hidden> pass(network.weights.data());
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

    // The largest part of the gradient of features, bias, output, threats and output bias, and
    // another weight of each.
    std::size_t begin = 0;
    for (const std::size_t end : {network.bias_at(),
                                  network.output_at(),
                                  network.threats_at(),
                                  network.output_bias_at(),
                                  network.weights.size()}) {
        const auto larger = [](float a, float b) { return std::abs(a) < std::abs(b); };
        const auto from = gradient.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = gradient.begin() + static_cast<std::ptrdiff_t>(end);
        const auto largest =
            static_cast<std::size_t>(std::max_element(from, to, larger) - gradient.begin());
        BOOST_TEST(gradient[largest] != 0);
        for (const std::size_t at : {largest, begin + (end - begin) / 3}) {
            const double defined = slope(network, at);
            BOOST_TEST(std::abs(defined - static_cast<double>(gradient[at])) <
                       0.01 + 0.05 * std::abs(defined));
        }
        begin = end;
    }
}

BOOST_AUTO_TEST_SUITE_END()

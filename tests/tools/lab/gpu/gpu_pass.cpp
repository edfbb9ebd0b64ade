// Training on a GPU: its code, run on the CPU, gives the loss and the gradient of the CPU's own.
#include "tests/tools/lab/gpu/cuda_on_cpu.h"
#include "tests/tools/lab/models.h"
#include "tools/lab/train/network_pass.h"
#include "tools/lab/train/trainer.h"

#define HIDDEN 256  // more neurons than one warp has
#include "tools/lab/gpu/pass.cuh"

#include <cstring>

#include <boost/test/unit_test.hpp>

using namespace tools::train;  // NOLINT(google-build-using-namespace)

namespace {

constexpr float Scale = 134;

float expected_score(float centipawns) {
    return 1 / (1 + std::exp(-centipawns / Scale));
}

struct Gradient {
    std::vector<float> of_weights;
    double loss = 0;
};

Gradient on_cpu(const Model& model) {
    const std::vector<Sample> all = samples();
    NetworkPass<HIDDEN> pass(model.weights.data());
    for (const Sample& sample : all)
        pass.add(sample);
    pass.forward();
    Gradient gradient{std::vector<float>(model.weights.size())};
    for (std::size_t n = 0; n < all.size(); ++n) {
        const float expected = expected_score(engine::OutputCentipawns * pass.output(n));
        const float error = expected - expected_score(all[n].score);
        gradient.loss += static_cast<double>(error * error);
        pass.set_slope(n, 2 * engine::OutputCentipawns / Scale * error * expected * (1 - expected));
    }
    pass.backward(gradient.of_weights.data());
    return gradient;
}

// In two blocks, in shuffled order.
Gradient on_gpu(const Model& model) {
    const std::vector<Sample> all = samples();
    const auto count = static_cast<int>(all.size());
    std::vector<gpu::Sample> copies(all.size());
    static_assert(sizeof(Sample) == sizeof(gpu::Sample));
    std::memcpy(copies.data(), all.data(), all.size() * sizeof(Sample));
    const gpu::Batch batch{copies.data(), all.size(), 0, count, 2, 7, Scale, true};
    std::vector<gpu::Unpacked> unpacked(all.size());
    std::vector<float> neurons(all.size() * 2 * HIDDEN);
    std::vector<int> order(all.size() * gpu::Buckets), filled(gpu::Buckets);
    const gpu::Passing passing{unpacked.data(), neurons.data(), order.data(), filled.data(), count};
    Gradient gradient{std::vector<float>(model.weights.size())};
    const float* weights = model.weights.data();
    float* to = gradient.of_weights.data();
    cuda_on_cpu::launch({2, 1}, 4 * 32, [&] { gpu::unpack_batch(batch, passing); });
    cuda_on_cpu::launch({2, 1}, gpu::Threads, [&] { gpu::forward(count, passing, weights); });
    cuda_on_cpu::launch({1, gpu::Buckets}, gpu::LayerThreads, [&] {
        gpu::layers<true>(passing, Scale, weights, to, &gradient.loss);
    });
    cuda_on_cpu::launch({2, 1}, gpu::Threads, [&] { gpu::backward(count, passing, to); });
    return gradient;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest =
            std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b.at(i))));
    return largest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gpu_pass)

BOOST_AUTO_TEST_CASE(loss_and_gradient_are_those_of_the_cpu) {
    const Model network = model_with_threats(HIDDEN);
    BOOST_REQUIRE_EQUAL(network.weights.size(), static_cast<std::size_t>(gpu::Weights));
    const Gradient cpu = on_cpu(network), gpu = on_gpu(network);
    BOOST_TEST(cpu.loss > 0.01);
    BOOST_TEST(gpu.loss == cpu.loss, boost::test_tools::tolerance(1e-4));
    const auto [least, most] = std::minmax_element(cpu.of_weights.begin(), cpu.of_weights.end());
    BOOST_TEST(*most - *least > 0.01F);
    BOOST_TEST(largest_difference(cpu.of_weights, gpu.of_weights) < 1e-5);
}

BOOST_AUTO_TEST_CASE(steps_are_those_of_the_cpu) {
    constexpr int Steps = 3;
    Model cpu = model_with_threats(HIDDEN);
    cpu.weights.front() = 3;  // beyond the limits
    cpu.weights[cpu.threats_at()] = -3;
    Model gpu = cpu;
    SampleSet set;
    set.training = samples();
    TrainingPlan plan;
    plan.epochs = Steps;  // of one batch each
    plan.threads = 1;
    plan.lambda = plan.end_lambda = 0;
    plan.scale = static_cast<double>(Scale);
    train(cpu, set, plan, [](const EpochReport&) { return true; });

    std::vector<float> mean(gpu.weights.size()), square(gpu.weights.size());
    for (int step = 0; step < Steps; ++step) {
        Gradient gradient = on_gpu(gpu);
        const auto rate =
            static_cast<float>(learning_rate(plan, static_cast<double>(step) / Steps));
        const auto correction = [step](float beta) {
            return 1 / (1 - std::pow(beta, static_cast<float>(step + 1)));
        };
        const gpu::Adam adam{
            mean.data(), square.data(), rate, correction(gpu::Beta1), correction(gpu::Beta2)};
        cuda_on_cpu::launch_each(gpu::Weights, [&] {
            gpu::update(gpu.weights.data(),
                        gradient.of_weights.data(),
                        adam,
                        static_cast<int>(set.training.size()));
        });
        BOOST_TEST(gradient.of_weights == std::vector<float>(gpu.weights.size()));
    }
    BOOST_TEST(largest_difference(cpu.weights, gpu.weights) < 1e-6);
}

BOOST_AUTO_TEST_CASE(every_position_comes_once_an_epoch) {
    constexpr unsigned long long Count = 1'000;
    std::vector<int> seen(Count);
    for (unsigned long long i = 0; i < Count; ++i)
        ++seen.at(gpu::shuffled(i, Count, 5, 7'919));
    BOOST_TEST(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(Count));
}

BOOST_AUTO_TEST_SUITE_END()

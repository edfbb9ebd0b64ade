// Trains the network on a GPU, seventy times as fast as two CPU cores. Not part of the build,
// which knows no CUDA; see README.md beside it.
#include "pass.cuh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace gpu;

constexpr int WarmUp = 200;  // steps until the full learning rate

struct Parameters {
    std::vector<std::string> samples;
    std::vector<std::string> held_out;  // files, an error for each
    std::string weights, output;
    double epochs = 10, learning_rate = 0.0008, end_learning_rate = 0.000001, scale = 134;
    int batch = 16'384;
};

struct HeldOut {
    const Sample* samples;
    Bits count;
};

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "gpu-train: %s\n", what.c_str());
    std::exit(2);
}
void check(cudaError_t error) {
    if (error != cudaSuccess)
        fail(cudaGetErrorString(error));
}

// Appends the file to the values.
template <typename T>
void read(const std::string& path, std::vector<T>& values) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto bytes = file ? static_cast<std::size_t>(file.tellg()) : 0;
    if (bytes == 0 || bytes % sizeof(T) != 0)
        fail("cannot read " + path);
    const std::size_t before = values.size();
    values.resize(before + bytes / sizeof(T));
    file.seekg(0);
    if (!file.read(reinterpret_cast<char*>(values.data() + before),
                   static_cast<std::streamsize>(bytes)))
        fail("cannot read " + path);
}

template <typename T>
T* allocate(std::size_t count) {
    T* memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)));
    check(cudaMemset(memory, 0, count * sizeof(T)));
    return memory;
}
template <typename T>
T* copied(const std::vector<T>& values) {
    T* memory = allocate<T>(values.size());
    check(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}
// The kernels of a pass, and the memory that they share.
class Passes {
  public:
    Passes(int capacity, unsigned grid)
        : grid_(grid), passing_{allocate<Unpacked>(static_cast<std::size_t>(capacity)),
                                allocate<float>(static_cast<std::size_t>(capacity) * 2 * Hidden),
                                allocate<int>(static_cast<std::size_t>(capacity) * Buckets),
                                allocate<int>(Buckets),
                                capacity} {}

    // Adds to the loss and, if training, to the gradient.
    template <bool training>
    void run(const Batch& batch, const float* weights, float* gradient, double* loss) const {
        const auto size = static_cast<unsigned>(batch.size);
        check(cudaMemsetAsync(passing_.filled, 0, Buckets * sizeof(int)));
        unpack_batch<<<(size + 7) / 8, 8 * 32>>>(batch, passing_);
        forward<<<grid_, Threads>>>(batch.size, passing_, weights);
        layers<training><<<dim3((size + Tile - 1) / Tile, Buckets), LayerThreads>>>(
            passing_, batch.scale, weights, gradient, loss);
        if (training)
            backward<<<grid_, Threads>>>(batch.size, passing_, gradient);
    }

  private:
    unsigned grid_;
    Passing passing_;
};

// Reads the sum and sets it to zero.
double taken(double* sum) {
    double value = 0;
    check(cudaMemcpy(&value, sum, sizeof value, cudaMemcpyDeviceToHost));
    check(cudaMemset(sum, 0, sizeof value));
    return value;
}

double learning_rate(const Parameters& p, double progress, std::uint64_t steps) {
    constexpr double Pi = 3.14159265358979323846;
    const double cosine = (1 + std::cos(Pi * progress)) / 2;
    return (p.end_learning_rate + (p.learning_rate - p.end_learning_rate) * cosine) *
           std::min(1.0, static_cast<double>(steps + 1) / WarmUp);
}

void train(const Parameters& p) {
    std::vector<Sample> all;
    for (const std::string& path : p.samples)
        read(path, all);
    std::vector<float> result;
    read(p.weights, result);
    if (result.size() != Weights)
        fail(p.weights + ": weights of another network");
    const Bits count = all.size();
    const Sample* samples = copied(all);
    std::vector<HeldOut> held_out;
    for (const std::string& path : p.held_out) {
        std::vector<Sample> held;
        read(path, held);
        held_out.push_back({copied(held), held.size()});
    }
    float *weights = copied(result), *gradient = allocate<float>(Weights);
    Adam adam{allocate<float>(Weights), allocate<float>(Weights), 0, 0, 0};
    double* loss = allocate<double>(1);
    int bits = 1, processors = 0, blocks = 0;
    while (1ULL << (2 * bits) < count)
        ++bits;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, backward, Threads, 0));
    const Passes passes(p.batch, static_cast<unsigned>(processors * blocks));
    const auto scale = static_cast<float>(p.scale);
    const auto begun = std::chrono::steady_clock::now();
    const auto wanted = static_cast<Bits>(p.epochs * static_cast<double>(count));
    std::uint64_t steps = 0;
    for (Bits done = 0, reported = 0; done < wanted;) {
        const Bits epoch = done / count, from = done % count;
        const auto size = static_cast<int>(std::min<Bits>(p.batch, count - from));
        const auto key = static_cast<unsigned>(epoch) * 7'919U + 12'345U;
        passes.run<true>(
            {samples, count, from, size, bits, key, scale, true}, weights, gradient, loss);
        const double rate =
            learning_rate(p, static_cast<double>(done) / static_cast<double>(wanted), steps);
        ++steps;
        adam.rate = static_cast<float>(rate);
        adam.correction1 = static_cast<float>(1 / (1 - std::pow(Beta1, steps)));
        adam.correction2 = static_cast<float>(1 / (1 - std::pow(Beta2, steps)));
        update<<<(Weights + 255) / 256, 256>>>(weights, gradient, adam, size);
        done += static_cast<Bits>(size);
        if (done < wanted && (done - reported) < count / 2)
            continue;
        check(cudaGetLastError());  // of the launches
        const double training = taken(loss) / static_cast<double>(done - reported);
        reported = done;
        std::string errors;
        for (const HeldOut& held : held_out) {
            for (Bits at = 0; at < held.count; at += static_cast<Bits>(p.batch)) {
                const auto part = static_cast<int>(std::min<Bits>(p.batch, held.count - at));
                passes.run<false>({held.samples, held.count, at, part, 1, 0, scale, false},
                                  weights,
                                  nullptr,
                                  loss);
            }
            errors += ' ' + std::to_string(taken(loss) / static_cast<double>(held.count));
        }
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
        std::printf(
            "epoch %5.2f  learning rate %.2e  training %.6f  held out%s  %.2f M samples/s\n",
            static_cast<double>(done) / static_cast<double>(count),
            rate,
            training,
            errors.c_str(),
            static_cast<double>(done) / spent.count() / 1e6);
        std::fflush(stdout);
    }
    check(
        cudaMemcpy(result.data(), weights, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    std::ofstream file(p.output, std::ios::binary);
    file.write(reinterpret_cast<const char*>(result.data()),
               static_cast<std::streamsize>(result.size() * sizeof(float)));
    if (!file.flush())
        fail("cannot write " + p.output);
}

Parameters parse(int argc, char** argv) {
    Parameters p;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&]() -> std::string {
            if (i + 1 == argc)
                fail(word + " needs a value");
            return argv[++i];
        };
        if (word == "--held-out")
            p.held_out.push_back(value());
        else if (word == "--weights")
            p.weights = value();
        else if (word == "-o")
            p.output = value();
        else if (word == "--epochs")
            p.epochs = std::atof(value().c_str());
        else if (word == "--learning-rate")
            p.learning_rate = std::atof(value().c_str());
        else if (word == "--end-learning-rate")
            p.end_learning_rate = std::atof(value().c_str());
        else if (word == "--scale")
            p.scale = std::atof(value().c_str());
        else if (word == "--batch")
            p.batch = std::atoi(value().c_str());
        else if (word[0] == '-')
            fail("unknown option " + word);
        else
            p.samples.push_back(word);
    }
    if (p.samples.empty() || p.held_out.empty() || p.weights.empty() || p.output.empty() ||
        p.batch < 1 || !(p.epochs > 0) || !(p.scale > 0) || !(p.learning_rate > 0))
        fail("usage: gpu-train SAMPLES... (--held-out SAMPLES)... --weights FILE -o FILE "
             "[--epochs N] [--learning-rate X] [--end-learning-rate X] [--scale X] [--batch N]");
    return p;
}

}  // namespace

int main(int argc, char** argv) {
    train(parse(argc, argv));
}

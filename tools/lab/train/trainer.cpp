#include "tools/lab/train/trainer.h"

#include "tools/lab/datagen/training_game.h"
#include "tools/lab/train/network_pass.h"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <thread>

namespace tools::train {
namespace {

constexpr std::size_t PrefetchDistance = 16;  // the samples are visited in random order
constexpr float Beta1 = 0.9F, Beta2 = 0.999F, Epsilon = 1e-8F;  // of AdamW

// The search for the scale: its range in centipawns, and the number of positions.
constexpr int MinScale = 50, MaxScale = 1'000, ScaleStep = 4;
constexpr std::size_t MaxForScale = 300'000;

float sigmoid(float x) {
    return 1.0F / (1.0F + std::exp(-x));
}

float target_of(const Sample& s, float lambda, float scale) {
    const float expected = sigmoid(static_cast<float>(s.score) / scale);
    if (s.result == UnknownResult)
        return expected;
    return (1.0F - lambda) * expected + lambda * static_cast<float>(s.result) / 2.0F;
}

// One thread's part of a batch: its gradient and its loss.
struct Share {
    std::vector<float> gradient;
    double loss = 0;
};

class Adam {
  public:
    Adam(std::size_t size, double decay)
        : mean_(size), square_(size), decay_(static_cast<float>(decay)) {}

    void next_step() { ++step_; }
    void save(TrainingState& state) const {
        state.steps = step_;
        state.mean = mean_;
        state.square = square_;
    }
    void resume(const TrainingState& state) {
        step_ = state.steps;
        mean_ = state.mean;
        square_ = state.square;
    }
    // Updates weights [from, to), to be at most `limit`, with their gradient, the sum over the
    // shares times `scale`.
    void apply(std::vector<float>& weights,
               std::vector<Share>& shares,
               float scale,
               double rate,
               float limit,
               std::size_t from,
               std::size_t to) {
        const auto speed = static_cast<float>(rate);
        const float correction1 = 1.0F / (1.0F - std::pow(Beta1, step_ + 1));
        const float correction2 = 1.0F / (1.0F - std::pow(Beta2, step_ + 1));
        for (std::size_t i = from; i < to; ++i) {
            float g = 0;
            for (Share& share : shares) {
                g += share.gradient[i];
                share.gradient[i] = 0;
            }
            g *= scale;
            mean_[i] = Beta1 * mean_[i] + (1.0F - Beta1) * g;
            square_[i] = Beta2 * square_[i] + (1.0F - Beta2) * g * g;
            const float move =
                mean_[i] * correction1 / (std::sqrt(square_[i] * correction2) + Epsilon);
            const float w = weights[i] - speed * (move + decay_ * weights[i]);
            weights[i] = std::clamp(w, -limit, limit);
        }
    }

  private:
    std::vector<float> mean_, square_;
    float decay_;
    float step_ = 0;  // steps done
};

template <std::size_t hidden>
class Trainer {
  public:
    Trainer(Model& model,
            const SampleSet& samples,
            const TrainingPlan& plan,
            const Checkpointing& checkpointing)
        : model_(model), samples_(samples), plan_(plan), checkpointing_(checkpointing),
          adam_(model.weights.size(), plan.weight_decay),
          shares_(static_cast<std::size_t>(plan.threads)), order_(samples.training.size()),
          scale_(static_cast<float>(plan.scale)), steepness_(engine::OutputCentipawns / scale_) {
        for (Share& share : shares_)
            share.gradient.resize(model.weights.size());
        if (const TrainingState* state = checkpointing.resume) {
            model_.weights = state->weights;
            adam_.resume(*state);
            epoch_ = state->epoch;
            done_ = state->done;
            loss_ = state->loss;
        }
    }

    void run(const std::function<bool(const EpochReport&)>& report) {
        for (; epoch_ <= plan_.epochs; ++epoch_, done_ = 0, loss_ = 0) {
            const auto begun = Clock::now();
            const std::size_t done_before = done_;
            shuffle();
            run_epoch();
            const std::chrono::duration<double> spent = Clock::now() - begun;
            const auto samples = static_cast<double>(order_.size());
            if (!report({epoch_,
                         learning_rate(plan_, progress(order_.size() - 1)),
                         loss_ / samples,
                         held_out_loss(),
                         static_cast<double>(order_.size() - done_before) / spent.count()}))
                return;
        }
    }

  private:
    using Clock = std::chrono::steady_clock;

    // The order depends on the epoch and not on the epochs before it.
    void shuffle() {
        std::mt19937_64 random(datagen::seed_of(plan_.seed, static_cast<std::uint64_t>(epoch_)));
        std::iota(order_.begin(), order_.end(), 0U);
        for (std::size_t i = order_.size(); i > 1; --i)
            std::swap(order_[i - 1], order_[random() % i]);
    }
    [[nodiscard]] double progress(std::size_t done) const {
        return (epoch_ - 1 + static_cast<double>(done) / static_cast<double>(order_.size())) /
               plan_.epochs;
    }
    [[nodiscard]] float lambda_at(double at) const {
        return static_cast<float>(plan_.lambda + (plan_.end_lambda - plan_.lambda) * at);
    }
    // `lambda` is that of the moment, unless the plan has it by men.
    [[nodiscard]] float target(const Sample& sample, float lambda) const {
        if (plan_.lambda_by_men)
            lambda = static_cast<float>(lambda_of_men(engine::popcount(sample.occupied)));
        return target_of(sample, lambda, scale_);
    }

    // All threads work on the same batch: each adds up the gradient of its part of the positions,
    // then updates its part of the weights.
    void run_epoch() {
        const std::size_t first = done_;
        const auto end_batch = [this]() noexcept { this->end_batch(); };
        std::barrier<> gradients_ready(plan_.threads);
        std::barrier batch_ready(plan_.threads, end_batch);
        const auto run_batches = [&](std::size_t t) {
            for (std::size_t from = first; from < order_.size(); from += plan_.batch_size) {
                const std::size_t to = std::min(from + plan_.batch_size, order_.size());
                add_gradients(t, from, to);
                gradients_ready.arrive_and_wait();
                update_weights(t, from, to);
                batch_ready.arrive_and_wait();
            }
        };
        std::vector<std::thread> threads;
        for (std::size_t t = 1; t < shares_.size(); ++t)
            threads.emplace_back(run_batches, t);
        run_batches(0);
        for (std::thread& thread : threads)
            thread.join();
    }

    // On one thread, while the others wait.
    void end_batch() {
        done_ = std::min(done_ + plan_.batch_size, order_.size());
        for (Share& share : shares_)
            loss_ += std::exchange(share.loss, 0);
        adam_.next_step();
        const bool at_end = epoch_ == plan_.epochs && done_ == order_.size();
        if (!checkpointing_.save || (!at_end && Clock::now() - saved_ < checkpointing_.interval))
            return;
        TrainingState state{
            .epoch = epoch_, .done = done_, .loss = loss_, .weights = model_.weights};
        adam_.save(state);
        checkpointing_.save(state);
        saved_ = Clock::now();
    }

    // In the part of the positions [from, to) that is thread t's.
    void add_gradients(std::size_t t, std::size_t from, std::size_t to) {
        const std::size_t length = to - from;
        add_gradients(shares_[t],
                      from + length * t / shares_.size(),
                      from + length * (t + 1) / shares_.size(),
                      lambda_at(progress(from)));
    }
    void update_weights(std::size_t t, std::size_t from, std::size_t to) {
        const std::size_t size = model_.weights.size();
        const std::size_t first = size * t / shares_.size(), last = size * (t + 1) / shares_.size();
        const auto apply = [&](float limit, std::size_t begin, std::size_t end) {
            adam_.apply(model_.weights,
                        shares_,
                        1.0F / static_cast<float>(to - from),
                        learning_rate(plan_, progress(from)),
                        limit,
                        std::clamp(begin, first, last),
                        std::clamp(end, first, last));
        };
        apply(MaxWeight, 0, model_.threats_at());
        apply(MaxThreatWeight, model_.threats_at(), model_.first_at());
        apply(MaxWeight, model_.first_at(), size);
    }

    using Pass = NetworkPass<hidden>;

    void add_gradients(Share& share, std::size_t from, std::size_t to, float lambda) {
        Pass pass(model_.weights.data());
        const auto sample = [&](std::size_t i) -> const Sample& {
            return samples_.training[order_[i]];
        };
        for (; from < to; from += pass.size()) {
            pass.clear();
            for (std::size_t i = from; i < to && pass.size() < Pass::MaxPositions; ++i) {
                __builtin_prefetch(&sample(std::min(i + PrefetchDistance, to - 1)));
                pass.add(sample(i));
            }
            pass.forward();
            for (std::size_t n = 0; n < pass.size(); ++n) {
                const float expected = sigmoid(steepness_ * pass.output(n));
                const float error = expected - target(sample(from + n), lambda);
                share.loss += static_cast<double>(error * error);
                pass.set_slope(n, 2.0F * steepness_ * error * expected * (1.0F - expected));
            }
            pass.backward(share.gradient.data());
        }
    }

    [[nodiscard]] double held_out_loss() const {
        double loss = 0;
        Pass pass(model_.weights.data());
        const float lambda = lambda_at(1.0);
        const std::vector<Sample>& set = samples_.held_out;
        for (std::size_t from = 0; from < set.size(); from += pass.size()) {
            pass.clear();
            while (from + pass.size() < set.size() && pass.size() < Pass::MaxPositions)
                pass.add(set[from + pass.size()]);
            pass.forward();
            for (std::size_t n = 0; n < pass.size(); ++n) {
                const float error =
                    sigmoid(steepness_ * pass.output(n)) - target(set[from + n], lambda);
                loss += static_cast<double>(error * error);
            }
        }
        return loss / static_cast<double>(std::max<std::size_t>(set.size(), 1));
    }

    Model& model_;
    const SampleSet& samples_;
    const TrainingPlan& plan_;
    const Checkpointing& checkpointing_;
    Adam adam_;
    std::vector<Share> shares_;
    std::vector<std::uint32_t> order_;
    float scale_, steepness_;
    int epoch_ = 1;
    std::size_t done_ = 0;  // positions of the epoch
    double loss_ = 0;       // their sum
    Clock::time_point saved_ = Clock::now();
};

// Calls the function with the hidden size as a constant; false if there is no code for it.
template <std::size_t... sizes>
bool with_size(std::index_sequence<sizes...> /*sizes*/, int wanted, const auto& call) {
    const auto is_it = [&](auto size) {
        if (static_cast<std::size_t>(wanted) != size)
            return false;
        call(size);
        return true;
    };
    return (is_it(std::integral_constant<std::size_t, sizes>()) || ...);
}
bool with_size(int wanted, const auto& call) {
    return with_size(std::index_sequence<16, 32, 64, 128, 256, 384, 512>(), wanted, call);
}

}  // namespace

bool can_train(int hidden) {
    return with_size(hidden, [](auto /*size*/) {});
}

void train(Model& model,
           const SampleSet& samples,
           const TrainingPlan& plan,
           const std::function<bool(const EpochReport&)>& report,
           const Checkpointing& checkpointing) {
    with_size(model.hidden, [&](auto size) {
        Trainer<decltype(size)::value>(model, samples, plan, checkpointing).run(report);
    });
}

std::optional<double> fitted_scale(const SampleSet& samples) {
    const std::size_t every = samples.training.size() / MaxForScale + 1;
    std::optional<double> best;
    double min_loss = 1e300;
    for (int scale = MinScale; scale < MaxScale; scale += ScaleStep) {
        double loss = 0;
        bool any = false;
        for (std::size_t i = 0; i < samples.training.size(); i += every) {
            const Sample& s = samples.training[i];
            if (s.result == UnknownResult)
                continue;
            any = true;
            const float error = target_of(s, 0, static_cast<float>(scale)) - target_of(s, 1, 1);
            loss += static_cast<double>(error * error);
        }
        if (any && loss < min_loss) {
            min_loss = loss;
            best = scale;
        }
    }
    return best;
}

double learning_rate(const TrainingPlan& plan, double progress) {
    if (plan.drops.empty())
        return plan.end_learning_rate + (plan.learning_rate - plan.end_learning_rate) *
                                            (1.0 + std::cos(std::numbers::pi * progress)) / 2.0;
    double rate = plan.learning_rate;
    for (const double drop : plan.drops)
        if (progress >= drop)
            rate /= 10;
    return rate;
}

}  // namespace tools::train

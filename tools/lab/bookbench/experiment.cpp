#include "tools/lab/bookbench/experiment.h"

#include "book/store/failure.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

namespace tools::bookbench {
namespace {

// One world in one scenario, which all rules play.
struct Task {
    std::size_t scenario = 0, world = 0;
};

class Run {
  public:
    Run(const Plan& plan, const std::function<void(double)>& progress)
        : plan_(plan), progress_(progress), rules_{"random"} {
        rules_.insert(rules_.end(), plan.rules.begin(), plan.rules.end());
        for (std::size_t s = 0; s < plan.scenarios.size(); ++s)
            for (std::size_t w = 0; w < plan.worlds(); ++w)
                tasks_.push_back({s, w});
        results_.resize(tasks_.size(), std::vector<RunResult>(rules_.size()));
    }

    Result<std::vector<Table>> run() {
        std::vector<std::thread> helpers;
        for (int i = 1; i < plan_.threads; ++i)
            helpers.emplace_back([this] { work(); });
        work();
        for (std::thread& helper : helpers)
            helper.join();
        if (error_)
            return fail(*error_);
        std::vector<Table> tables;
        for (std::size_t s = 0; s < plan_.scenarios.size(); ++s) {
            tables.push_back({.scenario = plan_.scenarios[s]});
            for (std::size_t r = 0; r < rules_.size(); ++r)
                tables.back().lines.push_back(line(s, r));
        }
        return tables;
    }

  private:
    // An exception must not leave a thread: it ends the experiment.
    void work() {
        try {
            for (std::size_t t = next_++; t < tasks_.size(); t = next_++)
                play_task(t);
        } catch (const std::exception& e) {
            const std::lock_guard lock(mutex_);
            error_ = book::error_from(e).what;
            next_ = tasks_.size();
        }
    }

    void play_task(std::size_t t) {
        const std::uint64_t seed = plan_.first_world + tasks_[t].world;
        const World world(seed, plan_.scenarios[tasks_[t].scenario]);
        for (std::size_t r = 0; r < rules_.size(); ++r) {
            RunResult result = play(world, rules_[r], seed, plan_.games, plan_.settings);
            const std::lock_guard lock(mutex_);
            results_[t][r] = std::move(result);
            progress_(static_cast<double>(++done_) /
                      static_cast<double>(tasks_.size() * rules_.size()));
        }
    }

    [[nodiscard]] Line line(std::size_t scenario, std::size_t rule) const {
        std::vector<double> percent, regret, exploiter;
        Line line{.rule = rules_[rule]};
        for (std::size_t t = 0; t < tasks_.size(); ++t) {
            if (tasks_[t].scenario != scenario)
                continue;
            const RunResult& result = results_[t][rule];
            percent.push_back(100 * result.regret / results_[t][0].regret);
            regret.push_back(result.regret);
            exploiter.push_back(result.exploiter_score);
            line.per_hundred.resize(result.per_hundred.size());
            for (std::size_t i = 0; i < result.per_hundred.size(); ++i)
                line.per_hundred[i] += result.per_hundred[i] / static_cast<double>(plan_.worlds());
        }
        line.percent = mean_of(percent);
        line.regret = mean_of(regret);
        line.exploiter = mean_of(exploiter);
        return line;
    }

    const Plan& plan_;
    const std::function<void(double)>& progress_;
    std::vector<std::string> rules_;
    std::vector<Task> tasks_;
    std::atomic<std::size_t> next_ = 0;            // of the tasks
    std::mutex mutex_;                             // guards all that follows
    std::vector<std::vector<RunResult>> results_;  // by task and rule
    std::size_t done_ = 0;
    std::optional<std::string> error_;
};

}  // namespace

double Line::final_regret() const {
    const std::size_t hundreds = std::min<std::size_t>(3, per_hundred.size());
    const double sum = std::accumulate(
        per_hundred.end() - static_cast<std::ptrdiff_t>(hundreds), per_hundred.end(), 0.0);
    return hundreds == 0 ? 0 : sum / static_cast<double>(hundreds);
}

Result<std::vector<Table>> run(const Plan& plan, const std::function<void(double)>& progress) {
    return Run(plan, progress).run();
}

}  // namespace tools::bookbench

#include "tools/lab/bookbench/experiment.h"

#include "book/store/failure.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

#include <fmt/format.h>

namespace tools::bookbench {
namespace {

// One world in one scenario, which all rules play.
struct Task {
    std::size_t scenario = 0, world = 0;
};

// A rule with its settings.
struct Contestant {
    std::string rule, label;
    std::vector<Setting> settings;
};

// The random player comes first.
std::vector<Contestant> contestants_of(const Plan& plan) {
    std::vector<Contestant> all = {{"random", "random", {}}};
    for (const std::string& rule : plan.rules)
        all.push_back({rule, rule, plan.settings});
    if (plan.against.empty())
        return all;
    std::vector<Setting> settings = plan.settings;
    settings.insert(settings.end(), plan.against.begin(), plan.against.end());
    for (const std::string& rule : plan.rules) {
        std::string label = rule;
        for (const Setting& s : plan.against)
            label += fmt::format(" {}={}", s.name, s.value);
        if (is_own_rule(rule))
            all.push_back({rule, label, settings});
    }
    return all;
}

class Run {
  public:
    Run(const Plan& plan, const std::function<void(double)>& progress)
        : plan_(plan), progress_(progress), rules_(contestants_of(plan)) {
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
    // Catches exceptions, which must not leave a thread: one ends the experiment.
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
            RunResult result = play(world, rules_[r].rule, seed, plan_.games, rules_[r].settings);
            const std::lock_guard lock(mutex_);
            results_[t][r] = std::move(result);
            progress_(static_cast<double>(++done_) /
                      static_cast<double>(tasks_.size() * rules_.size()));
        }
    }

    [[nodiscard]] Line line(std::size_t scenario, std::size_t rule) const {
        Line line{.rule = rules_[rule].label};
        const auto mean = [&](const auto& value_of) {
            std::vector<double> values;
            for (std::size_t t = 0; t < tasks_.size(); ++t)
                if (tasks_[t].scenario == scenario)
                    values.push_back(value_of(results_[t]));
            return mean_of(values);
        };
        const auto mean_of_member = [&](auto RunResult::*member) {
            return mean([&](const std::vector<RunResult>& results) {
                return static_cast<double>(results[rule].*member);
            });
        };
        const auto percent = [](const std::vector<RunResult>& results, std::size_t r) {
            return 100 * results[r].regret / results[0].regret;
        };
        line.percent = mean([&](const auto& results) { return percent(results, rule); });
        line.distance = mean([&](const auto& results) {
            return percent(results, rule) - percent(results, std::min<std::size_t>(1, rule));
        });
        line.regret = mean_of_member(&RunResult::regret);
        line.prepared = mean_of_member(&RunResult::prepared_score);
        line.repeated = mean_of_member(&RunResult::repeated);
        line.last_score = mean_of_member(&RunResult::last_score);
        line.last_openings = mean_of_member(&RunResult::last_openings);
        for (std::size_t t = 0; t < tasks_.size(); ++t) {
            if (tasks_[t].scenario != scenario)
                continue;
            const std::vector<double>& hundreds = results_[t][rule].per_hundred;
            line.per_hundred.resize(hundreds.size());
            for (std::size_t i = 0; i < hundreds.size(); ++i)
                line.per_hundred[i] += hundreds[i] / static_cast<double>(plan_.worlds());
        }
        return line;
    }

    const Plan& plan_;
    const std::function<void(double)>& progress_;
    std::vector<Contestant> rules_;
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

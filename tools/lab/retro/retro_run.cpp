#include "tools/lab/retro/retro_run.h"

#include "engine/platform/events.h"
#include "tools/common/errors.h"
#include "tools/common/workers.h"
#include "tools/lab/retro/retro_solver.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>

namespace tools::retro {
namespace {

// About how long an ending takes, in seconds of one core of 2020.
double effort(const Ending& ending) {
    const double men = ending.size() == 3 ? 1.0 / 64 : 1;
    return men * (ending.has_pawns() ? 12 : 8);
}

// The work of all threads: which ending is next, and what is finished.
class Run {
  public:
    Run(const RetroPlan& plan, std::vector<Ending> open)
        : folder_(plan.folder), open_(std::move(open)) {}

    TableSet& tables() { return tables_; }
    void work();
    void stop() {
        stopped_ = true;
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    }
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] std::string progress(double seconds);
    void rethrow() const {
        if (failure_)
            std::rethrow_exception(failure_);
    }

  private:
    [[nodiscard]] bool is_ready(const Ending& ending) const {
        const std::vector<Ending> needed = ending.successors();
        return std::all_of(needed.begin(), needed.end(), [this](const Ending& e) {
            return tables_.wins(e) != nullptr;
        });
    }
    std::optional<Ending> take();

    std::string folder_;
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::vector<Ending> open_, running_;
    std::size_t finished_ = 0;
    double finished_effort_ = 0;
    std::exception_ptr failure_;
    TableSet tables_;
};

// The next ending whose successors are solved; nothing when none is left.
std::optional<Ending> Run::take() {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (stopped_ || open_.empty())
            return std::nullopt;
        const auto next = std::find_if(
            open_.begin(), open_.end(), [this](const Ending& e) { return is_ready(e); });
        if (next != open_.end()) {
            const Ending ending = *next;
            open_.erase(next);
            running_.push_back(ending);
            return ending;
        }
        changed_.wait(lock);
    }
}

void Run::work() {
    while (const std::optional<Ending> ending = take()) {
        try {
            // The set changes while others solve: each solves with a set of its own.
            TableSet known;
            bool has_file = false;
            {
                const std::lock_guard lock(mutex_);
                for (const Ending& e : ending->successors())
                    known.add(e, *tables_.wins(e));
                has_file = tables_.find(ending->counts()) != nullptr;
            }
            Wins wins = solve_wins(*ending, known, true, [this] { return stopped(); });
            std::shared_ptr<const DistanceTable> table;
            if (!has_file) {
                table = std::make_shared<const DistanceTable>(distance_table(*ending, wins));
                value_or_throw(table->save(folder_ + '/' + ending->name() + ".retro"));
            }
            const std::lock_guard lock(mutex_);
            tables_.add(*ending, std::move(wins));
            if (table)
                tables_.add(std::move(table));
            running_.erase(std::find(running_.begin(), running_.end(), *ending));
            finished_effort_ += effort(*ending);
            ++finished_;
            changed_.notify_all();
        } catch (const Interrupted&) {
            return;
        } catch (const std::exception&) {
            {
                const std::lock_guard lock(mutex_);
                failure_ = std::current_exception();
            }
            stop();
        }
    }
}

std::string Run::progress(double seconds) {
    const std::lock_guard lock(mutex_);
    double left = 0;
    std::string names;
    for (const Ending& e : open_)
        left += effort(e);
    for (const Ending& e : running_) {
        left += effort(e) / 2;
        names += ' ' + e.name();
    }
    const std::string time =
        finished_ == 0 ? "" : fmt::format(", {:.0f} s left", left * seconds / finished_effort_);
    return fmt::format("{} solved, {} to do{}; now{}",
                       finished_,
                       open_.size() + running_.size(),
                       time,
                       names.empty() ? " none" : names);
}

void add_with_successors(const Ending& ending, std::vector<Ending>& list) {
    if (std::find(list.begin(), list.end(), ending) != list.end())
        return;
    for (const Ending& next : ending.successors())
        add_with_successors(next, list);
    list.push_back(ending);
}

}  // namespace

std::vector<Ending> with_successors(const std::vector<Ending>& endings) {
    std::vector<Ending> list;
    for (const Ending& e : endings)
        add_with_successors(e, list);
    return list;
}

TableSet solve_all(const RetroPlan& plan) {
    std::error_code error;
    std::filesystem::create_directories(plan.folder, error);
    if (error)
        throw Failure(plan.folder + ": " + error.message());
    std::vector<Ending> open = with_successors(plan.endings);
    TableSet finished;
    bool all = true;
    for (const Ending& e : open) {
        const std::string path = plan.folder + '/' + e.name() + ".retro";
        if (std::filesystem::exists(path, error))
            finished.add(std::make_shared<const DistanceTable>(
                value_or_throw(DistanceTable::load(path, e))));
        else
            all = false;
    }
    if (all)
        return finished;
    const int threads = std::min(plan.threads, static_cast<int>(open.size()));
    Run run(plan, std::move(open));
    run.tables() = std::move(finished);
    run_workers(threads,
                [&](int) { run.work(); },
                {.signals = &engine::platform::end_requests(),
                 .stop = [&] { run.stop(); },
                 .progress = [&](double seconds) { return run.progress(seconds); }});
    run.rethrow();
    if (run.stopped())
        throw Failure("stopped; the same command goes on with the endings that are left");
    return std::move(run.tables());
}

int EndingSummary::Side::longest(bool win) const {
    const auto& counts = win ? won : lost;
    const auto last =
        std::find_if(counts.rbegin(), counts.rend(), [](std::uint64_t n) { return n > 0; });
    return static_cast<int>(counts.rend() - last) - 1;
}

EndingSummary summarise(const DistanceTable& table) {
    EndingSummary summary;
    std::array<int, 2> longest = {-1, -1};
    table.for_each([&](Color c, const Squares& squares) {
        const Value v = table.value(c, squares);
        if (v == Illegal || !table.is_first(squares))
            return;
        EndingSummary::Side& side = summary.side[c];
        ++side.results[static_cast<std::size_t>(sign(v) + 1)];
        if (v == 0)
            return;
        ++(v > 0 ? side.won : side.lost)[static_cast<std::size_t>(plies(v))];
        if (plies(v) > longest[c]) {
            longest[c] = plies(v);
            summary.longest_fen[c] = fen_of(table.ending(), squares, c);
        }
    });
    return summary;
}

}  // namespace tools::retro

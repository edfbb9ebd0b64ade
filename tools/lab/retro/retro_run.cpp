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

// The wins of an ending, or the file of one that was asked for.
struct Task {
    Ending ending;
    bool file;
    friend bool operator==(const Task&, const Task&) = default;
};

// Up to four men: solved quickly, with distances, and kept in memory. With five men only the
// results are solved, and kept in a file.
bool is_small(const Ending& ending) {
    return ending.size() < MaxMen;
}

// The endings whose wins the task needs.
std::vector<Ending> needs(const Task& task) {
    return task.file && is_small(task.ending) ? std::vector{task.ending} : task.ending.successors();
}

// About how much work a task is: 64 positions count 1.
double effort(const Task& task) {
    double words = task.ending.has_pawns() ? 64 : 10;
    bool first = true;
    for (std::size_t i = 2; i < task.ending.size(); ++i) {
        const bool pawn = task.ending[i].type == engine::Pawn;
        words *= !pawn ? 64 : first ? 24 : 48;
        first = first && !pawn;
    }
    return task.file && is_small(task.ending) ? words / 4 : words;
}

class Folder {
  public:
    explicit Folder(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] std::string table(const Ending& e) const { return name(e, ".retro"); }
    [[nodiscard]] std::string wins(const Ending& e) const { return name(e, ".wins"); }
    static bool has(const std::string& file) {
        std::error_code ignored;
        return std::filesystem::exists(file, ignored);
    }

  private:
    [[nodiscard]] std::string name(const Ending& e, const char* end) const {
        return path_ + '/' + e.name() + end;
    }
    std::string path_;
};

// The tasks left to do, each after those that it needs.
class TaskList {
  public:
    TaskList(const RetroPlan& plan, const Folder& folder);
    std::vector<Task> open;
    std::vector<Ending> solved;  // their wins are in files
    std::vector<Ending> kept;    // their wins are wanted in the end

  private:
    void add_wins(const Ending& ending);
    const Folder& folder_;
    std::vector<Ending> seen_;
};

TaskList::TaskList(const RetroPlan& plan, const Folder& folder) : folder_(folder) {
    for (const Ending& e : with_successors(plan.endings))
        if (is_small(e))
            open.push_back({e, false});
    for (const Ending& e : plan.endings) {
        const bool solved_before = Folder::has(folder.table(e));
        for (const Ending& next : e.successors()) {
            if (plan.successors && !is_small(next))
                kept.push_back(next);
            if (plan.successors || !solved_before)
                add_wins(next);
        }
        const Task task{e, true};
        if (!solved_before && std::find(open.begin(), open.end(), task) == open.end())
            open.push_back(task);
    }
}

void TaskList::add_wins(const Ending& ending) {
    if (is_small(ending) || std::find(seen_.begin(), seen_.end(), ending) != seen_.end())
        return;
    seen_.push_back(ending);
    if (Folder::has(folder_.wins(ending))) {
        solved.push_back(ending);
        return;
    }
    for (const Ending& next : ending.successors())
        add_wins(next);
    open.push_back({ending, false});
}

// The work of all threads: which task is next, and what is finished.
class Run {
  public:
    Run(Folder folder, TaskList tasks, TableSet tables)
        : folder_(std::move(folder)), open_(std::move(tasks.open)),
          solved_(std::move(tasks.solved)), kept_(std::move(tasks.kept)),
          tables_(std::move(tables)) {}

    void work();
    void stop() {
        stopped_ = true;
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    }
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] std::string progress(double seconds);
    // All tables that are wanted. Throws what a thread has thrown.
    TableSet result();

  private:
    [[nodiscard]] bool is_ready(const Task& task) const {
        const std::vector<Ending> needed = needs(task);
        return std::all_of(needed.begin(), needed.end(), [this](const Ending& e) {
            return std::find(solved_.begin(), solved_.end(), e) != solved_.end();
        });
    }
    std::optional<Task> take();
    TableSet load(const std::vector<Ending>& endings);
    void finish(const Task& task, const std::function<void()>& add);
    void drop_unneeded();

    Folder folder_;
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::vector<Task> open_, running_;
    std::vector<Ending> solved_;  // their wins are in memory, or in files
    std::vector<Ending> kept_;
    std::size_t finished_ = 0;
    double finished_effort_ = 0;
    std::exception_ptr failure_;
    TableSet tables_;
};

// The next task that is ready; nothing when none is left.
std::optional<Task> Run::take() {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (stopped_ || open_.empty())
            return std::nullopt;
        const auto next =
            std::find_if(open_.begin(), open_.end(), [this](const Task& t) { return is_ready(t); });
        if (next != open_.end()) {
            const Task task = *next;
            open_.erase(next);
            running_.push_back(task);
            return task;
        }
        changed_.wait(lock);
    }
}

// The wins of the endings, from memory or else from files. tables_ changes while other threads
// solve, so each thread solves with a set of its own.
TableSet Run::load(const std::vector<Ending>& endings) {
    TableSet found;
    std::vector<Ending> missing;
    {
        const std::lock_guard lock(mutex_);
        for (const Ending& e : endings)
            if (const Wins* const wins = tables_.wins(e))
                found.add(e, *wins);
            else
                missing.push_back(e);
    }
    for (const Ending& e : missing) {
        const Wins wins = value_or_throw(Wins::load(folder_.wins(e), e));
        found.add(e, wins);
        const std::lock_guard lock(mutex_);
        tables_.add(e, wins);
    }
    return found;
}

void Run::drop_unneeded() {
    for (const Ending& e : solved_) {
        const auto is_user = [&](const Task& task) {
            const std::vector<Ending> needed = needs(task);
            return std::find(needed.begin(), needed.end(), e) != needed.end();
        };
        if (!is_small(e) && std::find(kept_.begin(), kept_.end(), e) == kept_.end() &&
            std::none_of(open_.begin(), open_.end(), is_user) &&
            std::none_of(running_.begin(), running_.end(), is_user))
            tables_.remove_wins(e);
    }
}

void Run::finish(const Task& task, const std::function<void()>& add) {
    const std::lock_guard lock(mutex_);
    add();
    running_.erase(std::find(running_.begin(), running_.end(), task));
    finished_effort_ += effort(task);
    ++finished_;
    drop_unneeded();
    changed_.notify_all();
}

void Run::work() {
    while (const std::optional<Task> task = take()) {
        try {
            const Ending& ending = task->ending;
            const TableSet known = load(needs(*task));
            const auto is_stopped = [this] { return stopped(); };
            if (task->file) {
                auto table = std::make_shared<const DistanceTable>(
                    is_small(ending) ? distance_table(ending, *known.wins(ending))
                                     : solve(ending, known, is_stopped));
                value_or_throw(table->save(folder_.table(ending)));
                finish(*task, [&] { tables_.add(table); });
                continue;
            }
            const Wins wins = solve_wins(ending, known, is_small(ending), is_stopped);
            if (!is_small(ending))
                value_or_throw(wins.save(folder_.wins(ending)));
            finish(*task, [&] {
                tables_.add(ending, wins);
                solved_.push_back(ending);
            });
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
    for (const Task& t : open_)
        left += effort(t);
    for (const Task& t : running_) {
        left += effort(t) / 2;
        names += ' ' + t.ending.name();
    }
    const std::string time =
        finished_ == 0 ? "" : fmt::format(", {:.0f} s left", left * seconds / finished_effort_);
    return fmt::format("{} solved, {} to do{}; now{}",
                       finished_,
                       open_.size() + running_.size(),
                       time,
                       names.empty() ? " none" : names);
}

TableSet Run::result() {
    if (failure_)
        std::rethrow_exception(failure_);
    if (stopped_)
        throw Failure("stopped; the same command continues with the endings that are left");
    load(kept_);
    return std::move(tables_);
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
    const Folder folder(plan.folder);
    TableSet finished;
    for (const Ending& e : plan.endings)
        if (const std::string file = folder.table(e); Folder::has(file))
            finished.add(std::make_shared<const DistanceTable>(
                value_or_throw(DistanceTable::load(file, e))));
    TaskList tasks(plan, folder);
    const int threads =
        std::clamp(plan.threads, 1, std::max(1, static_cast<int>(tasks.open.size())));
    Run run(folder, std::move(tasks), std::move(finished));
    run_workers(threads,
                [&](int) { run.work(); },
                {.signals = &engine::platform::end_requests(),
                 .stop = [&] { run.stop(); },
                 .progress = [&](double seconds) { return run.progress(seconds); }});
    return run.result();
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

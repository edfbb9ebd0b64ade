#include "tools/match/schedule.h"

#include "tools/common/workers.h"

#include <algorithm>
#include <mutex>

namespace tools::match {
namespace {

constexpr int Attempts = 3;  // to start an engine

// The games to play. Shared by the workers.
class WorkerQueue {
  public:
    WorkerQueue(const Plan& plan, const std::function<bool(const FinishedGame&)>& finished)
        : finished_(finished), warned_(plan.warned),
          opponents_(static_cast<int>(plan.engines.size()) - 1), games_(plan.games),
          names_(plan.engines.size()) {}

    // The next game to play; nothing if there is no more.
    std::optional<GameNumber> next() {
        const std::lock_guard lock(mutex_);
        if (stopped_ || opponent_ == opponents_)
            return std::nullopt;
        const GameNumber number{opponent_, game_ / 2, game_ % 2 == 1};
        if (++game_ == games_) {
            game_ = 0;
            ++opponent_;
        }
        return number;
    }
    void finish(const FinishedGame& game) {
        const std::lock_guard lock(mutex_);
        if (!finished_(game))
            cancel();
    }
    void stop() {
        const std::lock_guard lock(mutex_);
        cancel();
    }
    void fail_with(std::string what) {
        const std::lock_guard lock(mutex_);
        if (!stopped_ && !failure_)
            failure_ = std::move(what);
        cancel();
    }
    // The engine's name in the match, which differs from all others, whatever it reports.
    std::string name_of(std::size_t engine, const std::string& reported) {
        const std::lock_guard lock(mutex_);
        if (names_[engine].empty())
            names_[engine] = distinct_name(reported, names_);
        return names_[engine];
    }
    // Passes on the engine's warnings; false if one of them makes the match fail.
    bool accepts_warnings(std::size_t engine, const Driver& driver) {
        for (const std::string& warning : driver.warnings()) {
            const std::string text = driver.name() + ": " + warning;
            const auto accepted = [&] {
                const std::lock_guard lock(mutex_);
                return !warned_ || warned_(engine, text);
            };
            if (!accepted()) {
                fail_with(text);
                return false;
            }
        }
        return true;
    }
    std::optional<std::string> failure() {
        const std::lock_guard lock(mutex_);
        return failure_;
    }
    // Set when the match is stopped.
    [[nodiscard]] const engine::platform::Event& cancelled() const { return cancel_; }

  private:
    void cancel() {
        stopped_ = true;
        cancel_.set();
    }

    const std::function<bool(const FinishedGame&)>& finished_;
    const std::function<bool(std::size_t, const std::string&)>& warned_;
    const engine::platform::Event cancel_;
    std::mutex mutex_;  // guards what follows, and calls of finished_ and warned_
    const int opponents_, games_;
    int opponent_ = 0, game_ = 0;
    bool stopped_ = false;
    std::optional<std::string> failure_;
    std::vector<std::string> names_;  // of the engines; empty until one has started
};

class Worker {
  public:
    Worker(const Plan& plan,
           WorkerQueue& queue,
           Trace* trace,
           const std::function<void(const View&)>& watch)
        : plan_(plan), queue_(queue), trace_(trace), watch_(watch) {}

    void run() {
        bool first = true;
        while (const std::optional<GameNumber> number = queue_.next()) {
            if (!first && plan_.wait.count() > 0 &&
                queue_.cancelled().wait_until(Clock::now() + plan_.wait))
                break;
            first = false;
            if (!play(*number))
                break;
        }
        for (Slot& slot : slots_)
            quit_engine(slot);
    }

  private:
    struct Slot {
        std::size_t engine = 0;
        std::unique_ptr<Driver> driver;
    };

    void quit_engine(Slot& slot) {
        if (slot.driver)
            slot.driver->quit(QuitPatience);
        slot.driver.reset();
    }

    // Makes the engine run in the slot, ready for a game; false if that fails.
    bool start_engine(Slot& slot, std::size_t engine) {
        if (slot.driver && slot.engine == engine)
            return true;
        quit_engine(slot);
        slot.engine = engine;
        const EngineSpec& spec = plan_.engines[engine];
        for (int i = 0; i < Attempts; ++i) {
            Result<std::unique_ptr<Driver>> driver =
                Driver::start(spec, trace_, &queue_.cancelled());
            if (!driver) {
                queue_.fail_with(driver.error().what);
                return false;
            }
            const EngineResult ready = (*driver)->handshake();
            if (ready && !(*driver)->has_limit()) {
                queue_.fail_with((*driver)->name() +
                                 " does not support a limit by nodes, and has no other limit");
                return false;
            }
            if (ready) {
                slot.driver = std::move(*driver);
                slot.driver->rename(queue_.name_of(engine, slot.driver->name()));
                return queue_.accepts_warnings(engine, *slot.driver);
            }
            if (ready.error().kind == Ending::Unfinished)
                return false;
        }
        queue_.fail_with("the engine does not start: " + spec.command.words.front());
        return false;
    }

    bool play(const GameNumber& number) {
        Slot &first = slots_[0], &second = slots_[1];
        if (!start_engine(first, 0) ||
            !start_engine(second, static_cast<std::size_t>(number.opponent) + 1))
            return false;
        std::array<Driver*, 2> players{first.driver.get(), second.driver.get()};
        if (number.reversed)
            std::swap(players[0], players[1]);
        const auto opening = static_cast<std::size_t>(number.pair) % plan_.openings.size();
        PlayedGame record =
            play_game(players, plan_.openings[opening], plan_.rules, &queue_.cancelled(), watch_);
        record.event = plan_.event;
        record.date = plan_.date;
        record.round = 2 * number.pair + (number.reversed ? 2 : 1);
        keep_or_quit(first, record, number.reversed ? engine::Black : engine::White);
        keep_or_quit(second, record, number.reversed ? engine::White : engine::Black);
        queue_.finish({number, std::move(record)});
        return true;
    }

    // Ends an engine that cannot play the next game.
    void keep_or_quit(Slot& slot, const PlayedGame& record, engine::Color own) {
        const bool lost = record.outcome == win_for(~own);
        const bool broken =
            lost && (record.ending == Ending::Crash || record.ending == Ending::Stall);
        if (broken || record.broke_down[own])
            slot.driver.reset();
        else if (slot.driver->spec().restart || !slot.driver->reusable())
            quit_engine(slot);
    }

    const Plan& plan_;
    WorkerQueue& queue_;
    Trace* trace_;
    const std::function<void(const View&)>& watch_;
    std::array<Slot, 2> slots_;
};

}  // namespace

Result<void> play_match(const Plan& plan,
                        Trace* trace,
                        Cancel interrupt,
                        const std::function<bool(const FinishedGame&)>& finished,
                        const std::function<void(const View&)>& watch) {
    WorkerQueue queue(plan, finished);
    const int games = plan.games * static_cast<int>(plan.engines.size() - 1);
    run_workers(std::clamp(plan.concurrency, 1, std::max(games, 1)),
                [&](int) { Worker(plan, queue, trace, watch).run(); },
                {.signals = interrupt, .stop = [&queue] { queue.stop(); }});
    if (const std::optional<std::string> failure = queue.failure())
        return fail(*failure);
    return {};
}

}  // namespace tools::match

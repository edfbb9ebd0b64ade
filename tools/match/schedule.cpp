#include "tools/match/schedule.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace tools::match {
namespace {

constexpr milliseconds QuitPatience{3'000};  // an engine may have to write its book
constexpr int Attempts = 3;                  // to start an engine

// A file that is readable from raise() until clear().
class Flag {
  public:
    Flag() : file_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
    ~Flag() { close(file_); }
    Flag(const Flag&) = delete;
    Flag& operator=(const Flag&) = delete;
    void raise() const { eventfd_write(file_, 1); }
    void clear() const {
        eventfd_t ignored = 0;
        eventfd_read(file_, &ignored);
    }
    [[nodiscard]] int file() const { return file_; }
    // False if it was not raised within `time`.
    [[nodiscard]] bool wait(milliseconds time) const {
        pollfd files{file_, POLLIN, 0};
        return poll(&files, 1, static_cast<int>(time.count())) > 0;
    }

  private:
    int file_;
};

// The games to play and those that have ended. Shared by the workers and the caller.
class WorkerQueue {
  public:
    explicit WorkerQueue(const Plan& plan)
        : opponents_(static_cast<int>(plan.engines.size()) - 1), games_(plan.games) {}

    // The next game to play; nothing if there is no more.
    std::optional<GameNumber> next() {
        const std::lock_guard lock(state_mutex_);
        if (stopped_ || opponent_ == opponents_)
            return std::nullopt;
        const GameNumber number{opponent_, game_ / 2, game_ % 2 == 1};
        if (++game_ == games_) {
            game_ = 0;
            ++opponent_;
        }
        return number;
    }
    void put(FinishedGame game) {
        {
            const std::lock_guard lock(state_mutex_);
            finished_.push_back(std::move(game));
        }
        news_.raise();
    }
    std::optional<FinishedGame> take() {
        const std::lock_guard lock(state_mutex_);
        if (finished_.empty())
            return std::nullopt;
        FinishedGame game = std::move(finished_.front());
        finished_.pop_front();
        return game;
    }
    void stop() {
        const std::lock_guard lock(state_mutex_);
        stopped_ = true;
        cancel_.raise();
    }
    void fail_with(std::string what) {
        {
            const std::lock_guard lock(state_mutex_);
            if (!stopped_ && !failure_)
                failure_ = std::move(what);
        }
        stop();
        news_.raise();
    }
    void worker_done() {
        {
            const std::lock_guard lock(state_mutex_);
            ++done_;
        }
        news_.raise();
    }
    [[nodiscard]] int workers_done() {
        const std::lock_guard lock(state_mutex_);
        return done_;
    }
    std::optional<std::string> failure() {
        const std::lock_guard lock(state_mutex_);
        return failure_;
    }
    [[nodiscard]] const Flag& cancel() const { return cancel_; }
    [[nodiscard]] const Flag& news() const { return news_; }

  private:
    Flag cancel_, news_;
    std::mutex state_mutex_;  // guards what follows
    const int opponents_, games_;
    int opponent_ = 0, game_ = 0, done_ = 0;
    bool stopped_ = false;
    std::optional<std::string> failure_;
    std::deque<FinishedGame> finished_;
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
            if (!first && plan_.wait.count() > 0 && queue_.cancel().wait(plan_.wait))
                break;
            first = false;
            if (!play(*number))
                break;
        }
        for (Slot& slot : slots_)
            quit_engine(slot);
        queue_.worker_done();
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
                Driver::start(spec, trace_, queue_.cancel().file());
            if (!driver) {
                queue_.fail_with(driver.error().what);
                return false;
            }
            const EngineResult ready = (*driver)->handshake();
            if (ready && !(*driver)->has_limit()) {
                queue_.fail_with((*driver)->name() + " knows no limit by nodes, and has no other");
                return false;
            }
            if (ready) {
                slot.driver = std::move(*driver);
                for (const std::string& text : slot.driver->warnings())
                    warnings_.push_back(slot.driver->name() + ": " + text);
                return true;
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
        PlayedGame record = play_game(
            players, plan_.openings[opening], plan_.rules, queue_.cancel().file(), watch_);
        record.event = plan_.event;
        record.date = plan_.date;
        record.round = 2 * number.pair + (number.reversed ? 2 : 1);
        keep_or_quit(first, record, number.reversed ? engine::Black : engine::White);
        keep_or_quit(second, record, number.reversed ? engine::White : engine::Black);
        queue_.put({number, std::move(record), std::exchange(warnings_, {})});
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
    std::vector<std::string> warnings_;
};

}  // namespace

Result<void> play_match(const Plan& plan,
                        Trace* trace,
                        int interrupt,
                        const std::function<bool(const FinishedGame&)>& finished,
                        const std::function<void(const View&)>& watch) {
    WorkerQueue queue(plan);
    const int games = plan.games * static_cast<int>(plan.engines.size() - 1);
    const int count = std::clamp(plan.concurrency, 1, std::max(games, 1));
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&] { Worker(plan, queue, trace, watch).run(); });
    bool listening = true;
    while (queue.workers_done() < count) {
        std::array<pollfd, 2> files{pollfd{queue.news().file(), POLLIN, 0},
                                    pollfd{listening ? interrupt : -1, POLLIN, 0}};
        poll(files.data(), files.size(), -1);
        if (files[1].revents) {
            listening = false;
            queue.stop();
        }
        queue.news().clear();
        while (std::optional<FinishedGame> game = queue.take())
            if (!finished(*game))
                queue.stop();
    }
    for (std::thread& thread : threads)
        thread.join();
    while (std::optional<FinishedGame> game = queue.take())
        finished(*game);
    if (const std::optional<std::string> failure = queue.failure())
        return fail(*failure);
    return {};
}

}  // namespace tools::match

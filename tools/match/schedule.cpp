#include "tools/match/schedule.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace tools {
namespace {

constexpr milliseconds QuitPatience{3'000};  // an engine may have a book to write
constexpr int Attempts = 3;                  // to start an engine

// A file that becomes readable once and stays so until it is cleared.
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

// What the workers and the caller share.
class Hall {
  public:
    explicit Hall(const Plan& plan)
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
           Hall& hall,
           Trace* trace,
           const std::function<void(const View&)>& watch)
        : plan_(plan), hall_(hall), trace_(trace), watch_(watch) {}

    void run() {
        bool first = true;
        while (const std::optional<GameNumber> number = hall_.next()) {
            if (!first && plan_.wait.count() > 0 && hall_.cancel().wait(plan_.wait))
                break;
            first = false;
            if (!play(*number))
                break;
        }
        for (Seat& seat : seats_)
            leave(seat);
        hall_.worker_done();
    }

  private:
    struct Seat {
        std::size_t engine = 0;
        std::unique_ptr<Driver> driver;
    };

    void leave(Seat& seat) {
        if (seat.driver)
            seat.driver->quit(QuitPatience);
        seat.driver.reset();
    }

    // Makes sure that the engine sits there, ready for a game; false if it cannot be.
    bool take(Seat& seat, std::size_t engine) {
        if (seat.driver && seat.engine == engine)
            return true;
        leave(seat);
        seat.engine = engine;
        const EngineSpec& spec = plan_.engines[engine];
        for (int i = 0; i < Attempts; ++i) {
            Result<std::unique_ptr<Driver>> driver =
                Driver::start(spec, trace_, hall_.cancel().file());
            if (!driver) {
                hall_.fail_with(driver.error().what);
                return false;
            }
            const Outlook greeted = (*driver)->greet();
            if (greeted && !(*driver)->has_limit()) {
                hall_.fail_with((*driver)->name() + " knows no limit by nodes, and has no other");
                return false;
            }
            if (greeted) {
                seat.driver = std::move(*driver);
                for (const std::string& text : seat.driver->complaints())
                    complaints_.push_back(seat.driver->name() + ": " + text);
                return true;
            }
            if (greeted.error().kind == Ending::Unfinished)
                return false;
        }
        hall_.fail_with("the engine does not start: " + spec.command.words.front());
        return false;
    }

    bool play(const GameNumber& number) {
        Seat &first = seats_[0], &second = seats_[1];
        if (!take(first, 0) || !take(second, static_cast<std::size_t>(number.opponent) + 1))
            return false;
        std::array<Driver*, 2> players{first.driver.get(), second.driver.get()};
        if (number.reversed)
            std::swap(players[0], players[1]);
        const auto opening = static_cast<std::size_t>(number.pair) % plan_.openings.size();
        GameRecord record =
            play_game(players, plan_.openings[opening], plan_.rules, hall_.cancel().file(), watch_);
        record.event = plan_.event;
        record.date = plan_.date;
        record.round = 2 * number.pair + (number.reversed ? 2 : 1);
        tidy(first, record, number.reversed ? engine::Black : engine::White);
        tidy(second, record, number.reversed ? engine::White : engine::Black);
        hall_.put({number, std::move(record), std::exchange(complaints_, {})});
        return true;
    }

    // Gets rid of an engine that cannot play the next game.
    void tidy(Seat& seat, const GameRecord& record, engine::Color own) {
        const bool lost = record.outcome == win_for(~own);
        const bool broken =
            lost && (record.ending == Ending::Crash || record.ending == Ending::Stall);
        if (broken || record.broke_down[own])
            seat.driver.reset();
        else if (seat.driver->spec().restart || !seat.driver->reusable())
            leave(seat);
    }

    const Plan& plan_;
    Hall& hall_;
    Trace* trace_;
    const std::function<void(const View&)>& watch_;
    std::array<Seat, 2> seats_;
    std::vector<std::string> complaints_;
};

}  // namespace

Result<void> play_match(const Plan& plan,
                        Trace* trace,
                        int interrupt,
                        const std::function<bool(const FinishedGame&)>& finished,
                        const std::function<void(const View&)>& watch) {
    Hall hall(plan);
    const int games = plan.games * static_cast<int>(plan.engines.size() - 1);
    const int count = std::clamp(plan.concurrency, 1, std::max(games, 1));
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&] { Worker(plan, hall, trace, watch).run(); });
    bool listening = true;
    while (hall.workers_done() < count) {
        std::array<pollfd, 2> files{pollfd{hall.news().file(), POLLIN, 0},
                                    pollfd{listening ? interrupt : -1, POLLIN, 0}};
        poll(files.data(), files.size(), -1);
        if (files[1].revents) {
            listening = false;
            hall.stop();
        }
        hall.news().clear();
        while (std::optional<FinishedGame> game = hall.take())
            if (!finished(*game))
                hall.stop();
    }
    for (std::thread& thread : threads)
        thread.join();
    while (std::optional<FinishedGame> game = hall.take())
        finished(*game);
    if (const std::optional<std::string> failure = hall.failure())
        return fail(*failure);
    return {};
}

}  // namespace tools

// When a search must end: limits, clock, stopping and pondering. One per engine, for all its
// threads.
#pragma once

#include "engine/score.h"
#include "engine/search/timeman.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace engine {

// What a finished iteration says about going on.
struct Iteration {
    int depth = 0;
    std::uint64_t nodes = 0;
    Score score = 0;
    Confidence confidence{};
};

class Control {
  public:
    // Before the search threads are woken. `root_moves`: how many moves there are to choose from.
    void begin(const Limits& limits, milliseconds overhead, std::size_t root_moves);

    // Any thread.
    void stop();
    void ponder_hit(const Limits& limits);
    [[nodiscard]] bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    [[nodiscard]] milliseconds spent() const;  // since begin()

    // The first search thread only.
    // Looks at the clock and `nodes` of all threads; true if the search must end now.
    bool poll(std::uint64_t nodes);
    // How many nodes may pass until poll() is due again; at least 1.
    [[nodiscard]] int poll_interval(std::uint64_t nodes) const;
    // True if no further iteration shall begin.
    bool enough(const Iteration& iteration);
    // Sleeps until the search may report its choice: at once, or on ponder_hit() or stop().
    void rest();

  private:
    void apply(const Limits& limits, Clock::time_point started);
    void take_hit();
    [[nodiscard]] bool satisfied() const;
    [[nodiscard]] bool infinite() const;

    std::atomic<bool> stop_{false};
    std::atomic<bool> hit_waiting_{false};
    std::atomic<Clock::rep> begun_{0};

    // Of the first search thread, once it runs.
    Limits limits_;
    Budget budget_{};
    bool pondering_ = false;
    Clock::time_point clock_started_;
    milliseconds overhead_{};
    std::size_t root_moves_ = 0;
    Iteration last_;

    std::mutex hit_mutex_;  // guards hit_, hit_at_ and the changes that rest() waits for
    std::condition_variable changed_;
    Limits hit_;
    Clock::time_point hit_at_;
};

}  // namespace engine

// When a search must end: limits, clock, stop() and pondering. One per engine, shared by its
// threads.
#pragma once

#include "engine/score.h"
#include "engine/search/timeman.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace engine {

// The outcome of a finished iteration, as far as it decides whether to go on.
struct Iteration {
    int depth = 0;
    std::uint64_t nodes = 0;
    Score score = 0;
    Confidence confidence{};
};

class Control {
  public:
    // Call first of all: a stop() from now on ends the search, also before begin().
    void reset() { stop_.store(false, std::memory_order_relaxed); }
    // Call before the search threads are woken. `root_moves`: the number of moves to choose from.
    void begin(const Limits& limits, milliseconds overhead, std::size_t root_moves);

    // Any thread.
    void stop();
    void ponder_hit(const Limits& limits);
    [[nodiscard]] bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    [[nodiscard]] milliseconds spent() const;  // since begin()
    // True if time_to_solve() is over. In pondering it begins with ponder_hit().
    [[nodiscard]] bool solving_timed_out() const;

    // The main search thread only.
    void solving_ended();  // finished or given up; excludes its time from longest_stall()
    void set_root_moves(std::size_t count) { root_moves_ = count; }  // fewer than at begin()
    // Compares the clock and `nodes`, of all threads, with the limits. True if the search must end.
    bool poll(std::uint64_t nodes);
    // True if poll() has ended the search, with stop() or without.
    [[nodiscard]] bool limit_reached() const { return limit_reached_; }
    // The number of nodes after which poll() is due again; at least 1. Few at first and after a
    // stall: on virtual machines the first use of a page of a large hash table takes milliseconds.
    [[nodiscard]] int poll_interval(std::uint64_t nodes) const;
    // True if no further iteration shall begin.
    bool should_stop(const Iteration& iteration);
    // Returns when the result may be reported: at once, after the pace of the limits, or in
    // pondering and in an infinite search after ponder_hit() or stop().
    void wait_for_release();
    // The longest time between two looks at the clock; 0 in a search without one.
    milliseconds longest_stall();

  private:
    Clock::time_point look_at_clock();
    [[nodiscard]] bool timed() const {
        return !limits_.nodes_per_second && (limits_.clock || limits_.move_time);
    }
    void apply(const Limits& limits, Clock::time_point started);
    void apply_in_nodes();
    void limit_solving(const Limits& limits, Clock::time_point started);
    void apply_ponder_hit();
    [[nodiscard]] bool soft_limit_reached();
    [[nodiscard]] microseconds used();
    [[nodiscard]] bool infinite() const;
    [[nodiscard]] std::optional<Clock::time_point> end_of_pace() const;

    std::atomic<bool> stop_{false};
    std::atomic<bool> ponder_hit_pending_{false};
    std::atomic<Clock::rep> started_{0};
    std::atomic<Clock::rep> solving_end_{0};

    // Used by the main search thread only, once it runs.
    Limits limits_;
    Budget budget_{};
    bool pondering_ = false, limit_reached_ = false;
    Clock::time_point clock_started_, last_look_;
    Clock::duration longest_stall_{};
    int poll_nodes_ = 1;  // between two looks at the clock
    milliseconds overhead_{};
    std::size_t root_moves_ = 0;
    Iteration last_;

    // Guards ponder_limits_, ponder_hit_time_ and the changes that wait_for_release() waits for.
    std::mutex ponder_mutex_;
    std::condition_variable changed_;
    Limits ponder_limits_;
    Clock::time_point ponder_hit_time_;
};

}  // namespace engine

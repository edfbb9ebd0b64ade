#include "engine/search/control.h"

#include <algorithm>

namespace engine {
namespace {

constexpr int MaxPollNodes = 512;
constexpr milliseconds SlowPoll{4};  // between two looks at the clock: look more often

}  // namespace

void Control::begin(const Limits& limits, milliseconds overhead, std::size_t root_moves) {
    const Clock::time_point now = Clock::now();
    started_.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    overhead_ = overhead;
    root_moves_ = root_moves;
    last_ = {};
    last_look_ = now;
    longest_stall_ = {};
    poll_nodes_ = 1;
    pondering_ = limits.ponder;
    limit_reached_ = false;
    apply(limits, limits.started.value_or(now));
    limit_solving(limits, now);
    ponder_hit_pending_.store(false, std::memory_order_relaxed);
}

void Control::apply(const Limits& limits, Clock::time_point started) {
    limits_ = limits;
    clock_started_ = started;
    budget_ = {microseconds::max(), microseconds::max()};
    if (limits.nodes_per_second)
        return apply_in_nodes();
    if (limits.clock)
        budget_ = budget(*limits.clock, overhead_, limits.reserve);
    if (limits.move_time)
        budget_ = smaller(budget_, budget(*limits.move_time, overhead_ + limits.reserve));
}

// Nodes in place of time. No overhead is subtracted: nodes are not lost in transmission.
void Control::apply_in_nodes() {
    const auto at_most = [this](microseconds time) {
        const double seconds = std::chrono::duration<double>(time).count();
        const auto nodes = static_cast<std::uint64_t>(
            std::max(1.0, seconds * static_cast<double>(*limits_.nodes_per_second)));
        limits_.nodes = std::min(limits_.nodes.value_or(nodes), nodes);
    };
    if (limits_.move_time)
        at_most(*limits_.move_time);
    if (!limits_.clock)
        return;
    budget_ = budget(*limits_.clock, milliseconds(0));
    budget_.minimal = false;
    at_most(budget_.hard);
}

void Control::stop() {
    const std::lock_guard lock(ponder_mutex_);
    stop_.store(true, std::memory_order_relaxed);
    changed_.notify_all();
}

void Control::ponder_hit(const Limits& limits) {
    const std::lock_guard lock(ponder_mutex_);
    ponder_limits_ = limits;
    ponder_hit_time_ = limits.started.value_or(Clock::now());
    limit_solving(limits, ponder_hit_time_);
    ponder_hit_pending_.store(true, std::memory_order_release);
    changed_.notify_all();
}

void Control::limit_solving(const Limits& limits, Clock::time_point started) {
    const milliseconds allowed = limits.ponder ? milliseconds::max() : time_to_solve(limits);
    const Clock::time_point end =
        allowed == milliseconds::max() ? Clock::time_point::max() : started + allowed;
    solving_end_.store(end.time_since_epoch().count(), std::memory_order_relaxed);
}

bool Control::solving_timed_out() const {
    return Clock::now().time_since_epoch().count() >= solving_end_.load(std::memory_order_relaxed);
}

void Control::solving_ended() {
    last_look_ = Clock::now();
}

milliseconds Control::spent() const {
    const Clock::time_point started{Clock::duration(started_.load(std::memory_order_relaxed))};
    return std::chrono::duration_cast<milliseconds>(Clock::now() - started);
}

void Control::apply_ponder_hit() {
    {
        const std::lock_guard lock(ponder_mutex_);
        ponder_hit_pending_.store(false, std::memory_order_relaxed);
        apply(ponder_limits_, ponder_hit_time_);
    }
    // The time spent pondering counts, so the soft limit may already be reached.
    pondering_ = false;
    last_look_ = Clock::now();
    if (last_.depth > 0 && soft_limit_reached())
        stop();
}

Clock::time_point Control::look_at_clock() {
    const Clock::time_point now = Clock::now();
    const Clock::duration stall = now - last_look_;
    longest_stall_ = std::max(longest_stall_, stall);
    poll_nodes_ = std::clamp(stall > SlowPoll ? poll_nodes_ / 8 : poll_nodes_ * 2, 1, MaxPollNodes);
    return last_look_ = now;
}

milliseconds Control::longest_stall() {
    if (timed() && !pondering_)
        look_at_clock();
    return std::chrono::duration_cast<milliseconds>(longest_stall_);
}

bool Control::poll(std::uint64_t nodes) {
    if (ponder_hit_pending_.load(std::memory_order_acquire))
        apply_ponder_hit();
    if (pondering_ || limit_reached_)
        return stopped();
    const std::uint64_t first = budget_.minimal ? MinimalNodes : FirstIterationNodes;
    const bool out_of_nodes = (limits_.nodes && nodes >= *limits_.nodes) ||
                              (budget_.minimal && nodes >= 4 * MinimalNodes);
    const bool out_of_time = timed() && look_at_clock() - clock_started_ >= budget_.hard &&
                             (last_.depth > 0 || nodes >= first);
    limit_reached_ = out_of_nodes || out_of_time;
    if (limit_reached_)
        stop();
    return stopped();
}

int Control::poll_interval(std::uint64_t nodes) const {
    constexpr int ShortInterval = 64;
    const int usual = budget_.hard < milliseconds(50) ? ShortInterval : MaxPollNodes;
    const int due = timed() && !pondering_ ? std::min(usual, poll_nodes_) : usual;
    if (!limits_.nodes || pondering_)
        return due;
    const std::uint64_t left = *limits_.nodes > nodes ? *limits_.nodes - nodes : 1;
    return static_cast<int>(std::min<std::uint64_t>(left, static_cast<std::uint64_t>(due)));
}

bool Control::should_stop(const Iteration& iteration) {
    last_ = iteration;
    if (ponder_hit_pending_.load(std::memory_order_acquire))
        apply_ponder_hit();
    // Pondering does not make a level stronger.
    const bool level_reached = limits_.strength && last_.nodes >= limits_.soft_nodes.value_or(0);
    return stopped() || level_reached || (!pondering_ && soft_limit_reached());
}

bool Control::soft_limit_reached() {
    if ((limits_.depth && last_.depth >= *limits_.depth) ||
        (limits_.nodes && last_.nodes >= *limits_.nodes) ||
        (limits_.soft_nodes && last_.nodes >= *limits_.soft_nodes))
        return true;
    if (limits_.mate && is_mate(last_.score) && last_.score > 0 &&
        mate_moves(last_.score) <= *limits_.mate)
        return true;
    if (!limits_.clock)
        return false;
    constexpr int ForcedDepth = 6;  // enough for a score and a move to ponder on
    if (root_moves_ == 1 && last_.depth >= ForcedDepth)
        return true;
    if (is_mate(last_.score) && last_.depth >= 2 * (Mate - std::abs(last_.score)) + 4)
        return true;
    if (budget_.minimal)
        return last_.nodes >= MinimalNodes;
    return used() >= budget_.soft * soft_percent(last_.confidence) / 100;
}

// The time used for this move, at the end of an iteration.
microseconds Control::used() {
    if (limits_.nodes_per_second)
        return microseconds(last_.nodes * 1'000'000 / *limits_.nodes_per_second);
    return std::chrono::duration_cast<microseconds>(
        look_at_clock() -
        std::min(clock_started_, Clock::time_point(Clock::duration(started_.load()))));
}

bool Control::infinite() const {
    return !limits_.clock && !limits_.move_time && !limits_.depth && !limits_.nodes &&
           !limits_.soft_nodes && !limits_.mate;
}

// Nothing if the result may be reported at once.
std::optional<Clock::time_point> Control::end_of_pace() const {
    if (limits_.pace == 0 || !timed() || budget_.minimal)
        return std::nullopt;
    return clock_started_ + budget_.soft * limits_.pace / 100;
}

void Control::wait_for_release() {
    std::unique_lock lock(ponder_mutex_);
    for (;;) {
        if (ponder_hit_pending_.load(std::memory_order_relaxed)) {
            lock.unlock();
            apply_ponder_hit();
            lock.lock();
        }
        if (stopped())
            return;
        if (pondering_ || infinite()) {
            changed_.wait(lock);
            continue;
        }
        const std::optional<Clock::time_point> due = end_of_pace();
        if (!due || Clock::now() >= *due)
            return;
        look_at_clock();
        changed_.wait_until(lock, *due);
        last_look_ = std::max(last_look_, std::min(Clock::now(), *due));  // waiting is no stall
    }
}

}  // namespace engine

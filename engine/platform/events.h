// What threads wait for beside input: signals between threads, and requests to end the program.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

namespace engine::platform {

// Set once, from any thread; it stays set.
class Event {
  public:
    using Clock = std::chrono::steady_clock;

    Event();  // throws std::system_error
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void set() const;
    [[nodiscard]] bool wait_until(Clock::time_point until) const;  // false if it is not set by then
    [[nodiscard]] bool is_set() const { return wait_until(Clock::time_point::min()); }

    // Waits for any of at most 8 events, null ones never, and returns the index of the first that
    // is set; nothing if `until` passes (Clock::time_point::max(): it never does).
    static std::optional<std::size_t> wait_any(std::span<const Event* const> events,
                                               Clock::time_point until);

    // For platform/ alone: a file descriptor that becomes readable, or a HANDLE.
    using Native = std::ptrdiff_t;
    [[nodiscard]] Native native() const { return native_; }

  private:
    friend const Event& end_requests();
    explicit Event(Native native) : native_(native) {}
    Native native_;
};

// Set when the program is asked to end: SIGINT, SIGTERM or SIGHUP, or on Windows Ctrl-C or the
// closing of its window. The first call takes these signals away from this thread and from all that
// it starts later, so it belongs before any thread. A signal that is ignored, as SIGHUP under
// nohup, stays ignored.
const Event& end_requests();

// Ctrl-C is left to the other programs on this terminal.
void ignore_interrupts();

}  // namespace engine::platform

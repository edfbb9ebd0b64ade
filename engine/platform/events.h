// What threads wait for besides input: signals between threads, and requests to end the program.
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

    // Waits for any of at most 8 events, ignoring null ones, and returns the index of the first
    // set; nothing if `until` passes (Clock::time_point::max(): it never does).
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
// closing of its window. The first call blocks these signals in this thread and in all that it
// starts later, so call it before starting threads. A signal that is ignored, as SIGHUP under
// nohup, stays ignored.
const Event& end_requests();

// Ignores Ctrl-C; other programs on this terminal still receive it.
void ignore_interrupts();

}  // namespace engine::platform

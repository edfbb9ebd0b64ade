#include "engine/platform/events.h"

#include "engine/platform/windows/handles.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace engine::platform {
namespace {

constexpr std::size_t MaxEvents = 8;

HANDLE as_handle(Event::Native native) {
    return reinterpret_cast<HANDLE>(native);
}

Event::Native new_event() {
    const HANDLE handle = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
    if (!handle)
        throw std::system_error(
            static_cast<int>(::GetLastError()), std::system_category(), "CreateEvent");
    return reinterpret_cast<Event::Native>(handle);
}

// Called by Windows on a thread of its own: Ctrl-C, Ctrl-Break, window closed, log-off, shutdown.
// After the last three the process ends when this function returns, so it waits for main() to end.
BOOL WINAPI on_end_request(DWORD kind) {
    end_requests().set();
    if (kind >= CTRL_CLOSE_EVENT)
        ::Sleep(INFINITE);
    return TRUE;
}

}  // namespace

std::optional<std::size_t> wait_any(std::span<const HANDLE> handles,
                                    std::chrono::steady_clock::time_point until) {
    using Clock = std::chrono::steady_clock;
    constexpr std::int64_t Day = 86'400'000;  // ms
    for (;;) {
        const auto now = Clock::now();
        const auto left =
            until > now ? std::chrono::ceil<std::chrono::milliseconds>(until - now).count() : 0;
        const auto timeout = static_cast<DWORD>(std::min<std::int64_t>(left, Day));
        if (handles.empty())
            ::Sleep(timeout);
        const auto count = static_cast<DWORD>(handles.size());
        const DWORD result = count > 0
                                 ? ::WaitForMultipleObjects(count, handles.data(), FALSE, timeout)
                                 : WAIT_TIMEOUT;
        if (result < WAIT_OBJECT_0 + count)
            return result - WAIT_OBJECT_0;
        if (result != WAIT_TIMEOUT || Clock::now() >= until)
            return std::nullopt;
    }
}

Event::Event() : native_(new_event()) {}

Event::~Event() {
    ::CloseHandle(as_handle(native_));
}

void Event::set() const {
    ::SetEvent(as_handle(native_));
}

bool Event::wait_until(Clock::time_point until) const {
    const Event* const self = this;
    return wait_any({&self, 1}, until).has_value();
}

std::optional<std::size_t> Event::wait_any(std::span<const Event* const> events,
                                           Clock::time_point until) {
    std::array<HANDLE, MaxEvents> handles{};
    std::array<std::size_t, MaxEvents> index{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(events.size(), MaxEvents); ++i)
        if (events[i]) {
            handles[count] = as_handle(events[i]->native_);
            index[count++] = i;
        }
    const auto signalled = platform::wait_any(std::span(handles).first(count), until);
    return signalled ? std::optional(index[*signalled]) : std::nullopt;
}

const Event& end_requests() {
    static const Event requests(new_event());
    static const bool handled = ::SetConsoleCtrlHandler(on_end_request, TRUE) != 0;
    (void)handled;
    return requests;
}

void ignore_interrupts() {
    ::SetConsoleCtrlHandler(nullptr, TRUE);
}

}  // namespace engine::platform

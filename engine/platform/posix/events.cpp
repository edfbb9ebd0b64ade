#include "engine/platform/events.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace engine::platform {
namespace {

constexpr std::size_t MaxEvents = 8;

int as_file(Event::Native native) {
    return static_cast<int>(native);
}

// A signalfd for those signals that are not ignored.
int take_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN)
            sigaddset(&signals, signal);
    }
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

}  // namespace

Event::Event() : native_(::eventfd(0, EFD_CLOEXEC)) {
    if (native_ < 0)
        throw std::system_error(errno, std::generic_category(), "eventfd");
}

Event::~Event() {
    ::close(as_file(native_));
}

void Event::set() const {
    const std::uint64_t one = 1;
    // A write of eight bytes to an eventfd fails only if it would overflow.
    [[maybe_unused]] const ssize_t written = ::write(as_file(native_), &one, sizeof one);
}

bool Event::wait_until(Clock::time_point until) const {
    const Event* const self = this;
    return wait_any({&self, 1}, until).has_value();
}

std::optional<std::size_t> Event::wait_any(std::span<const Event* const> events,
                                           Clock::time_point until) {
    using std::chrono::nanoseconds;
    std::array<pollfd, MaxEvents> files{};
    const std::size_t count = std::min(events.size(), MaxEvents);
    for (std::size_t i = 0; i < count; ++i)
        files[i] = {events[i] ? as_file(events[i]->native_) : -1, POLLIN, 0};
    for (;;) {
        timespec timeout{};
        if (const auto now = Clock::now(); until > now) {
            const auto left = std::chrono::duration_cast<nanoseconds>(until - now).count();
            timeout = {left / 1'000'000'000, left % 1'000'000'000};
        }
        const int ready = ::ppoll(
            files.data(), count, until == Clock::time_point::max() ? nullptr : &timeout, nullptr);
        if (ready == 0)
            return std::nullopt;
        for (std::size_t i = 0; ready > 0 && i < count; ++i)
            if (files[i].revents != 0)
                return i;
    }
}

const Event& end_requests() {
    static const Event requests(take_signals());
    return requests;
}

void ignore_interrupts() {
    std::signal(SIGINT, SIG_IGN);
}

}  // namespace engine::platform

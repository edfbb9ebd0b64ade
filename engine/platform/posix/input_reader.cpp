#include "engine/platform/input_reader.h"

#include <array>
#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace engine::platform {
namespace {

constexpr std::size_t MaxLateBytes = 65'536;  // read after the end was requested

}  // namespace

struct InputReader::Impl {
    int file;
    const Event* end;
    Event stop{};
    std::size_t late_bytes = 0;
};

InputReader::InputReader(int descriptor, const Event* end) : impl_(new Impl{descriptor, end}) {}

InputReader::~InputReader() = default;

InputReader::Arrival InputReader::read(std::span<char> to) {
    std::array<pollfd, 3> waiting = {
        pollfd{static_cast<int>(impl_->stop.native()), POLLIN, 0},
        pollfd{impl_->end ? static_cast<int>(impl_->end->native()) : -1, POLLIN, 0},
        pollfd{impl_->file, POLLIN, 0}};
    for (;;) {
        if (::poll(waiting.data(), waiting.size(), -1) < 0) {
            if (errno == EINTR)
                continue;
            return {Outcome::End};
        }
        if (waiting[0].revents != 0)
            return {Outcome::Stopped};
        // What was written before the request is read first, unless it does not end.
        const bool ending = waiting[1].revents != 0;
        if (ending && ((waiting[2].revents & POLLIN) == 0 || impl_->late_bytes >= MaxLateBytes))
            return {Outcome::EndRequested};
        const ssize_t count = ::read(impl_->file, to.data(), to.size());
        if (count > 0) {
            impl_->late_bytes += ending ? static_cast<std::size_t>(count) : 0;
            return {Outcome::Bytes, static_cast<std::size_t>(count)};
        }
        if (ending)
            return {Outcome::EndRequested};
        if (count == 0 || (errno != EINTR && errno != EAGAIN))
            return {Outcome::End};
    }
}

void InputReader::stop() {
    impl_->stop.set();
}

}  // namespace engine::platform

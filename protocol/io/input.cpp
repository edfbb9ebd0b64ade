#include "protocol/io/input.h"

#include "protocol/io/text.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace protocol {

void LineSplitter::append(std::string_view bytes) {
    line_.append(bytes.substr(0, MaxLineBytes - std::min(line_.size(), MaxLineBytes)));
}

void LineSplitter::feed(std::string_view bytes, const Deliver& deliver) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
         end = bytes.find('\n')) {
        append(bytes.substr(0, end));
        bytes.remove_prefix(end + 1);
        end_line(deliver);
    }
    append(bytes);
}

void LineSplitter::finish(const Deliver& deliver) {
    if (!line_.empty())
        end_line(deliver);
}

void LineSplitter::end_line(const Deliver& deliver) {
    if (line_.ends_with('\r'))
        line_.pop_back();
    deliver(std::move(line_));
    line_.clear();
}

Input::Input(int file, int signals, Deliver deliver)
    : file_(file), signals_(signals), stop_(::eventfd(0, EFD_CLOEXEC)),
      deliver_(std::move(deliver)), thread_([this] { read(); }) {}

Input::~Input() {
    const std::uint64_t one = 1;
    // A write of eight bytes to an eventfd fails only if it would overflow.
    [[maybe_unused]] const ssize_t written = ::write(stop_, &one, sizeof one);
    thread_.join();
    ::close(stop_);
}

void Input::read() {
    LineSplitter splitter;
    std::array<pollfd, 3> waiting = {
        pollfd{file_, POLLIN, 0}, pollfd{stop_, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
    while (!quit_) {
        if (::poll(waiting.data(), waiting.size(), -1) < 0) {
            if (errno == EINTR)
                continue;
            return deliver_(EndOfInput{});
        }
        if (waiting[1].revents != 0)
            return;
        if (waiting[2].revents != 0)
            return deliver_(Terminate{});
        if (waiting[0].revents != 0 && !read_some(splitter))
            return deliver_(EndOfInput{});
    }
}

// Returns false at the end of the input. Nothing is read after `quit`.
bool Input::read_some(LineSplitter& splitter) {
    std::array<char, 16'384> buffer;
    const ssize_t count = ::read(file_, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    const Time now = engine::Clock::now();
    const auto deliver = [this, now](std::string line) {
        quit_ = quit_ || trimmed(line) == "quit";
        deliver_(Line{std::move(line), now});
    };
    if (count <= 0) {
        splitter.finish(deliver);
        return false;
    }
    splitter.feed({buffer.data(), static_cast<std::size_t>(count)}, deliver);
    return true;
}

}  // namespace protocol

#include "protocol/io/output.h"

#include "protocol/io/text.h"

#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace protocol {
namespace {

// xboard's buffers hold 512 bytes.
constexpr std::size_t LongestLine = 480;

constexpr std::size_t MostWaiting = 20;

}  // namespace

void Output::declare(std::string_view line) {
    if (closed_)
        return;
    std::string whole(line.substr(0, LongestLine));
    whole += '\n';
    closed_ = !sink_(whole);
}

void Output::say(std::string_view line) {
    declare(defused(std::string(line)));
}

void Output::comment(std::string_view text) {
    if (comments_.value_or(false))
        answer(text);
    else if (!comments_ && waiting_.size() < MostWaiting)
        waiting_.emplace_back(text);
}

void Output::allow_comments(bool allowed) {
    comments_ = allowed;
    for (const std::string& text : std::exchange(waiting_, {}))
        comment(text);
}

void Output::answer(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        say(line.empty() ? std::string("#") : "# " + std::string(line));
    }
}

void Output::error(std::string_view reason, std::string_view line) {
    say("Error (" + std::string(reason) + "): " + printable(line));
}

void Output::illegal_move(std::string_view reason, std::string_view move) {
    const std::string bracket = reason.empty() ? "" : " (" + std::string(reason) + ")";
    say("Illegal move" + bracket + ": " + printable(move));
}

bool write_all(int file_descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        // Somebody who shares the file has made it one that does not wait.
        pollfd room{file_descriptor, POLLOUT, 0};
        if (written < 0 && errno == EAGAIN && (::poll(&room, 1, -1) > 0 || errno == EINTR))
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace protocol

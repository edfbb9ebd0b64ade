#include "protocol/io/input.h"

#include "protocol/io/text.h"

#include <algorithm>
#include <array>

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

Input::Input(int file, const engine::platform::Event* end, Deliver deliver)
    : reader_(file, end), deliver_(std::move(deliver)), thread_([this] { read(); }) {}

Input::~Input() {
    reader_.stop();
    thread_.join();
}

// Nothing is read after `quit`.
void Input::read() {
    using Outcome = engine::platform::InputReader::Outcome;
    LineSplitter splitter;
    std::array<char, 16'384> buffer;
    while (!quit_) {
        const auto [outcome, bytes] = reader_.read(buffer);
        switch (outcome) {
        case Outcome::Bytes:
            take({buffer.data(), bytes}, splitter);
            break;
        case Outcome::End:
            take({}, splitter);
            return deliver_(EndOfInput{});
        case Outcome::EndRequested:
            return deliver_(Terminate{});
        case Outcome::Stopped:
            return;
        }
    }
}

// Delivers the lines that the bytes complete. No bytes: the input has ended; delivers the rest.
void Input::take(std::string_view bytes, LineSplitter& splitter) {
    const Time now = engine::Clock::now();
    const auto deliver = [this, now](std::string line) {
        quit_ = quit_ || trimmed(line) == "quit";
        deliver_(Line{std::move(line), now});
    };
    if (bytes.empty())
        splitter.finish(deliver);
    else
        splitter.feed(bytes, deliver);
}

}  // namespace protocol

// The reader thread: turns bytes from the client into events with the time of arrival.
#pragma once

#include "engine/platform/input_reader.h"
#include "protocol/io/event.h"

#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace protocol {

// Splits a stream into lines. A line ends with "\n" or "\r\n"; what exceeds MaxLineBytes is
// dropped.
class LineSplitter {
  public:
    static constexpr std::size_t MaxLineBytes = 65'536;
    using Deliver = std::function<void(std::string line)>;

    void feed(std::string_view bytes, const Deliver& deliver);
    // At the end of the stream: bytes without an end of line are a line too.
    void finish(const Deliver& deliver);

  private:
    void append(std::string_view bytes);
    void end_line(const Deliver& deliver);

    std::string line_;
};

class Input {
  public:
    using Deliver = std::function<void(Event)>;

    // Starts reading the descriptor `file`. `end` becomes a Terminate when it is set; it may be
    // null and must outlive this object. `deliver` is called from the reader thread.
    Input(int file, const engine::platform::Event* end, Deliver deliver);
    ~Input();  // stops and joins the thread
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

  private:
    void read();
    void take(std::string_view bytes, LineSplitter& splitter);

    engine::platform::InputReader reader_;
    Deliver deliver_;
    bool quit_ = false;  // used by the reader thread only
    std::jthread thread_;
};

}  // namespace protocol

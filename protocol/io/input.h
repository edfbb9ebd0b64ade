// The reader thread: turns bytes from the client into events with the time of arrival.
#pragma once

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

    // Starts reading the descriptor `file`. `signals` is a signalfd, or -1: any signal from it
    // becomes a Terminate. `deliver` is called from the reader thread.
    Input(int file, int signals, Deliver deliver);
    ~Input();  // stops and joins the thread
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

  private:
    void read();
    bool read_some(LineSplitter& splitter);

    int file_, signals_, stop_;
    Deliver deliver_;
    bool quit_ = false;  // used by the reader thread only
    std::jthread thread_;
};

}  // namespace protocol

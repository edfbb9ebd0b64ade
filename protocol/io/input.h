// The reader thread: bytes from the client become lines in the mailbox, stamped on arrival.
#pragma once

#include "protocol/io/event.h"

#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace protocol {

// Cuts a stream into lines, however its bytes arrive. A line ends with "\n" or "\r\n"; of one
// longer than LongestLine the rest is dropped.
class LineSplitter {
  public:
    static constexpr std::size_t LongestLine = 65'536;
    using Deliver = std::function<void(std::string line)>;

    void feed(std::string_view bytes, const Deliver& deliver);
    // At the end of the stream: what stands there without an end of line is a line too.
    void finish(const Deliver& deliver);

  private:
    void append(std::string_view bytes);
    void end_line(const Deliver& deliver);

    std::string line_;
};

class Input {
  public:
    using Deliver = std::function<void(Event)>;

    // Starts reading `file`. `signals` is a signalfd; whatever it reports becomes Terminate. -1:
    // none. `deliver` is called from the reader thread.
    Input(int file, int signals, Deliver deliver);
    ~Input();  // stops and joins the thread
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

  private:
    void read();
    bool read_some(LineSplitter& splitter);

    int file_, signals_, stop_;
    Deliver deliver_;
    bool quit_ = false;  // the reader's own
    std::jthread thread_;
};

}  // namespace protocol

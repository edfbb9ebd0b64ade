// A child process with which we exchange lines over its standard input and output.
#pragma once

#include "engine/board/result.h"

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tools::match {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct Command {
    std::vector<std::string> words;  // program and arguments; the program is looked up in PATH
    std::string directory;           // its working folder; empty: ours
    std::string error_file;          // for its standard error; empty: discarded
};

// Owns the process and its children (they share a process group): none outlives this object.
// Belongs to one thread. Our program must ignore SIGPIPE.
class Process {
  public:
    static Result<std::unique_ptr<Process>> start(const Command& command);
    ~Process();  // kills what still runs
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // Writes all of `text`; false if the process has ended or does not read it within five seconds.
    bool send(std::string_view text);
    // The next complete line without its end, if one was read. Lines end after 64 KiB at the
    // latest.
    std::optional<std::string_view> line();  // valid until the next call on this object
    // When the bytes behind the last line() arrived.
    [[nodiscard]] Clock::time_point last_read() const { return last_read_; }
    [[nodiscard]] bool at_end() const { return at_end_; }  // no more input will come
    // Closes its input and waits at most `patience` for its end, then kills it.
    void finish(milliseconds patience);
    // "exit status 3" or "signal 11" after its end, else empty.
    [[nodiscard]] std::string ending() const;

  private:
    friend bool wait_for(std::span<Process* const> processes, Clock::time_point until, int cancel);
    Process(int pid, int in, int out, int pid_handle);
    void read_some();
    bool wait_for_exit(milliseconds patience);
    void reap();

    int pid_, in_, out_, pid_handle_;
    std::optional<int> status_;  // as waitpid gave it
    bool at_end_ = false;
    std::string buffer_;
    std::size_t begin_ = 0, scanned_ = 0;  // the unread part; where the search for its end stands
    Clock::time_point last_read_;
};

// Waits until one of the processes has written something or ended, and reads it. Processes at their
// end are skipped. False if `until` passed or the file `cancel` (-1: none) became readable; then
// nothing was read.
bool wait_for(std::span<Process* const> processes, Clock::time_point until, int cancel);

}  // namespace tools::match

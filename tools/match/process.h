// A child program that is talked to in lines over its standard input and output.
#pragma once

#include "engine/board/result.h"

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct Command {
    std::vector<std::string> words;  // program and arguments; the program is looked up in PATH
    std::string directory;           // where it runs; empty: where we do
    std::string error_file;          // gets its standard error; empty: nowhere
};

// Owns the program and all it starts (they share a process group): nothing of it outlives this
// object. Belongs to one thread. The program must run with SIGPIPE ignored by us.
class Process {
  public:
    static Result<std::unique_ptr<Process>> start(const Command& command);
    ~Process();  // kills what still runs
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // Writes all of `text`; false if the program is gone or does not read it within a few seconds.
    bool send(std::string_view text);
    // The next complete line without its end, if one was read. Lines end after 64 KiB at the
    // latest.
    std::optional<std::string_view> line();  // valid until the next call on this object
    // When the bytes behind the last line() arrived.
    [[nodiscard]] Clock::time_point heard_at() const { return heard_at_; }
    [[nodiscard]] bool at_end() const { return at_end_; }  // no more input will come
    // Lets the program go by itself (its input is closed) for at most `patience`, then forces it.
    void finish(milliseconds patience);
    // "exit status 3" or "signal 11" once it is gone, else empty.
    [[nodiscard]] std::string ending() const;

  private:
    friend bool wait_for(std::span<Process* const> who, Clock::time_point until, int cancel);
    Process(int pid, int in, int out, int pid_handle);
    void read_some();
    bool wait_for_exit(milliseconds patience);
    void reap();

    int pid_, in_, out_, pid_handle_;
    std::optional<int> status_;  // as waitpid gave it
    bool at_end_ = false;
    std::string buffer_;
    std::size_t begin_ = 0, scanned_ = 0;  // the unread part; where the search for its end stands
    Clock::time_point heard_at_;
};

// Waits until one of the programs has said something or ended, and takes in what there is. Programs
// at their end are not waited for. False if `until` passed or the file `cancel` (-1: none) became
// readable, and nothing was taken in.
bool wait_for(std::span<Process* const> who, Clock::time_point until, int cancel);

}  // namespace tools

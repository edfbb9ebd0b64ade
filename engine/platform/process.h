// A child process with which we exchange lines over its standard input and output.
#pragma once

#include "engine/board/result.h"
#include "engine/platform/events.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::platform {

struct Command {                     // all in UTF-8
    std::vector<std::string> words;  // program and arguments; the program is looked up in PATH
    std::string directory;           // its working folder; empty: ours
    std::string error_file;          // for its standard error; empty: discarded
    // What differs from our environment: NAME=VALUE, or NAME alone to remove it.
    std::vector<std::string> environment{};

    // Fails if there is no program, no such folder, or the error file cannot be written.
    [[nodiscard]] Result<void> check() const;
};

// Owns the process and its children (they share a process group, or a job): none outlives this
// object. Belongs to one thread. Our program must ignore broken pipes.
class Process {
  public:
    using Clock = Event::Clock;

    static Result<std::unique_ptr<Process>> start(const Command& command);
    ~Process();  // kills what still runs
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // Writes all of `text`; false if the process has ended or does not read it within five seconds.
    bool send(std::string_view text);
    // The next complete line without its end, if one was read. Lines end after 64 KiB at the
    // latest.
    std::optional<std::string_view> line();  // valid until the next call on this object
    // When the latest bytes of its output arrived.
    [[nodiscard]] Clock::time_point last_read() const { return last_read_; }
    [[nodiscard]] bool at_end() const { return at_end_; }  // no more input will come
    [[nodiscard]] int number() const;                      // of the process
    void close_input();
    void close_output();  // as if we had died; reads nothing more
    void kill();          // at once; what it has written can still be read
    // Discards its output meanwhile. False if it has not ended then.
    bool wait_for_exit(std::chrono::milliseconds patience);
    // Closes its input and waits at most `patience` for its end, then kills it.
    void finish(std::chrono::milliseconds patience);
    // After finish(): its exit status, or minus the signal that ended it.
    [[nodiscard]] std::optional<int> exit_status() const;
    // The same as text, "exit status 3" or "signal 11"; empty before.
    [[nodiscard]] std::string ending() const;

  private:
    struct System;  // its handles in the operating system
    friend bool
    wait_for(std::span<Process* const> processes, Clock::time_point until, const Event* cancel);
    explicit Process(std::unique_ptr<System> system);
    void read_some();
    void reap();

    std::unique_ptr<System> system_;
    bool at_end_ = false;
    std::string buffer_{};
    std::size_t begin_ = 0, scanned_ = 0;  // the unread part; where the search for its end stands
    Clock::time_point last_read_ = Clock::now();
};

// Waits until one of at most 8 processes has written something or ended, and reads it. Processes at
// their end are skipped. False if `until` passed or `cancel` (null: none) is set; then nothing was
// read.
bool wait_for(std::span<Process* const> processes,
              Process::Clock::time_point until,
              const Event* cancel);

}  // namespace engine::platform

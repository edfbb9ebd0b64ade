// A file of all that was said in both directions, with the time: what `--log FILE` writes.
#pragma once

#include "engine/board/result.h"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace protocol {

class Log {
  public:
    // Appends to the file, creating it if need be; several programs may append to one file.
    static Result<std::unique_ptr<Log>> open(const std::string& path);
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    // Any thread. A line that cannot be written is lost without a word.
    void received(std::string_view line) { write('>', line); }
    void sent(std::string_view line) { write('<', line); }

  private:
    explicit Log(int file) : file_(file) {}
    void write(char direction, std::string_view line);

    std::mutex file_mutex_;
    int file_;
};

}  // namespace protocol

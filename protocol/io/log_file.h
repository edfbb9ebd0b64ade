// The file that `--log FILE` writes: all lines in both directions, with the time.
#pragma once

#include "engine/board/result.h"
#include "engine/platform/file.h"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace protocol {

class LogFile {
  public:
    // Appends to the file and creates it if it is missing; several programs may append to one file.
    static Result<std::unique_ptr<LogFile>> open(const std::string& path);

    // From any thread. A line that cannot be written is dropped.
    void received(std::string_view line) { write('>', line); }
    void sent(std::string_view line) { write('<', line); }

  private:
    explicit LogFile(engine::platform::File file) : file_(std::move(file)) {}
    void write(char direction, std::string_view line);

    std::mutex file_mutex_;
    engine::platform::File file_;
};

}  // namespace protocol

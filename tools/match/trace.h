// The conversation with the engines in a file, for finding out what went wrong.
#pragma once

#include "tools/common/strings.h"

#include <fstream>
#include <memory>
#include <mutex>

namespace tools {

// Any thread may write.
class Trace {
  public:
    static Result<std::unique_ptr<Trace>> open(const std::string& path);
    // One line: seconds since the start, the engine, '>' for what we said and '<' for what it said.
    void write(std::string_view engine, char direction, std::string_view text);

  private:
    explicit Trace(std::ofstream file) : file_(std::move(file)) {}

    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::mutex file_mutex_;
    std::ofstream file_;
};

}  // namespace tools

// Reading of the standard input, which ends when another thread says so.
#pragma once

#include "engine/platform/events.h"

#include <memory>
#include <span>

namespace engine::platform {

class InputReader {
  public:
    enum class Outcome { Bytes, End, EndRequested, Stopped };
    struct Arrival {
        Outcome outcome;
        std::size_t bytes = 0;
    };

    // Reads a file descriptor, usually 0. `end`: see end_requests(); null: none. It must outlive
    // this object.
    InputReader(int descriptor, const Event* end);
    ~InputReader();
    InputReader(const InputReader&) = delete;
    InputReader& operator=(const InputReader&) = delete;

    // Waits for bytes, the end of the input or of the program, or stop(). Bytes that arrived before
    // the end was requested come first. One thread only.
    Arrival read(std::span<char> to);
    // Ends the waiting read() and all that follow. From any other thread.
    void stop();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace engine::platform

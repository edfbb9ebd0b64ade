// Lines to the client. Only the main thread uses it, so lines never mix and none comes late.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protocol {

class Output {
  public:
    // Gets each whole line with its newline; false: nobody reads any more.
    using Sink = std::function<bool(std::string_view line)>;
    explicit Output(Sink sink) : sink_(std::move(sink)) {}

    // A line of the protocol, made safe.
    void say(std::string_view line);
    // A result or a draw offer: its words are meant as xboard takes them.
    void declare(std::string_view line);
    // "# text": unasked, so only while comments are allowed. Those said before the client has
    // answered about comments wait for its answer.
    void comment(std::string_view text);
    // "# text" for every line of the text, to one who asked.
    void answer(std::string_view text);

    void error(std::string_view reason, std::string_view line);
    void illegal_move(std::string_view reason, std::string_view move);  // reason may be empty

    void allow_comments(bool allowed);
    [[nodiscard]] bool closed() const { return closed_; }

  private:
    Sink sink_;
    std::optional<bool> comments_;  // nothing: not yet answered
    std::vector<std::string> waiting_;
    bool closed_ = false;
};

// Writes all of it with as few calls as the system allows; false when that fails.
bool write_all(int file_descriptor, std::string_view bytes);

}  // namespace protocol

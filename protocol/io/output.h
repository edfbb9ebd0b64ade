// Lines to the client. Used by the main thread only, so lines never mix and no line comes late.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protocol {

class Output {
  public:
    // Receives each line with its newline; returns false when nobody reads any more.
    using Sink = std::function<bool(std::string_view line)>;
    explicit Output(Sink sink) : sink_(std::move(sink)) {}

    // From now on as UCI wants it: comments and answers are "info string TEXT", lines may be long.
    void speak_uci() { uci_ = true; }

    // A line of the protocol, for xboard without words that it misunderstands; see defused().
    void say(std::string_view line);
    // A line of the protocol as it is: a result, a draw offer, a feature.
    void declare(std::string_view line);
    // "# text" that nobody asked for: only if the client accepts comments. Until it has accepted or
    // rejected them they are kept.
    void comment(std::string_view text);
    // "# text" for every line of the text, in answer to a command.
    void answer(std::string_view text);

    void error(std::string_view reason, std::string_view line);
    void illegal_move(std::string_view reason, std::string_view move);  // reason may be empty

    void allow_comments(bool allowed);
    [[nodiscard]] bool closed() const { return closed_; }

  private:
    Sink sink_;
    std::optional<bool> comments_allowed_;  // empty: the client has not answered yet
    std::vector<std::string> kept_comments_;
    bool uci_ = false;
    bool closed_ = false;
};

}  // namespace protocol

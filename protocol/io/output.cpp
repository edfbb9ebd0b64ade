#include "protocol/io/output.h"

#include "protocol/io/text.h"

#include <utility>

#include <fmt/format.h>

namespace protocol {
namespace {

constexpr std::size_t MaxLineBytes = 480;  // xboard's buffers hold 512
constexpr std::size_t MaxUciLineBytes = 8'000;
constexpr std::size_t MaxKeptComments = 20;

}  // namespace

void Output::declare(std::string_view line) {
    if (closed_)
        return;
    std::string whole(line.substr(0, uci_ ? MaxUciLineBytes : MaxLineBytes));
    whole += '\n';
    closed_ = !sink_(whole);
}

void Output::say(std::string_view line) {
    declare(uci_ ? std::string(line) : defused(std::string(line)));
}

void Output::comment(std::string_view text) {
    if (comments_allowed_.value_or(false))
        answer(text);
    else if (!comments_allowed_ && kept_comments_.size() < MaxKeptComments)
        kept_comments_.emplace_back(text);
}

void Output::allow_comments(bool allowed) {
    comments_allowed_ = allowed;
    for (const std::string& text : std::exchange(kept_comments_, {}))
        comment(text);
}

void Output::answer(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        say(trimmed((uci_ ? "info string " : "# ") + std::string(line)));
    }
}

void Output::error(std::string_view reason, std::string_view line) {
    say(fmt::format("{}Error ({}): {}", uci_ ? "info string " : "", reason, printable(line)));
}

void Output::illegal_move(std::string_view reason, std::string_view move) {
    const std::string bracket = reason.empty() ? "" : fmt::format(" ({})", reason);
    say(fmt::format("Illegal move{}: {}", bracket, printable(move)));
}

}  // namespace protocol

#include "protocol/xboard.h"

#include "protocol/io/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace protocol {
namespace {

const Xboard::Command* find_command(std::string_view name) {
    for (const Xboard::Command& command : Xboard::commands())
        if (command.name == name)
            return &command;
    return nullptr;
}

// Commands that a client may send between `edit` and `.`; all other lines are for the editor.
bool works_while_editing(std::string_view name) {
    constexpr auto Names = std::to_array<std::string_view>(
        {"accepted", "force", "new", "ping", "quit", "rejected", "result", "setboard", "xboard"});
    return std::find(Names.begin(), Names.end(), name) != Names.end();
}

// Commands that a client may send before it has the features.
bool is_greeting(std::string_view name) {
    constexpr auto Names =
        std::to_array<std::string_view>({"xboard", "protover", "accepted", "rejected"});
    return std::find(Names.begin(), Names.end(), name) != Names.end();
}

}  // namespace

void Xboard::receive(const Line& line) {
    const std::string_view text = trimmed(line.text);
    if (text.empty())
        return;
    std::string_view args = text;
    const Command* const command = find_command(next_word(args));
    Request request{std::string(text), line.arrived, command, text.size() - args.size()};
    if (!command || !is_greeting(command->name))
        allot_resources();
    if (command && act(command->when, player_.state()) == Act::Defer)
        deferred_.push_back(std::move(request));
    else
        run(request);
}

void Xboard::run_deferred() {
    while (!deferred_.empty() && !quitting_ && player_.state() != State::Thinking) {
        Request request = std::move(deferred_.front());
        deferred_.pop_front();
        request.deferred = true;
        run(request);
    }
}

void Xboard::halt_for(When when) {
    if (act(when, player_.state()) != Act::HaltAndRun)
        return;
    player_.halt();
    // The deferred commands wait for a move that never comes. They were sent before this one, so
    // they run first; this one cuts long ones short.
    ending_work_ = engine::Clock::now();
    run_deferred();
    ending_work_.reset();
}

void Xboard::run(const Request& request) {
    const Command* const command = request.command;
    if (command)
        halt_for(command->when);
    if (editor_ && !(command && works_while_editing(command->name)))
        place_pieces(request);
    else if (command)
        command->run(*this, request);
    else
        user_move(request);
    if (!editor_ && !quitting_)
        player_.restart_analysis();
}

void Xboard::report(const Result<void>& result, const Request& request) {
    if (!result)
        out_.error(result.error().what, request.line);
}

}  // namespace protocol

#include "protocol/xboard.h"

#include "protocol/io/text.h"

#include <algorithm>
#include <array>

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
    constexpr auto names = std::to_array<std::string_view>(
        {"accepted", "force", "new", "ping", "quit", "rejected", "result", "setboard", "xboard"});
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Xboard::Xboard(engine::Searcher& searcher,
               Books& books,
               Queue<Event>& mail,
               Output& out,
               const Settings& settings)
    : searcher_(searcher), books_(books), out_(out), settings_(settings),
      player_(searcher, books, mail, out) {
    apply_settings();
}

bool Xboard::handle(const Event& event) {
    if (const auto* line = std::get_if<Line>(&event))
        receive(*line);
    else if (const auto* search_report = std::get_if<SearchReport>(&event))
        player_.receive(*search_report);
    else if (const auto* message = std::get_if<BookMessage>(&event))
        for (const std::string& text : message->lines)
            message->warning ? out_.say("telluser " + text) : out_.comment("book: " + text);
    else if (const auto* answer = std::get_if<BookWorkAnswer>(&event))
        player_.receive(*answer);
    else
        quitting_ = true;
    run_deferred();
    if (!quitting_ && !out_.closed()) {
        player_.improve_when_idle();
        return true;
    }
    player_.stop_improving();
    player_.halt();
    player_.end_game();
    return false;
}

void Xboard::receive(const Line& line) {
    player_.stop_improving();
    const std::string_view text = trimmed(line.text);
    if (text.empty())
        return;
    std::string_view args = text;
    const Command* const command = find_command(next_word(args));
    Request request{std::string(text), line.arrived, command, text.size() - args.size()};
    if (command && act(command->when, player_.state()) == Act::Defer)
        deferred_.push_back(std::move(request));
    else
        run(request);
}

void Xboard::run_deferred() {
    while (!deferred_.empty() && !quitting_ && player_.state() != State::Thinking) {
        const Request request = std::move(deferred_.front());
        deferred_.pop_front();
        run(request);
    }
}

void Xboard::run(const Request& request) {
    const Command* const command = request.command;
    if (command && act(command->when, player_.state()) == Act::HaltAndRun) {
        player_.halt();
        // The deferred commands wait for a move that never comes; they were sent before this one.
        run_deferred();
    }
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

void Xboard::apply_settings() {
    player_.use(settings_);
    // On a server the clock runs on until our move has arrived there.
    const int default_overhead_ms = player_.opponent().on_server() ? 200 : 10;
    searcher_.set_move_overhead(engine::milliseconds(
        settings_.move_overhead_ms >= 0 ? settings_.move_overhead_ms : default_overhead_ms));
}

}  // namespace protocol

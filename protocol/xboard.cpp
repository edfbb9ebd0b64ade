#include "protocol/xboard.h"

#include "protocol/io/text.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

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

// Commands of the start, up to the features.
bool is_greeting(std::string_view name) {
    constexpr auto names =
        std::to_array<std::string_view>({"xboard", "protover", "accepted", "rejected"});
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Xboard::Xboard(engine::Searcher& searcher,
               Books& books,
               Queue<Event>& mail,
               Output& out,
               const Settings& settings,
               const Resources& resources)
    : searcher_(searcher), books_(books), mail_(mail), out_(out), settings_(settings),
      player_(searcher, books, mail, out), wanted_(resources) {
    apply_settings();
}

void Xboard::run_until_quit() {
    for (bool running = true; running;) {
        const std::optional<Time> due = alarm();
        std::optional<Event> event = due ? mail_.take_before(*due) : mail_.take();
        running = handle(event ? *event : Alarm{engine::Clock::now()});
    }
}

bool Xboard::handle(const Event& event) {
    if (const auto* line = std::get_if<Line>(&event))
        receive(*line);
    else if (const auto* search_report = std::get_if<SearchReport>(&event))
        player_.receive(*search_report);
    else if (const auto* message = std::get_if<BookMessage>(&event))
        tell(*message);
    else if (const auto* answer = std::get_if<BookWorkAnswer>(&event))
        player_.receive(*answer);
    else if (const auto* alarm = std::get_if<Alarm>(&event))
        player_.thinking().print_due(alarm->at);
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

// A person is told of each fault once, in a window; on a server nobody may sit there.
void Xboard::tell(const BookMessage& message) {
    for (const std::string& text : message.lines)
        if (message.warning && !player_.opponent().on_server() && told_.insert(text).second)
            out_.say("telluser " + text);
        else
            out_.comment("book: " + text);
}

void Xboard::receive(const Line& line) {
    player_.stop_improving();
    const std::string_view text = trimmed(line.text);
    if (text.empty())
        return;
    std::string_view args = text;
    const Command* const command = find_command(next_word(args));
    Request request{std::string(text), line.arrived, command, text.size() - args.size()};
    if (!command || !is_greeting(command->name)) {
        const Resources wanted = std::exchange(wanted_, {});
        if (wanted.hash_mib > 0)
            set_hash(wanted.hash_mib);
        if (wanted.threads > 0)
            set_threads(wanted.threads);
    }
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

void Xboard::run(const Request& request) {
    const Command* const command = request.command;
    if (command && act(command->when, player_.state()) == Act::HaltAndRun) {
        player_.halt();
        // The deferred commands wait for a move that never comes; they were sent before this one,
        // which ends the long ones among them.
        ending_work_ = true;
        run_deferred();
        ending_work_ = false;
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

// The user is told of what cannot be had, and the game goes on without it.

void Xboard::set_hash(int mebibytes) {
    if (mebibytes == hash_mib_)
        return;
    player_.while_idle([this, mebibytes] {
        if (const Result<void> set = searcher_.set_hash(mebibytes))
            hash_mib_ = mebibytes;
        else
            tell({{set.error().what + "; the old one stays"}, true});
    });
}

void Xboard::set_threads(int count) {
    if (count == threads_)
        return;
    threads_ = count;
    int had = 0;
    player_.while_idle([&] { had = searcher_.set_threads(count); });
    player_.threads_changed(had);
    if (had < count)
        tell({{fmt::format("only {} of {} search threads could be started", had, count)}, true});
}

void Xboard::apply_settings() {
    player_.use(settings_);
    // On a server the clock runs on until our move has arrived there.
    const int default_overhead_ms = player_.opponent().on_server() ? 200 : 10;
    searcher_.set_move_overhead(engine::milliseconds(
        settings_.move_overhead_ms >= 0 ? settings_.move_overhead_ms : default_overhead_ms));
}

}  // namespace protocol

#include "protocol/uci_adapter.h"

#include "engine/board/notation.h"
#include "protocol/io/engine_name.h"
#include "protocol/io/text.h"
#include "protocol/options.h"

#include <algorithm>

#include <fmt/format.h>

namespace protocol {
namespace {

constexpr std::chrono::seconds FirstProgress{3};     // after the start of a search
constexpr std::chrono::seconds ProgressInterval{1};  // between two lines

const Uci::Command* find_command(std::string_view name) {
    for (const Uci::Command& command : Uci::commands())
        if (command.name == name)
            return &command;
    return nullptr;
}

}  // namespace

// clang-format off
const Uci::Command Uci::Table[] = {
    {"bench",      true,  "[DEPTH]", "search the bench positions; print nodes and speed; `stop` ends it",
        [](Uci& u, const Request& r) { u.bench(r.args(), r.line); }},
    {"d",          false, "", "print the board, its FEN and its key", [](Uci& u, const Request&) { u.board(); }},
    {"debug",      false, "", "", [](Uci&, const Request&) {}},
    {"eval",       false, "", "print the evaluation, term by term",
        [](Uci& u, const Request&) { u.out_.answer(u.searcher_.explain(u.player_.game().position())); }},
    {"go",         true,  "LIMITS", "search the position", [](Uci& u, const Request& r) { u.go(r); }},
    {"help",       false, "", "print this list", [](Uci& u, const Request&) { u.list(commands()); }},
    {"isready",    false, "", "answer `readyok`", [](Uci& u, const Request&) { u.out_.say("readyok"); }},
    {"ponderhit",  false, "", "the expected move was played", [](Uci& u, const Request& r) { u.ponder_hit(r); }},
    {"position",   true,  "startpos|fen FEN [moves MOVE...]", "set up the position to search",
        [](Uci& u, const Request& r) { u.position(r); }},
    {"quit",       false, "", "end the program", [](Uci& u, const Request&) { u.quit(); }},
    {"register",   false, "", "", [](Uci&, const Request&) {}},
    {"setoption",  true,  "name NAME [value VALUE]", "set an option", [](Uci& u, const Request& r) { u.option(r); }},
    {"stop",       false, "", "end the search with the best move so far", [](Uci& u, const Request&) { u.stop(); }},
    {"uci",        false, "", "print name and options", [](Uci& u, const Request&) { u.introduce(); }},
    {"ucinewgame", true,  "", "the next position belongs to another game",
        [](Uci& u, const Request&) { u.new_game(); }},
};
// clang-format on

std::span<const Uci::Command> Uci::commands() {
    return Table;
}

Uci::Uci(const Parts& parts, const Settings& settings, const Resources& resources)
    : Adapter(parts, settings, resources), shown_(resources) {
    out_.speak_uci();
    player_.force();
    player_.thinking().post(true);
    player_.thinking().word_by([this](const ShownLine& line) { return uci_line(line, style_); });
}

// Lines

void Uci::receive(const Line& line) {
    std::string_view text = trimmed(line.text);
    if (text.empty())
        return;
    // Words before the command are to be ignored.
    std::string_view args = text;
    const Command* command = find_command(next_word(args));
    while (!command && !args.empty()) {
        text = args;
        command = find_command(next_word(args));
    }
    if (!command)
        return out_.error("unknown command", trimmed(line.text));
    if (command->name != "uci" && command->name != "quit")
        allot_resources();
    Request request{std::string(text), line.arrived, command, text.size() - args.size()};
    if (!command->waits || (!player_.owes_answer() && deferred_.empty()))
        return command->run(*this, request);
    // An endless search is ended when a command waits for its result.
    if (endless_)
        player_.answer_now();
    deferred_.push_back(std::move(request));
}

void Uci::run_deferred() {
    while (!deferred_.empty() && !quitting_ &&
           (!player_.owes_answer() || !deferred_.front().command->waits)) {
        Request request = std::move(deferred_.front());
        deferred_.pop_front();
        request.deferred = true;
        request.command->run(*this, request);
        if (request.stopped || (endless_ && !deferred_.empty() && deferred_.front().command->waits))
            player_.answer_now();
    }
    quitting_ = quitting_ || (leaving_ && !player_.owes_answer());
}

void Uci::introduce() {
    out_.say(std::string("id name ") + EngineName);
    out_.say("id author the authors of Nutcracker");
    out_.say(fmt::format("option name Threads type spin default {} min 1 max {}",
                         std::max(shown_.threads, 1),
                         engine::MaxThreads));
    out_.say(fmt::format("option name Hash type spin default {} min 1 max {}",
                         std::max(shown_.hash_mib, 1),
                         engine::MaxHashMib));
    out_.say("option name Clear Hash type button");
    for (const char* const name : {"Ponder", "UCI_AnalyseMode", "UCI_Chess960", "UCI_ShowWDL"})
        out_.say(fmt::format("option name {} type check default false", name));
    out_.say("option name UCI_Opponent type string default <empty>");
    for (const std::string& line : uci_option_lines(settings_))
        out_.say(line);
    out_.say("uciok");
    out_.allow_comments(true);
}

// Positions and searches

void Uci::new_game() {
    player_.conclude();
    player_.new_game();
    player_.set_chess960(style_.chess960);
    player_.force();
    use_opponent();
    refused_ = false;
}

void Uci::position(const Request& request) {
    const Result<PositionOrder> order = parse_position(request.args(), player_.castling());
    refused_ = !order;
    if (!order)
        return out_.error(order.error().what, request.line);
    player_.set_line(order->start, order->moves);
}

void Uci::go(const Request& request) {
    if (refused_)  // its move would be for the position before
        return out_.say(bestmove_line(engine::NoMove, engine::NoMove, style_));
    GoOrder wanted = parse_go(request.args(), player_.game().position());
    for (const std::string& word : wanted.ignored)
        out_.error("unknown limit, or its number is missing", word);
    for (const std::string& word : wanted.illegal)
        out_.error("not a legal move", word);
    if (wanted.perft)
        return perft(*wanted.perft);
    Player::Order order;
    order.limits = std::move(wanted.limits);
    order.limits.lines = settings_.multi_pv;
    order.of_game = !wanted.endless && !wanted.restricted && !order.limits.mate && !analyse_mode_;
    order.answer = [this](engine::Move best, engine::Move ponder) {
        progress_due_.reset();
        if (!best)
            out_.say(player_.game().position().in_check() ? "info depth 0 score mate 0"
                                                          : "info depth 0 score cp 0");
        out_.say(bestmove_line(best, ponder, style_));
    };
    endless_after_hit_ = wanted.endless || order.limits.mate;
    endless_ = endless_after_hit_ || order.limits.ponder;
    progress_due_ = request.arrived + FirstProgress;
    player_.order(std::move(order), request.arrived);
}

// The waiting commands may include another `go`, which is stopped too.
void Uci::stop() {
    player_.answer_now();
    for (Request& request : deferred_)
        request.stopped = true;
}

void Uci::ponder_hit(const Request& request) {
    if (!deferred_.empty() && !request.deferred)
        return deferred_.push_back(request);
    if (player_.ponder_hit(request.arrived))
        endless_ = endless_after_hit_;
}

// The running `go` is still answered; those that wait are dropped.
void Uci::quit() {
    deferred_.clear();
    leaving_ = true;
    player_.answer_now();
}

std::optional<Time> Uci::alarm() {
    const std::optional<Time> line = Adapter::alarm();
    if (!line || !progress_due_)
        return line ? line : progress_due_;
    return std::min(*line, *progress_due_);
}

void Uci::ring(Time at) {
    Adapter::ring(at);
    if (progress_due_ && at >= *progress_due_)
        print_progress(at);
}

void Uci::print_progress(Time at) {
    progress_due_ = at + ProgressInterval;
    const engine::Progress progress = player_.progress();
    if (!player_.game().position().is_legal(progress.current))
        return;
    const std::int64_t ms = std::max<std::int64_t>(progress.spent.count(), 1);
    out_.say(fmt::format("info depth {} currmove {} currmovenumber {} nodes {} nps {} time {}",
                         progress.depth,
                         engine::to_coordinates(progress.current, style_.chess960),
                         progress.moves - progress.moves_left + 1,
                         progress.nodes,
                         progress.nodes * 1'000 / static_cast<std::uint64_t>(ms),
                         progress.spent.count()));
}

// Options

// "name NAME value VALUE"; both may contain blanks.
void Uci::option(const Request& request) {
    std::string_view args = request.args();
    if (next_word(args) != "name")
        return out_.error("expected setoption name NAME value VALUE", request.line);
    std::string name;
    std::string_view word = next_word(args);
    for (; !word.empty() && word != "value"; word = next_word(args))
        name += (name.empty() ? "" : " ") + std::string(word);
    const std::string_view value = args == "<empty>" ? std::string_view() : args;
    if (!own_option(lower(name), value))
        set_option(name, value);
}

// Options that UCI handles by itself. False if the name is not one of them.
bool Uci::own_option(const std::string& name, std::string_view value) {
    const std::optional<int> number = to_int(value);
    const std::optional<bool> on = to_bool(trimmed(value));
    const auto bad_value = [&] { out_.error("bad value", name + "=" + std::string(value)); };
    if (name == "hash")
        number ? set_hash(std::clamp(*number, 1, engine::MaxHashMib)) : bad_value();
    else if (name == "threads")
        number ? set_threads(std::clamp(*number, 1, engine::MaxThreads)) : bad_value();
    else if (name == "syzygypath" && trimmed(value).empty())
        set_option(name, "-");
    else if (name == "clear hash")
        searcher_.clear();
    else if (name == "uci_showwdl")
        on ? void(style_.wdl = *on) : bad_value();
    else if (name == "uci_analysemode")
        on ? void(analyse_mode_ = *on) : bad_value();
    else if (name == "uci_opponent")
        set_opponent(value);
    else if (name == "uci_chess960")
        on ? player_.set_chess960(style_.chess960 = *on) : bad_value();
    else
        return name == "ponder";  // the client says with each `go` whether to ponder
    return true;
}

void Uci::set_opponent(std::string_view text) {
    if (text != opponent_)
        player_.conclude();  // the game against the last opponent
    opponent_ = text;
    use_opponent();
}

// "TITLE RATING computer|human NAME"; the title and the rating may be "none".
void Uci::use_opponent() {
    std::string_view text = opponent_;
    next_word(text);
    const int rating = to_int(next_word(text)).value_or(0);
    const bool computer = next_word(text) == "computer";
    player_.opponent().replace(recordable(text, 64), rating, computer);
}

}  // namespace protocol

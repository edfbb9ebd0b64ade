#include "tools/match/uci.h"

#include "engine/board/notation.h"
#include "tools/common/terminal.h"

#include <algorithm>

#include <fmt/format.h>

namespace tools::match {
namespace {

long long at_least_one(milliseconds time) {
    return std::max<long long>(time.count(), 1);
}

std::string_view without_info(std::string_view line) {
    constexpr std::string_view Info = "info string ";
    return trimmed(line.substr(line.starts_with(Info) ? Info.size() : 0));
}

}  // namespace

EngineResult Uci::handshake() {
    awaited_ = "uciok";
    send("uci\n");
    if (EngineResult ready = await_ready(); !ready)
        return ready;
    if (knows("ponder"))
        set_option("Ponder", spec().ponder ? "true" : "false");
    if (spec().memory_mib || spec().cores || !spec().options.empty())
        if (EngineResult answered = set_options(); !answered)
            return answered;
    for (const std::string& line : spec().init)
        send(line + '\n');
    return {};
}

EngineResult Uci::set_options() {
    if (spec().memory_mib)
        set_option("Hash", std::to_string(*spec().memory_mib));
    if (spec().cores)
        set_option("Threads", std::to_string(*spec().cores));
    for (const auto& [option, value] : spec().options)
        set_option(option, value);
    awaited_ = "readyok";
    setting_options_ = true;
    send("isready\n");
    EngineResult answered = await_ready();
    setting_options_ = false;
    return answered;
}

bool Uci::knows(std::string_view option) const {
    return std::find(known_.begin(), known_.end(), lower(option)) != known_.end();
}

void Uci::set_option(const std::string& option, const std::optional<std::string>& value) {
    if (!knows(option))
        warn("no option " + option);
    send("setoption name " + option + (value ? " value " + *value : std::string()) + '\n');
}

EngineResult
Uci::begin(const engine::Game& game, engine::Color /*own*/, const std::string& /*other*/) {
    chess960_ = game.start().is_chess960();
    if (knows("uci_chess960"))
        send(std::string("setoption name UCI_Chess960 value ") +
             (chess960_ ? "true\n" : "false\n"));
    awaited_ = "readyok";
    state_ = State::Idle;
    ponder_text_.clear();
    take_thinking();
    send("ucinewgame\nisready\n");
    return await_ready();
}

std::string Uci::position_text(const engine::Game& game, engine::Move then) const {
    std::string text = "position ";
    text += game.starts_normally() ? "startpos" : "fen " + game.start().fen();
    if (!game.moves().empty() || then)
        text += " moves";
    for (const engine::Move m : game.moves())
        text += ' ' + engine::to_coordinates(m, chess960_);
    if (then)
        text += ' ' + engine::to_coordinates(then, chess960_);
    return text + '\n';
}

std::string Uci::go_text(const Clocks& clocks, engine::Color own) const {
    const TimeControl& time = spec().time;
    std::string text;
    if (time.move_time)
        text += fmt::format(" movetime {}", at_least_one(*time.move_time));
    else if (time.has_clock()) {
        const milliseconds mine = clocks.own.value_or(milliseconds(0));
        const milliseconds theirs = clocks.other.value_or(mine);
        const bool white = own == engine::White;
        const milliseconds own_increment = time.increment;
        const milliseconds other_increment = clocks.other_increment;
        text += fmt::format(" wtime {} btime {} winc {} binc {}",
                            at_least_one(white ? mine : theirs),
                            at_least_one(white ? theirs : mine),
                            (white ? own_increment : other_increment).count(),
                            (white ? other_increment : own_increment).count());
        if (clocks.moves_to_go > 0)
            text += fmt::format(" movestogo {}", clocks.moves_to_go);
    }
    if (time.depth)
        text += fmt::format(" depth {}", *time.depth);
    if (time.nodes)
        text += fmt::format(" nodes {}", *time.nodes);
    return (text.empty() ? " infinite" : text) + '\n';
}

void Uci::think(const engine::Game& game, const Clocks& clocks) {
    const engine::Color own = game.position().side_to_move();
    const std::string order = position_text(game, engine::NoMove) + "go" + go_text(clocks, own);
    if (state_ == State::Pondering) {
        if (game.moves().size() == ponder_ply_ + 1 && game.moves().back() == ponder_move_) {
            state_ = State::Thinking;
            return send("ponderhit\n");
        }
        // Some engines lose what they get between "stop" and their answer to it.
        state_ = State::Stopping;
        after_stop_ = order;
        return send("stop\n");
    }
    take_thinking();
    state_ = State::Thinking;
    send(order);
}

void Uci::start_pondering(const engine::Game& game, const Clocks& clocks) {
    if (!spec().ponder || ponder_text_.empty() || state_ != State::Idle)
        return;
    const auto move = engine::parse_move(game.position(), ponder_text_);
    if (!move || game.status_after(*move) != engine::Status::Ongoing)
        return;
    ponder_move_ = *move;
    ponder_ply_ = game.moves().size();
    state_ = State::Pondering;
    const engine::Color own = ~game.position().side_to_move();
    send(position_text(game, *move) + "go ponder" + go_text(clocks, own));
}

Event Uci::handle_line(std::string_view line) {
    line = trimmed(line);
    if (const auto text = without_info(line);
        setting_options_ && objects_to_option(text, spec().options))
        warn(printable(text));
    const std::string_view word = take_word(line);
    if (word == "info")
        handle_info(line);
    else if (word == "bestmove")
        return handle_bestmove(line);
    else if (word == "option")
        handle_option(line);
    else if (word == "id" && line.starts_with("name "))
        set_own_name(trimmed(line.substr(5)));
    else if (!awaited_.empty() && word == awaited_) {
        awaited_.clear();
        return {EventType::Ready};
    }
    return {};
}

void Uci::handle_option(std::string_view text) {
    const std::size_t type = text.find(" type ");
    if (text.starts_with("name ") && type != std::string_view::npos)
        known_.push_back(lower(trimmed(text.substr(5, type - 5))));
}

void Uci::handle_info(std::string_view text) {
    if (state_ == State::Stopping)
        return;
    Thinking t;
    bool scored = false;
    while (!text.empty()) {
        const std::string_view key = take_word(text);
        if (key == "string")
            return;
        if (key == "pv") {
            t.line = text;
            break;
        }
        if (key == "depth")
            t.depth = number<int>(take_word(text)).value_or(0);
        else if (key == "multipv" && take_word(text) != "1")
            return;
        else if (key == "score") {
            const bool mate = take_word(text) == "mate";
            const std::optional<int> value = number<int>(take_word(text));
            if (!value)
                continue;
            scored = true;
            t.score = !mate ? std::clamp(*value, -99'999, 99'999)
                            : (*value > 0 ? MateBase - *value : -MateBase - *value);
        }
    }
    if (scored && t.depth > 0)
        set_thinking(std::move(t));
}

Event Uci::handle_bestmove(std::string_view text) {
    if (state_ == State::Stopping) {
        state_ = State::Idle;
        take_thinking();
        if (after_stop_.empty())
            return {EventType::Ready};
        state_ = State::Thinking;
        send(std::exchange(after_stop_, {}));
        return {};
    }
    const bool expected = state_ == State::Thinking;
    // A "bestmove" while pondering breaks the protocol: the engine has stopped too early.
    state_ = State::Idle;
    const std::string move(take_word(text));
    const std::string_view key = take_word(text);
    ponder_text_ = key == "ponder" ? std::string(take_word(text)) : std::string();
    return expected ? Event{EventType::Move, move} : Event{};
}

EngineResult
Uci::end(const engine::Game& /*game*/, Outcome /*outcome*/, const std::string& /*reason*/) {
    if (state_ == State::Idle)
        return {};
    after_stop_.clear();
    if (state_ != State::Stopping)
        send("stop\n");
    state_ = State::Stopping;
    return await_ready();
}

}  // namespace tools::match

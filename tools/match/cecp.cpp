#include "tools/match/cecp.h"

#include "engine/board/notation.h"
#include "tools/common/terminal.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace tools::match {
namespace {

constexpr milliseconds FirstFeature{3'000};  // without one by then it speaks version 1
constexpr milliseconds LongStart{60'000};    // after done=0

// The commands of XBoard's position editor: the pieces by colour, White to move.
std::string edit_text(const engine::Position& pos) {
    std::string text = "edit\n#\n";
    for (const engine::Color c : {engine::White, engine::Black}) {
        for (engine::Square s = 0; s < 64; ++s)
            if (pos.piece_on(s) != engine::NoPiece && engine::color_of(pos.piece_on(s)) == c) {
                const auto type = static_cast<std::size_t>(engine::type_of(pos.piece_on(s)));
                text += fmt::format("{}{}\n", "PNBRQK"[type], engine::square_name(s));
            }
        if (c == engine::White)
            text += "c\n";
    }
    return text + ".\n";
}

long long centiseconds(milliseconds time) {
    return std::max<long long>(time.count() / 10, 1);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_features(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> features;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos)
            break;
        std::string name(trimmed(text.substr(0, equals)));
        text.remove_prefix(equals + 1);
        const bool quoted = text.starts_with('"');
        if (quoted)
            text.remove_prefix(1);
        const std::size_t end = std::min(text.find_first_of(quoted ? "\"" : " \t"), text.size());
        features.emplace_back(std::move(name), std::string(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return features;
}

std::optional<Thinking> parse_cecp_thinking(std::string_view line) {
    line = trimmed(line);
    std::size_t digits = 0;
    while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])))
        ++digits;
    const std::optional<int> depth = number<int>(line.substr(0, digits));
    // The depth is followed by a blank or one other character, as in "9." or "9&".
    if (!depth || digits == line.size())
        return std::nullopt;
    line = trimmed(line.substr(digits + 1));
    const std::optional<int> score = number<int>(take_word(line));
    const std::optional<int> time = number<int>(take_word(line));
    const std::optional<std::uint64_t> nodes = number<std::uint64_t>(take_word(line));
    if (!score || !time || !nodes)
        return std::nullopt;
    Thinking t{*depth, *score, std::string(line)};
    if (std::abs(*score) > 100'000)
        t.score = *score > 0 ? MateBase - (*score - 100'000) : -MateBase - (*score + 100'000);
    return t;
}

std::string cecp_time_text(const TimeControl& time) {
    if (time.move_time)
        return fmt::format("st {}\n", seconds_text(*time.move_time));
    if (time.nodes)
        return fmt::format("st 1\nnps {}\n", *time.nodes);
    if (!time.has_clock())
        return "st 86400\n";
    // "level" cannot express a base of less than a second; "time" will correct it.
    const long long seconds = std::max<long long>(time.base.count() / 1000, 1);
    std::string base = fmt::format("{}", seconds / 60);
    if (seconds % 60 != 0)
        base += fmt::format(":{:02}", seconds % 60);
    return fmt::format("level {} {} {}\n", time.moves, base, seconds_text(time.increment));
}

bool Cecp::has(const std::string& feature, bool otherwise) const {
    const auto found = features_.find(feature);
    return found == features_.end() ? otherwise : found->second == "1";
}

EngineResult Cecp::handshake() {
    send("xboard\nprotover 2\n");
    const Clock::time_point start = Clock::now();
    // Options need version 2, so with them a slow start is not taken for version 1.
    const bool has_options = spec().memory_mib || spec().cores || !spec().options.empty();
    Clock::time_point until =
        start + (has_options ? spec().patience : std::min(FirstFeature, spec().patience));
    while (!done_) {
        EngineResult ready = await_ready(until);
        if (ready)
            until = start + (wait_longer_ ? LongStart : spec().patience);
        else if (ready.error().kind != Ending::Stall || wait_longer_)
            return ready;
        else
            break;  // an engine without "done", or of version 1
    }
    if (spec().time.nodes && !has("nps", true))
        warn("does not support a limit by nodes");
    if (has_options)
        if (EngineResult answered = set_options(); !answered)
            return answered;
    for (const std::string& line : spec().init)
        send(line + '\n');
    return {};
}

EngineResult Cecp::set_options() {
    if (spec().memory_mib && has("memory", false))
        send(fmt::format("memory {}\n", *spec().memory_mib));
    if (spec().cores && has("smp", false))
        send(fmt::format("cores {}\n", *spec().cores));
    for (const auto& [option, value] : spec().options)
        set_option(option, value);
    setting_options_ = true;
    EngineResult answered = ping();
    setting_options_ = false;
    return answered;
}

bool Cecp::has_limit() const {
    const TimeControl& time = spec().time;
    return time.has_clock() || time.move_time || time.depth || has("nps", true);
}

void Cecp::set_option(const std::string& option, const std::optional<std::string>& value) {
    if (std::find(known_options_.begin(), known_options_.end(), option) == known_options_.end())
        warn("no option " + option);
    send("option " + option + (value ? '=' + *value : std::string()) + '\n');
}

void Cecp::handle_features(std::string_view text) {
    std::string answers;
    for (const auto& [feature, value] : parse_features(text)) {
        // Rejected: moves in SAN, interrupts by signal, and "exclude", which matches never use.
        const bool accepted = feature != "san" && feature != "sigint" && feature != "exclude";
        answers += (accepted ? "accepted " : "rejected ") + feature + '\n';
        if (feature == "option") {
            const std::size_t type = value.find(" -");
            known_options_.push_back(value.substr(0, type));
        } else if (feature == "done") {
            done_ = value == "1";
            wait_longer_ = !done_;
        } else if (accepted) {
            features_[feature] = value;
        }
        if (feature == "myname")
            set_own_name(value);
    }
    send(answers);
}

std::string Cecp::setup_text(const engine::Position& start) const {
    if (start.fen() == engine::StartFen)
        return {};
    if (has("setboard", false))
        return "setboard " + start.fen() + '\n';
    // A move by White before `edit` gives Black the move: the only way in version 1.
    return (start.side_to_move() == engine::Black ? "a2a3\n" : "") + edit_text(start);
}

EngineResult Cecp::begin(const engine::Game& game, engine::Color own, const std::string& other) {
    own_ = own;
    sent_plies_ = 0;
    in_force_ = true;
    last_sent_.clear();
    take_thinking();
    std::string text = "new\n";
    if (game.start().is_chess960())
        text += "variant fischerandom\n";
    text += "force\n" + setup_text(game.start()) + cecp_time_text(spec().time);
    if (spec().time.depth)
        text += fmt::format("sd {}\n", *spec().time.depth);
    text += spec().ponder ? "post\nhard\n" : "post\nhard\neasy\n";
    if (has("name", false))
        text += "name " + other + "\ncomputer\n";
    send(text + unsent_moves(game));
    setting_up_ = true;
    EngineResult answered = ping();
    setting_up_ = false;
    return answered;
}

std::string Cecp::move_text(const engine::Game& game, std::size_t ply) const {
    const engine::Move m = game.moves()[ply];
    std::string text = engine::to_coordinates(m);
    if (m.kind() == engine::MoveKind::Castling && game.start().is_chess960())
        text = engine::file_of(m.to()) > engine::file_of(m.from()) ? "O-O" : "O-O-O";
    return text;
}

std::string Cecp::unsent_moves(const engine::Game& game) {
    std::string text;
    for (; sent_plies_ < game.moves().size(); ++sent_plies_) {
        last_sent_ = move_text(game, sent_plies_);
        text += (has("usermove", false) ? "usermove " : "") + last_sent_ + '\n';
    }
    return text;
}

EngineResult Cecp::ping() {
    if (!has("ping", false))
        return {};
    awaiting_ = true;
    send(fmt::format("ping {}\n", ++ping_));
    EngineResult answered = await_ready();
    awaiting_ = false;
    return answered;
}

void Cecp::think(const engine::Game& game, const Clocks& clocks) {
    if (!spec().ponder)  // what it thought while it pondered belongs to this move
        take_thinking();
    std::string clock_text;
    if (clocks.own && has("time", true))
        clock_text = fmt::format("time {}\notim {}\n",
                                 centiseconds(*clocks.own),
                                 centiseconds(clocks.other.value_or(*clocks.own)));
    if (!in_force_)
        return send(clock_text + unsent_moves(game));
    in_force_ = false;
    send(unsent_moves(game) + clock_text + "go\n");
}

Event Cecp::handle_line(std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#')
        return {};
    if (std::isdigit(static_cast<unsigned char>(line.front()))) {
        if (line.starts_with("1-0") || line.starts_with("0-1") || line.starts_with("1/2-1/2"))
            return handle_result(line);
        if (std::optional<Thinking> thinking = parse_cecp_thinking(line))
            set_thinking(std::move(*thinking));
        else if (const auto words = fields(line); words.size() == 3 && words[1] == "...")
            return handle_move(words[2]);  // version 1: "12. ... e7e5"
        return {};
    }
    const std::string_view whole = line;
    const std::string_view word = take_word(line);
    if (word == "move")
        return handle_move(take_word(line));
    if (word == "pong")
        return {awaiting_ && number<int>(line) == ping_ ? EventType::Ready : EventType::Nothing};
    if (word == "feature") {
        handle_features(line);
        return {done_ || wait_longer_ ? EventType::Ready : EventType::Nothing};
    }
    if (word == "resign")
        return {EventType::Resign};
    if (word == "offer" && line == "draw")
        return {EventType::OfferDraw};
    if (setting_options_ && word == "telluser" && objects_to_option(line, spec().options))
        warn(printable(line));
    else if (setting_options_ && (word == "tellusererror" || word == "Error"))
        warn(printable(word == "Error" ? whole : line));
    return {refuses(whole) ? EventType::Refusal : EventType::Nothing, std::string(whole)};
}

bool Cecp::refuses(std::string_view line) const {
    const auto names = [line](std::string_view part) {
        return line.find(part) != std::string_view::npos;
    };
    if (line.starts_with("Illegal") || line.starts_with("tellusererror Illegal"))
        return setting_up_ || (!last_sent_.empty() && names(last_sent_));
    return setting_up_ && line.starts_with("Error") &&
           (names("setboard") || names("variant") || names("usermove"));
}

Event Cecp::handle_move(std::string_view text) {
    ++sent_plies_;  // it knows its own move
    return {EventType::Move, std::string(text)};
}

Event Cecp::handle_result(std::string_view text) const {
    const std::string_view result = take_word(text);
    const bool lost = result == (own_ == engine::White ? "0-1" : "1-0");
    return lost ? Event{EventType::Resign} : Event{EventType::Claim, std::string(result)};
}

void Cecp::send_draw_offer() {
    if (has("draw", true))
        send("draw\n");
}

EngineResult Cecp::end(const engine::Game& game, Outcome outcome, const std::string& reason) {
    std::string text = "force\n";
    in_force_ = true;
    text += unsent_moves(game);
    send(fmt::format("{}result {} {{{}}}\n", text, result_text(outcome), reason));
    EngineResult answered = ping();
    if (!answered && answered.error().kind == Ending::IllegalMove)
        return {};  // it thought the game over before the last move
    return answered;
}

}  // namespace tools::match

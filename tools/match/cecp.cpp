#include "tools/match/cecp.h"

#include "engine/board/notation.h"

#include <algorithm>
#include <cctype>

namespace tools {
namespace {

constexpr milliseconds FirstFeature{3'000};  // after that we take it for version 1
constexpr milliseconds LongStart{60'000};    // for one that said done=0

// xboard's position editor: pieces by colour; White to move unless a kludge went before.
std::string edit_text(const engine::Position& pos) {
    std::string text = "edit\n#\n";
    for (const engine::Color c : {engine::White, engine::Black}) {
        for (engine::Square s = 0; s < 64; ++s)
            if (pos.piece_on(s) != engine::NoPiece && engine::color_of(pos.piece_on(s)) == c) {
                const auto type = static_cast<std::size_t>(engine::type_of(pos.piece_on(s)));
                text += "PNBRQK"[type] + engine::square_name(s) + '\n';
            }
        if (c == engine::White)
            text += "c\n";
    }
    return text + ".\n";
}

std::string centiseconds_text(milliseconds time) {
    return std::to_string(std::max<long long>(time.count() / 10, 1));
}

bool has_word(std::string_view line, std::string_view word) {
    return line.find(word) != std::string_view::npos;
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
    // Right after the depth stands a blank or one sign, as in "9." or "9&".
    if (!depth || digits == line.size())
        return std::nullopt;
    line = trimmed(line.substr(digits + 1));
    const std::optional<int> score = number<int>(take_word(line));
    const std::optional<int> time = number<int>(take_word(line));
    const std::optional<std::uint64_t> nodes = number<std::uint64_t>(take_word(line));
    if (!score || !time || !nodes)
        return std::nullopt;
    Thinking t{*depth, *score, *nodes, milliseconds(10LL * *time), std::string(line)};
    if (std::abs(*score) > 100'000)
        t.score = *score > 0 ? MateBase - (*score - 100'000) : -MateBase - (*score + 100'000);
    return t;
}

std::string cecp_time_text(const TimeControl& time) {
    if (time.move_time)
        return "st " + seconds_text(*time.move_time) + '\n';
    if (time.nodes)
        return "st 1\nnps " + std::to_string(*time.nodes) + '\n';
    if (!time.has_clock())
        return "st 86400\n";
    // A base of less than a second cannot be told; "time" will.
    const long long seconds = std::max<long long>(time.base.count() / 1000, 1);
    std::string base = std::to_string(seconds / 60);
    if (const long long rest = seconds % 60; rest != 0)
        base += (rest < 10 ? ":0" : ":") + std::to_string(rest);
    return "level " + std::to_string(time.moves) + ' ' + base + ' ' + seconds_text(time.increment) +
           '\n';
}

bool Cecp::has(const std::string& feature, bool otherwise) const {
    const auto found = features_.find(feature);
    return found == features_.end() ? otherwise : found->second == "1";
}

Outlook Cecp::greet() {
    send("xboard\nprotover 2\n");
    const Clock::time_point start = Clock::now();
    Clock::time_point until = start + std::min(FirstFeature, spec().patience);
    while (!done_) {
        Outlook ready = await_ready(until);
        if (ready)
            until = start + (wait_longer_ ? LongStart : spec().patience);
        else if (ready.error().kind != Ending::Stall || wait_longer_)
            return ready;
        else
            break;  // it does not know "done", or is of version 1
    }
    if (spec().memory_mib && has("memory", false))
        send("memory " + std::to_string(*spec().memory_mib) + '\n');
    if (spec().cores && has("smp", false))
        send("cores " + std::to_string(*spec().cores) + '\n');
    if (spec().time.nodes && !has("nps", true))
        complain("no limit by nodes");
    for (const auto& [option, value] : spec().options)
        set_option(option, value);
    for (const std::string& line : spec().init)
        send(line + '\n');
    return {};
}

bool Cecp::has_limit() const {
    const TimeControl& time = spec().time;
    return time.has_clock() || time.move_time || time.depth || has("nps", true);
}

void Cecp::set_option(const std::string& option, const std::optional<std::string>& value) {
    if (std::find(known_options_.begin(), known_options_.end(), option) == known_options_.end())
        complain("no option " + option);
    send("option " + option + (value ? '=' + *value : std::string()) + '\n');
}

void Cecp::hear_features(std::string_view text) {
    std::string answers;
    for (const auto& [feature, value] : parse_features(text)) {
        // Coordinates suit every engine; signals and positions we did not ask for suit none of us.
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
            call_itself(value);
    }
    send(answers);
}

std::string Cecp::setup_text(const engine::Position& start) const {
    if (start.fen() == engine::StartFen)
        return {};
    if (has("setboard", false))
        return "setboard " + start.fen() + '\n';
    // The old way of giving Black the move.
    return (start.side_to_move() == engine::Black ? "a2a3\n" : "") + edit_text(start);
}

Outlook Cecp::begin(const engine::Game& game, engine::Color own, const std::string& other) {
    own_ = own;
    told_ = 0;
    in_force_ = true;
    take_thinking();
    std::string text = "new\n";
    if (game.start().is_chess960())
        text += "variant fischerandom\n";
    text += "force\n" + setup_text(game.start()) + cecp_time_text(spec().time);
    if (spec().time.depth)
        text += "sd " + std::to_string(*spec().time.depth) + '\n';
    text += spec().ponder ? "post\nhard\n" : "post\nhard\neasy\n";
    if (has("name", false))
        text += "name " + other + "\ncomputer\n";
    send(text + untold_moves(game));
    return ping();
}

std::string Cecp::move_text(const engine::Game& game, std::size_t ply) const {
    const engine::Move m = game.moves()[ply];
    std::string text = engine::to_coordinates(m);
    if (m.kind() == engine::MoveKind::Castling && game.start().is_chess960())
        text = engine::file_of(m.to()) > engine::file_of(m.from()) ? "O-O" : "O-O-O";
    return text;
}

std::string Cecp::untold_moves(const engine::Game& game) {
    std::string text;
    for (; told_ < game.moves().size(); ++told_) {
        last_told_ = move_text(game, told_);
        text += (has("usermove", false) ? "usermove " : "") + last_told_ + '\n';
    }
    return text;
}

Outlook Cecp::ping() {
    if (!has("ping", false))
        return {};
    awaiting_ = true;
    send("ping " + std::to_string(++ping_) + '\n');
    Outlook answered = await_ready();
    awaiting_ = false;
    return answered;
}

void Cecp::think(const engine::Game& game, const Clocks& clocks) {
    std::string clock_text;
    if (clocks.own && has("time", true))
        clock_text = "time " + centiseconds_text(*clocks.own) + "\notim " +
                     centiseconds_text(clocks.other.value_or(*clocks.own)) + '\n';
    if (!in_force_)
        return send(clock_text + untold_moves(game));
    in_force_ = false;
    send(untold_moves(game) + clock_text + "go\n");
}

Event Cecp::hear(std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#')
        return {};
    if (std::isdigit(static_cast<unsigned char>(line.front()))) {
        if (line.starts_with("1-0") || line.starts_with("0-1") || line.starts_with("1/2-1/2"))
            return hear_result(line);
        if (std::optional<Thinking> thinking = parse_cecp_thinking(line))
            hear_thinking(std::move(*thinking));
        else if (const auto words = fields(line); words.size() == 3 && words[1] == "...")
            return hear_move(words[2]);  // version 1: "12. ... e7e5"
        return {};
    }
    const std::string_view whole = line;
    const std::string_view word = take_word(line);
    if (word == "move")
        return hear_move(take_word(line));
    if (word == "pong")
        return {awaiting_ && number<int>(line) == ping_ ? Say::Ready : Say::Nothing};
    if (word == "feature") {
        hear_features(line);
        return {done_ || wait_longer_ ? Say::Ready : Say::Nothing};
    }
    if (word == "resign")
        return {Say::Resign};
    if (word == "offer" && line == "draw")
        return {Say::OfferDraw};
    if ((word == "Illegal" || whole.starts_with("tellusererror Illegal")) && !last_told_.empty() &&
        has_word(whole, last_told_))
        return {Say::Refusal, std::string(whole)};
    return {};
}

Event Cecp::hear_move(std::string_view text) {
    ++told_;  // its own move it knows
    return {Say::Move, std::string(text)};
}

Event Cecp::hear_result(std::string_view text) const {
    const std::string_view result = take_word(text);
    const bool lost = result == (own_ == engine::White ? "0-1" : "1-0");
    return lost ? Event{Say::Resign} : Event{Say::Claim, std::string(result)};
}

void Cecp::pass_on_draw_offer() {
    if (has("draw", true))
        send("draw\n");
}

Outlook Cecp::end(const engine::Game& game, Outcome outcome, const std::string& reason) {
    std::string text = "force\n";
    in_force_ = true;
    text += untold_moves(game);
    send(text + "result " + std::string(result_text(outcome)) + " {" + reason + "}\n");
    return ping();
}

}  // namespace tools

#include "protocol/xboard.h"

#include "protocol/features.h"
#include "protocol/io/text.h"

#include <algorithm>
#include <array>

namespace protocol {

// clang-format off
std::span<const Xboard::Command> Xboard::commands() {
    static constexpr auto Table = std::to_array<Command>({
        {"?",         When::Now,   &Xboard::move_now,   "move at once"},
        {".",         When::Now,   &Xboard::statistics, "in analysis: where the search stands"},
        {"accepted",  When::Now,   &Xboard::accepted,   ""},
        {"analyze",   When::Halt,  &Xboard::analyze,    "analyse until exit"},
        {"bench",     When::After, &Xboard::bench,      "[DEPTH]: the node signature and the speed"},
        {"bk",        When::Now,   &Xboard::bk,         "what the book knows about this position"},
        {"black",     When::Now,   &Xboard::ignore,     ""},
        {"computer",  When::Now,   &Xboard::computer,   "the opponent is a program"},
        {"cores",     When::After, &Xboard::cores,      "N: search with N threads"},
        {"d",         When::Now,   &Xboard::display,    "the board, its FEN and key"},
        {"divide",    When::After, &Xboard::divide,     "N: perft by first move"},
        {"draw",      When::Now,   &Xboard::draw,       "the opponent offers a draw"},
        {"easy",      When::Now,   &Xboard::easy,       "no thinking on the opponent's time"},
        {"edit",      When::Halt,  &Xboard::edit,       "set up a position: # c Pa4 xa4 and . at the end"},
        {"egtpath",   When::Now,   &Xboard::ignore,     ""},
        {"eval",      When::Now,   &Xboard::eval,       "the evaluation, term by term"},
        {"exclude",   When::Now,   &Xboard::exclude,    "MOVE or all: do not consider it here"},
        {"exit",      When::Now,   &Xboard::exit,       "end the analysis"},
        {"force",     When::Halt,  &Xboard::force,      "play neither side"},
        {"go",        When::Now,   &Xboard::go,         "play the side to move"},
        {"hard",      When::Now,   &Xboard::hard,       "think on the opponent's time"},
        {"help",      When::Now,   &Xboard::help,       "this list"},
        {"hint",      When::Now,   &Xboard::hint,       "the move expected here"},
        {"hover",     When::Now,   &Xboard::ignore,     ""},
        {"ics",       When::After, &Xboard::ics,        "HOST: the game is on that server, - for none"},
        {"include",   When::Now,   &Xboard::include,    "MOVE or all: consider it again"},
        {"level",     When::Now,   &Xboard::level,      "MOVES BASE INCREMENT: the time control"},
        {"lift",      When::Now,   &Xboard::ignore,     ""},
        {"memory",    When::After, &Xboard::memory,     "N: use N megabytes at most"},
        {"name",      When::Now,   &Xboard::name,       "NAME: the opponent's"},
        {"new",       When::Halt,  &Xboard::new_game,   "a new game, we play Black"},
        {"nopost",    When::Now,   &Xboard::nopost,     "no thinking output"},
        {"nps",       When::Now,   &Xboard::nps,        ""},
        {"option",    When::After, &Xboard::option,     "NAME=VALUE: set an option"},
        {"otim",      When::Now,   &Xboard::otim,       "N: the opponent has N centiseconds left"},
        {"pause",     When::Now,   &Xboard::pause,      "freeze until resume"},
        {"perft",     When::After, &Xboard::perft,      "N: count the positions N plies on"},
        {"ping",      When::After, &Xboard::ping,       "N: answer pong N when all before it is done"},
        {"playother", When::Halt,  &Xboard::playother,  "play the side that is not to move"},
        {"post",      When::Now,   &Xboard::post,       "show what is thought"},
        {"protover",  When::Now,   &Xboard::protover,   ""},
        {"put",       When::Now,   &Xboard::ignore,     ""},
        {"quit",      When::Halt,  &Xboard::quit,       "end the program"},
        {"random",    When::Now,   &Xboard::ignore,     ""},
        {"rating",    When::Now,   &Xboard::rating,     "OURS THEIRS: the ratings"},
        {"rejected",  When::Now,   &Xboard::rejected,   ""},
        {"remove",    When::Halt,  &Xboard::remove,     "take back the last move of both"},
        {"result",    When::Halt,  &Xboard::result,     "1-0, 0-1 or 1/2-1/2 {WHY}: the game is over; the book learns"},
        {"resume",    When::Now,   &Xboard::resume,     "go on after pause"},
        {"sd",        When::Now,   &Xboard::sd,         "N: search N plies at most"},
        {"setboard",  When::Halt,  &Xboard::setboard,   "FEN: set up a position"},
        {"setscore",  When::Now,   &Xboard::ignore,     ""},
        {"st",        When::Now,   &Xboard::st,         "N: N seconds for every move"},
        {"time",      When::Now,   &Xboard::time,       "N: we have N centiseconds left"},
        {"undo",      When::Halt,  &Xboard::undo,       "take back a move"},
        {"usermove",  When::Now,   &Xboard::usermove,   "MOVE: the opponent's move; the word may be left out"},
        {"variant",   When::Halt,  &Xboard::variant,    "normal or fischerandom"},
        {"white",     When::Now,   &Xboard::ignore,     ""},
        {"why",       When::Now,   &Xboard::why,        "the reason for the last move"},
        {"xboard",    When::Now,   &Xboard::ignore,     ""},
    });
    return Table;
}
// clang-format on

namespace {

const Xboard::Command* find_command(std::string_view name) {
    for (const Xboard::Command& command : Xboard::commands())
        if (command.name == name)
            return &command;
    return nullptr;
}

// What a client may send between `edit` and `.` without meaning a square.
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
        handle_line(*line);
    else if (const auto* found = std::get_if<SearchReport>(&event))
        player_.receive(*found);
    else if (const auto* news = std::get_if<BookMessage>(&event))
        for (const std::string& text : news->lines)
            news->warning ? out_.say("telluser " + text) : out_.comment("book: " + text);
    else if (const auto* work = std::get_if<BookWorkAnswer>(&event))
        player_.receive(*work);
    else
        quitting_ = true;
    run_deferred();
    if (!quitting_ && !out_.closed()) {
        player_.improve_when_idle();
        return true;
    }
    player_.stop_improving();
    player_.halt();
    return false;
}

void Xboard::handle_line(const Line& line) {
    player_.stop_improving();
    std::string_view args = trimmed(line.text);
    const Command* const command = find_command(next_word(args));
    if (command && act(command->when, player_.state()) == Act::Defer)
        deferred_.push_back(line);
    else
        run_line(trimmed(line.text), line.arrived);
}

void Xboard::run_deferred() {
    while (!deferred_.empty() && !quitting_ && player_.state() != State::Thinking) {
        const Line line = std::move(deferred_.front());
        deferred_.pop_front();
        run_line(trimmed(line.text), line.arrived);
    }
}

void Xboard::run_line(std::string_view line, Time arrived) {
    if (line.empty())
        return;
    std::string_view args = line;
    const Command* const command = find_command(next_word(args));
    if (command && act(command->when, player_.state()) == Act::HaltAndRun) {
        player_.halt();
        // What waited for the move that now never comes was sent before this command.
        run_deferred();
    }
    line_ = line;
    now_ = arrived;
    if (editor_ && !(command && works_while_editing(command->name)))
        editing(line);
    else if (command)
        (this->*command->run)(args);
    else
        try_move(line, false);
    if (!editor_ && !quitting_)
        player_.restart_analysis();
}

void Xboard::try_move(std::string_view text, bool keyword) {
    const std::optional<Refusal> refusal = player_.user_move(text, now_);
    if (!refusal)
        return;
    switch (*refusal) {
    case Refusal::NotAMove:
        if (keyword)
            return out_.illegal_move("", text);
        return out_.error("unknown command", line_);
    case Refusal::Illegal:
        return out_.illegal_move("", text);
    case Refusal::Ambiguous:
        return out_.illegal_move("ambiguous", text);
    case Refusal::NotYourTurn:
        return out_.illegal_move("not your turn", text);
    case Refusal::NoPosition:
        return out_.illegal_move("no legal position", text);
    }
}

void Xboard::report(const Result<void>& result) {
    if (!result)
        out_.error(result.error().what, line_);
}

void Xboard::apply_settings() {
    player_.use(settings_);
    // Servers are a journey away, and their clocks run on until our move arrives there.
    constexpr engine::milliseconds at_home{10};
    constexpr engine::milliseconds on_server{200};
    searcher_.set_move_overhead(settings_.move_overhead_ms >= 0
                                    ? engine::milliseconds(settings_.move_overhead_ms)
                                : player_.opponent().on_server() ? on_server
                                                                 : at_home);
}

void Xboard::use_network(const std::string& path) {
    if (const Result<void> used = searcher_.set_network(path); !used)
        out_.say("telluser EvalFile: " + used.error().what + "; the evaluation stays as it is");
}

// About the client

void Xboard::protover(std::string_view) {
    for (const std::string& line : feature_lines(settings_))
        out_.declare(line);
}

void Xboard::accepted(std::string_view args) {
    if (args == "debug")
        out_.allow_comments(true);
}

void Xboard::rejected(std::string_view args) {
    if (args == "debug")
        out_.allow_comments(false);
}

void Xboard::ignore(std::string_view) {}

void Xboard::ping(std::string_view args) {
    out_.say(args.empty() ? "pong" : "pong " + printable(args));
}

void Xboard::quit(std::string_view) {
    quitting_ = true;
}

// The game

void Xboard::new_game(std::string_view) {
    editor_.reset();
    player_.new_game();
}

void Xboard::force(std::string_view) {
    player_.force();
}

void Xboard::go(std::string_view) {
    player_.go(now_);
}

void Xboard::playother(std::string_view) {
    player_.play_other(now_);
}

void Xboard::move_now(std::string_view) {
    player_.move_now();
}

void Xboard::usermove(std::string_view args) {
    try_move(args, true);
}

void Xboard::undo(std::string_view) {
    player_.take_back(1);
}

void Xboard::remove(std::string_view) {
    player_.take_back(2);
}

void Xboard::draw(std::string_view) {
    player_.draw_offered();
}

void Xboard::result(std::string_view args) {
    editor_.reset();
    const std::string_view token = args.substr(0, args.find_first_of(" \t{"));
    args = trimmed(args.substr(token.size()));
    if (args.starts_with('{'))
        args.remove_prefix(1);
    if (args.ends_with('}'))
        args.remove_suffix(1);
    player_.result(token, args);
}

void Xboard::pause(std::string_view) {
    player_.pause(now_);
}

void Xboard::resume(std::string_view) {
    player_.resume(now_);
}

// Clocks and limits

void Xboard::level(std::string_view args) {
    report(player_.clocks().set_level(args, player_.game().ply()));
}

void Xboard::st(std::string_view args) {
    report(player_.clocks().set_move_time(args));
}

void Xboard::sd(std::string_view args) {
    report(player_.clocks().set_depth(args));
}

void Xboard::time(std::string_view args) {
    report(player_.clocks().set(Whose::Ours, args, now_));
}

void Xboard::otim(std::string_view args) {
    report(player_.clocks().set(Whose::Theirs, args, now_));
}

void Xboard::nps(std::string_view) {
    out_.error("unsupported", line_);
}

// Thinking, pondering, analysing

void Xboard::post(std::string_view) {
    player_.thinking().post(true);
}

void Xboard::nopost(std::string_view) {
    player_.thinking().post(false);
}

void Xboard::hard(std::string_view) {
    player_.ponder(true);
}

void Xboard::easy(std::string_view) {
    player_.ponder(false);
}

void Xboard::analyze(std::string_view) {
    player_.analyse();
}

void Xboard::exit(std::string_view) {
    player_.leave_analysis();
}

}  // namespace protocol

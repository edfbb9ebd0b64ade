// The table of XBoard's commands, and the handlers that play, set up positions and set options.
#include "protocol/features.h"
#include "protocol/io/text.h"
#include "protocol/options.h"
#include "protocol/xboard.h"

#include <algorithm>
#include <array>
#include <thread>

namespace protocol {

using enum When;

namespace {

void ignore(Xboard&, const Xboard::Request&) {}

}  // namespace

// clang-format off
const Xboard::Command Xboard::Table[] = {
    {".",         Now,   "", "in analysis: print the progress of the search", [](auto& x, auto&) { x.statistics(); }},
    {"?",         Now,   "", "end thinking and play the best move so far",
        [](auto& x, auto&) { x.player_.move_now(); }},
    {"accepted",  Now,   "", "", [](auto& x, auto& r) { if (r.args() == "debug") x.out_.allow_comments(true); }},
    {"analyze",   Halt,  "", "analyse the position until `exit`", [](auto& x, auto&) { x.player_.analyse(); }},
    {"bench",     After, "[DEPTH]", "search the bench positions; print nodes and speed; `?` ends it",
        [](auto& x, auto& r) { x.bench(r.args(), r.line); }},
    {"bk",        Now,   "", "print the book's moves for this position", [](auto& x, auto&) { x.book_moves(); }},
    {"black",     Now,   "", "", ignore},
    {"computer",  Now,   "", "the opponent is a program", [](auto& x, auto&) { x.player_.opponent().set_computer(); }},
    {"cores",     After, "N", "search with N threads", [](auto& x, auto& r) { x.cores(r); }},
    {"d",         Now,   "", "print the board, its FEN and its key", [](auto& x, auto&) { x.board(); }},
    {"divide",    After, "N", "perft N, move by move", [](auto& x, auto& r) { x.divide(r.args(), r.line); }},
    {"draw",      Now,   "", "the opponent offers a draw", [](auto& x, auto& r) { x.player_.draw_offered(r.arrived); }},
    {"easy",      Now,   "", "do not ponder", [](auto& x, auto&) { x.player_.ponder(false); }},
    {"edit",      Halt,  "", "set up a position: # clears, c changes colour, Pa4 places, xa4 removes, . ends",
        [](auto& x, auto&) { x.editor_.emplace(x.player_.game().position()); x.player_.withdraw_end(); }},
    {"egtpath",   After, "syzygy PATH", "use the endgame tables in these folders",
        [](auto& x, auto& r) { x.egt_path(r); }},
    {"eval",      Now,   "", "print the evaluation, term by term",
        [](auto& x, auto&) { x.out_.answer(x.searcher_.explain(x.player_.game().position())); }},
    {"exclude",   Now,   "MOVE|all", "do not consider the move in this position",
        [](auto& x, auto& r) { x.exclude(r, true); }},
    {"exit",      Now,   "", "end the analysis", [](auto& x, auto&) { x.player_.leave_analysis(); }},
    {"force",     Halt,  "", "play neither side", [](auto& x, auto&) { x.player_.force(); }},
    {"go",        Now,   "", "play the side to move from now on", [](auto& x, auto& r) { x.go(r); }},
    {"hard",      Now,   "", "ponder", [](auto& x, auto&) { x.player_.ponder(true); }},
    {"help",      Now,   "", "print this list", [](auto& x, auto&) { x.list(commands()); }},
    {"hint",      Now,   "", "print the move expected from the opponent; in analysis the best move",
        [](auto& x, auto&) { x.hint(); }},
    {"hover",     Now,   "", "", ignore},
    {"ics",       After, "HOST", "the game is played on this server; -: on no server",
        [](auto& x, auto& r) { x.server(r); }},
    {"include",   Now,   "MOVE|all", "consider an excluded move again", [](auto& x, auto& r) { x.exclude(r, false); }},
    {"level",     Now,   "MOVES BASE INCREMENT", "BASE minutes for MOVES moves (0: the whole game), plus INCREMENT seconds a move",
        [](auto& x, auto& r) { x.report(x.player_.clocks().set_level(r.args(), x.player_.game().ply()), r); }},
    {"lift",      Now,   "", "", ignore},
    {"memory",    After, "N", "use at most N megabytes", [](auto& x, auto& r) { x.memory(r); }},
    {"name",      Now,   "NAME", "the name of the opponent",
        [](auto& x, auto& r) { x.player_.opponent().set_name(recordable(r.args(), 64)); }},
    {"new",       Halt,  "", "start a new game, in which we play Black",
        [](auto& x, auto&) { x.editor_.reset(); x.player_.new_game(); }},
    {"nopost",    Now,   "", "do not print thinking output", [](auto& x, auto&) { x.player_.thinking().post(false); }},
    {"nps",       Now,   "N", "count N nodes as a second; 0: use the clock again",
        [](auto& x, auto& r) { x.report(x.player_.clocks().set_nodes_per_second(r.args()), r); }},
    {"option",    After, "NAME=VALUE", "set an option", [](auto& x, auto& r) { x.option(r); }},
    {"otim",      Now,   "N", "the opponent has N centiseconds left",
        [](auto& x, auto& r) { x.report(x.player_.clocks().set(Whose::Theirs, r.args(), r.arrived), r); }},
    {"pause",     Now,   "", "stop clocks and search until `resume`",
        [](auto& x, auto& r) { x.player_.pause(r.arrived); }},
    {"perft",     After, "N", "count the leaf nodes after N plies; `?` ends it",
        [](auto& x, auto& r) { if (const auto depth = x.depth_argument(r.args(), r.line, 0)) x.perft(*depth); }},
    {"ping",      After, "N", "answer `pong N` when all earlier commands are done",
        [](auto& x, auto& r) { x.ping(r); }},
    {"playother", Halt,  "", "play the side that is not to move",
        [](auto& x, auto& r) { x.player_.play_other(r.arrived); }},
    {"post",      Now,   "", "print thinking output", [](auto& x, auto&) { x.player_.thinking().post(true); }},
    {"protover",  Now,   "", "",
        [](auto& x, auto&) { for (const std::string& line : feature_lines(x.settings_)) x.out_.declare(line); }},
    {"put",       Now,   "", "", ignore},
    {"quit",      Halt,  "", "end the program", [](auto& x, auto&) { x.quitting_ = true; }},
    {"random",    Now,   "", "", ignore},
    {"rating",    Now,   "OURS THEIRS", "the ratings of both players", [](auto& x, auto& r) { x.rating(r); }},
    {"rejected",  Now,   "", "", [](auto& x, auto& r) { if (r.args() == "debug") x.out_.allow_comments(false); }},
    {"remove",    Now,   "", "take back the last move of both sides", [](auto& x, auto&) { x.take_back(2); }},
    {"result",    Halt,  "RESULT {COMMENT}", "the game ended 1-0, 0-1, 1/2-1/2 or *; the book learns from it",
        [](auto& x, auto& r) { x.editor_.reset(); x.player_.result(r.args()); }},
    {"resume",    Now,   "", "continue after `pause`", [](auto& x, auto& r) { x.player_.resume(r.arrived); }},
    {"sd",        Now,   "N", "search at most N plies deep",
        [](auto& x, auto& r) { x.report(x.player_.clocks().set_depth(r.args()), r); }},
    {"setboard",  Halt,  "FEN", "set up a position", [](auto& x, auto& r) { x.set_board(r.args()); }},
    {"setscore",  Now,   "", "", ignore},
    {"st",        Now,   "N", "play every move in N seconds",
        [](auto& x, auto& r) { x.report(x.player_.clocks().set_move_time(r.args()), r); }},
    {"time",      Now,   "N", "we have N centiseconds left",
        [](auto& x, auto& r) { x.report(x.player_.clocks().set(Whose::Ours, r.args(), r.arrived), r); }},
    {"undo",      Now,   "", "take back the last move", [](auto& x, auto&) { x.take_back(1); }},
    {"usermove",  Now,   "MOVE", "the opponent's move; the word `usermove` may be left out",
        [](auto& x, auto& r) { x.user_move(r); }},
    {"variant",   Halt,  "NAME", "play `normal` chess or `fischerandom` (Chess960)",
        [](auto& x, auto& r) { x.variant(r); }},
    {"white",     Now,   "", "", ignore},
    {"why",       Now,   "", "print the reason for our last move",
        [](auto& x, auto&) { x.out_.answer(x.player_.why().empty() ? "we have not moved yet" : x.player_.why()); }},
    {"xboard",    Now,   "", "", ignore},
};
// clang-format on

std::span<const Xboard::Command> Xboard::commands() {
    return Table;
}

// The game

// If fewer moves were played, does nothing, and lets a search go on.
void Xboard::take_back(int plies) {
    if (player_.game().ply() < plies)
        return;
    halt_for(When::Halt);
    player_.take_back(plies);
}

void Xboard::user_move(const Request& request) {
    const bool is_usermove = request.command != nullptr;
    const std::string_view text = is_usermove ? request.args() : request.line;
    const std::optional<Refusal> refusal = player_.user_move(text, request.arrived);
    if (!refusal)
        return;
    if (*refusal == Refusal::NotAMove && !is_usermove)
        return out_.error("unknown command", text);
    constexpr std::array<std::string_view, 5> Reasons = {
        "", "", "ambiguous", "not your turn", "the position is illegal"};  // indexed by Refusal
    out_.illegal_move(Reasons[static_cast<std::size_t>(*refusal)], text);
}

// A ping that comes after our move shows that the client has read the move.
void Xboard::ping(const Request& request) {
    out_.say(trimmed("pong " + printable(request.args())));
    if (!request.deferred)
        player_.thinking().pong_printed(engine::Clock::now());
}

// The opponent

void Xboard::rating(const Request& request) {
    std::string_view args = request.args();
    const int ours = to_int(next_word(args)).value_or(0);
    player_.opponent().set_ratings(ours, to_int(next_word(args)).value_or(0));
}

void Xboard::server(const Request& request) {
    player_.opponent().set_server(printable(request.args(), 64));
    player_.while_idle([this] { apply_settings(); });
}

// Positions

void Xboard::set_board(std::string_view fen) {
    editor_.reset();
    if (const Result<engine::Position> pos =
            engine::Position::from_fen(fen, engine::Material::Possible, player_.castling()))
        return player_.set_position(*pos);
    player_.set_illegal_position();
    out_.say("tellusererror Illegal position: " + printable(fen));
}

void Xboard::place_pieces(const Request& request) {
    if (request.line == ".")
        set_board(editor_->fen());
    else if (!editor_->take(request.line))
        out_.error("not an edit command", request.line);
}

void Xboard::variant(const Request& request) {
    if (request.args() == "normal" || request.args() == "fischerandom")
        player_.set_chess960(request.args() == "fischerandom");
    else
        out_.error("unsupported variant", request.args());
}

void Xboard::exclude(const Request& request, bool excluded) {
    if (!player_.exclude(request.args(), excluded))
        out_.error("not a legal move", request.line);
}

void Xboard::go(const Request& request) {
    if (!player_.is_position_legal())
        return out_.error("no legal position", request.line);
    player_.go(request.arrived);
}

// Resources and options

void Xboard::memory(const Request& request) {
    const std::optional<int> total_mib = to_int(request.args());
    if (!total_mib)
        return out_.error("not a number of megabytes", request.line);
    memory_mib_ = std::max(*total_mib, 0);
    share_memory();
}

// Gives the hash table the memory that code, network, book and the threads' histories leave.
void Xboard::share_memory() {
    if (!memory_mib_)
        return;
    const int others = 15 + 9 * std::max(threads_, 1);
    set_hash(std::clamp(std::max(*memory_mib_ - others, *memory_mib_ / 2), 1, engine::MaxHashMib));
}

void Xboard::cores(const Request& request) {
    const std::optional<int> cores = to_int(request.args());
    if (!cores)
        return out_.error("not a number of threads", request.line);
    const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    set_threads(std::clamp(*cores, 1, std::min(processors, engine::MaxThreads)));
    share_memory();
}

void Xboard::option(const Request& request) {
    const std::string_view args = request.args();
    const std::size_t equals = args.find('=');
    set_option(args.substr(0, equals),
               equals == std::string_view::npos ? "" : args.substr(equals + 1));
}

// Ignores tables of other kinds.
void Xboard::egt_path(const Request& request) {
    const std::string_view args = request.args();
    const std::size_t blank = std::min(args.find(' '), args.size());
    if (args.substr(0, blank) == "syzygy" && blank < args.size())
        set_option("SyzygyPath", args.substr(blank), false);
}

}  // namespace protocol

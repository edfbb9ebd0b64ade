// The commands that only print: book, hint, board, evaluation, perft, bench, help.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "protocol/io/text.h"
#include "protocol/xboard.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace protocol {
namespace {

using engine::Move;
using engine::Position;

// The expected score and its deviation come first.
std::string book_line(const Position& pos, const book::Row& row) {
    constexpr std::array flags = {std::pair(book::Always, "always"),
                                  std::pair(book::Prefer, "prefer"),
                                  std::pair(book::Avoid, "avoid"),
                                  std::pair(book::Never, "never")};
    std::string line = fmt::format(" {}   played {:.0f} %   score {:.0f} % +- {:.0f}",
                                   engine::to_san(pos, row.move),
                                   100 * row.probability,
                                   100 * row.value,
                                   100 * row.width);
    if (row.visits > 0)
        line += fmt::format("   {} own game{}", row.visits, row.visits == 1 ? "" : "s");
    if (const auto games = row.imported_wins + row.imported_draws + row.imported_losses; games > 0)
        line += fmt::format("   {} imported: {} won, {} drawn, {} lost",
                            games,
                            row.imported_wins,
                            row.imported_draws,
                            row.imported_losses);
    for (const auto& [flag, word] : flags)
        if ((row.flags & flag) != 0)
            line += std::string("   ") + word;
    return line;
}

std::string seconds_since(Time start) {
    const std::chrono::duration<double> spent = engine::Clock::now() - start;
    return fmt::format("{:.3f} s", spent.count());
}

// What ends a long command. `quit` and `?` are commands of their own and handled after it.
bool ends_work(const Event& event) {
    if (const auto* line = std::get_if<Line>(&event))
        return trimmed(line->text) == "?" || trimmed(line->text) == "quit";
    return std::holds_alternative<EndOfInput>(event) || std::holds_alternative<Terminate>(event);
}

}  // namespace

void Xboard::hint() {
    if (const Move move = player_.hint())
        out_.say("Hint: " + player_.coordinates(move));
}

// xboard reads the list up to an empty line, and takes lines that begin with a blank. It shows them
// in a proportional font, so columns would not stand below each other.
void Xboard::book_moves() {
    const engine::Game& game = player_.game();
    const std::vector<book::Row> rows = books_.table(game.position(), player_.book_options());
    if (const std::string opening = books_.opening(game); !opening.empty())
        out_.say(' ' + opening);
    for (const book::Row& row : rows)
        if (game.position().is_legal(row.move))
            out_.say(book_line(game.position(), row));
    if (rows.empty())
        out_.say(" The book has no moves here.");
    out_.say("");
}

void Xboard::statistics() {
    if (player_.state() != State::Analysing)
        return;
    const engine::Progress progress = player_.progress();
    const Move current = progress.current;
    out_.say(fmt::format(
        "stat01: {} {} {} {} {}{}",
        progress.spent.count() / 10,
        progress.nodes,
        progress.depth,
        std::clamp(progress.moves_left, 0, progress.moves),
        progress.moves,
        player_.game().position().is_legal(current) ? ' ' + player_.coordinates(current) : ""));
}

void Xboard::board() {
    const Position& pos = player_.game().position();
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        text += static_cast<char>('1' + rank);
        for (int file = 0; file < 8; ++file) {
            text += ' ';
            text += engine::PieceLetters[pos.piece_on(engine::make_square(file, rank))];
        }
        text += '\n';
    }
    out_.answer(fmt::format("{}  a b c d e f g h\n{}\nkey {:016x}", text, pos.fen(), pos.key()));
}

// The depth that the command names, or an error and nothing.
std::optional<int> Xboard::depth_argument(const Request& request, int minimum) {
    const std::optional<int> depth = to_int(request.args());
    if (depth && *depth >= minimum && *depth < engine::MaxPly)
        return depth;
    out_.error("bad depth", request.line);
    return std::nullopt;
}

// Sets `interrupted`, and is true, once `?`, `quit`, the end of the input or a signal waits in the
// mailbox. Short work is finished in any case, for those who send all their commands at once.
engine::Stopped Xboard::interruption(bool& interrupted) const {
    return [this, start = engine::Clock::now(), &interrupted] {
        constexpr engine::milliseconds always_granted{100};
        if (!interrupted && engine::Clock::now() - start >= always_granted)
            interrupted = ending_work_ || mail_.any(ends_work);
        return interrupted;
    };
}

void Xboard::perft(const Request& request) {
    const std::optional<int> depth = depth_argument(request, 0);
    if (!depth)
        return;
    const Time start = engine::Clock::now();
    bool stopped = false;
    const engine::Stopped interrupted = interruption(stopped);
    const std::uint64_t leaves = searcher_.perft(player_.game().position(), *depth, interrupted);
    out_.answer(fmt::format("perft {}: {}{} in {}",
                            *depth,
                            stopped ? "stopped after " : "",
                            leaves,
                            seconds_since(start)));
}

void Xboard::divide(const Request& request) {
    const std::optional<int> depth = depth_argument(request, 1);
    if (!depth)
        return;
    const Position& pos = player_.game().position();
    bool stopped = false;
    const engine::Stopped interrupted = interruption(stopped);
    std::uint64_t total = 0;
    for (const Move move : engine::legal_moves(pos)) {
        Position after = pos;
        after.make(move);
        const std::uint64_t leaves = searcher_.perft(after, *depth - 1, interrupted);
        total += leaves;
        if (stopped)
            break;
        out_.answer(fmt::format("{}: {}", engine::to_coordinates(move, pos.is_chess960()), leaves));
    }
    out_.answer(fmt::format("total: {}{}", stopped ? "stopped after " : "", total));
}

void Xboard::bench(const Request& request) {
    const bool named = !request.args().empty();
    const std::optional<int> depth = named ? depth_argument(request, 0) : 0;
    if (!depth)
        return;
    bool stopped = false;
    const engine::Stopped interrupted = interruption(stopped);
    engine::BenchResult result;
    player_.while_idle([&] { result = searcher_.bench(*depth, interrupted); });
    const double seconds = std::max(0.001, static_cast<double>(result.spent.count()) / 1000);
    out_.answer(fmt::format("{}{} nodes {:.0f} nps",
                            stopped ? "stopped after " : "",
                            result.nodes,
                            static_cast<double>(result.nodes) / seconds));
}

void Xboard::help() {
    for (const Command& command : commands())
        if (!command.help.empty())
            out_.answer(fmt::format("{}{}{}: {}",
                                    command.name,
                                    command.args.empty() ? "" : " ",
                                    command.args,
                                    command.help));
}

}  // namespace protocol

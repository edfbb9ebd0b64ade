// The commands of both protocols that only print: board, perft, bench.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "protocol/adapter.h"
#include "protocol/io/text.h"

#include <algorithm>

#include <fmt/format.h>

namespace protocol {
namespace {

using engine::Move;
using engine::Position;

std::string seconds_since(Time start) {
    const std::chrono::duration<double> spent = engine::Clock::now() - start;
    return fmt::format("{:.3f} s", spent.count());
}

// The events that end a long command. `quit`, `?` and `stop` are also commands, handled after it.
bool ends_work(const Event& event) {
    if (const auto* line = std::get_if<Line>(&event))
        return trimmed(line->text) == "?" || trimmed(line->text) == "stop" ||
               trimmed(line->text) == "quit";
    return std::holds_alternative<EndOfInput>(event) || std::holds_alternative<Terminate>(event);
}

}  // namespace

void Adapter::board() {
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

// The depth that the command names. If it is bad, prints an error and returns nothing.
std::optional<int>
Adapter::depth_argument(std::string_view args, std::string_view line, int minimum) {
    const std::optional<int> depth = to_int(args);
    if (depth && *depth >= minimum && *depth < engine::MaxPly)
        return depth;
    out_.error("bad depth", line);
    return std::nullopt;
}

// True, with `interrupted` set, once an event that ends the work waits in the mailbox. Short work
// is always finished, for clients that send all their commands at once.
engine::Stopped Adapter::interruption(bool& interrupted) const {
    return [this, start = ending_work_.value_or(engine::Clock::now()), &interrupted] {
        constexpr engine::milliseconds AlwaysGranted{100};
        if (!interrupted && engine::Clock::now() - start >= AlwaysGranted)
            interrupted = ending_work_ || mail_.any(ends_work);
        return interrupted;
    };
}

void Adapter::perft(int depth) {
    const Time start = engine::Clock::now();
    bool stopped = false;
    const engine::Stopped interrupted = interruption(stopped);
    const std::uint64_t leaves = searcher_.perft(player_.game().position(), depth, interrupted);
    out_.answer(fmt::format("perft {}: {}{} in {}",
                            depth,
                            stopped ? "stopped after " : "",
                            leaves,
                            seconds_since(start)));
}

void Adapter::divide(std::string_view args, std::string_view line) {
    const std::optional<int> depth = depth_argument(args, line, 1);
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

void Adapter::bench(std::string_view args, std::string_view line) {
    const bool named = !args.empty();
    const std::optional<int> depth = named ? depth_argument(args, line, 0) : 0;
    if (!depth)
        return;
    bool stopped = false;
    const engine::Stopped interrupted = interruption(stopped);
    Result<engine::BenchResult> result;
    player_.while_idle([&] { result = searcher_.bench(*depth, interrupted); });
    if (!result)
        return out_.error(result.error().what, line);
    const double seconds = std::max(0.001, static_cast<double>(result->spent.count()) / 1000);
    out_.answer(fmt::format("{}{} nodes {:.0f} nps",
                            stopped ? "stopped after " : "",
                            result->nodes,
                            static_cast<double>(result->nodes) / seconds));
}

}  // namespace protocol

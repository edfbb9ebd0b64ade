// The commands of xboard.h that set up positions, options and the opponent, and that inform.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/board/perft.h"
#include "protocol/io/text.h"
#include "protocol/options.h"
#include "protocol/xboard.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <thread>

namespace protocol {
namespace {

using engine::Move;
using engine::Position;

// What the program takes beside its hash table: code, network, histories, book.
constexpr int OwnMebibytes = 24;

std::string board_text(const Position& pos) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        text += static_cast<char>('1' + rank);
        for (int file = 0; file < 8; ++file) {
            text += ' ';
            text += engine::PieceLetters[pos.piece_on(engine::make_square(file, rank))];
        }
        text += '\n';
    }
    return text + "  a b c d e f g h\n";
}

std::string hexadecimal(std::uint64_t value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
    return text.data();
}

std::string book_line(const Position& pos, const book::Row& row) {
    constexpr std::array flags = {std::pair(book::Always, "always"),
                                  std::pair(book::Prefer, "prefer"),
                                  std::pair(book::Avoid, "avoid"),
                                  std::pair(book::Never, "never")};
    std::array<char, 160> text{};
    std::snprintf(text.data(),
                  text.size(),
                  " %-7s games +%lld =%lld -%lld, own %lld, value %.1f%% +- %.1f",
                  engine::to_san(pos, row.move).c_str(),
                  static_cast<long long>(row.imported_wins),
                  static_cast<long long>(row.imported_draws),
                  static_cast<long long>(row.imported_losses),
                  static_cast<long long>(row.visits),
                  100 * row.value,
                  100 * row.width);
    std::string line = text.data();
    for (const auto& [flag, word] : flags)
        if ((row.flags & flag) != 0)
            line += std::string(", ") + word;
    return line;
}

int depth_argument(std::string_view args, int otherwise) {
    return std::clamp(to_int(args).value_or(otherwise), 0, 15);
}

}  // namespace

// Positions

void Xboard::setboard(std::string_view args) {
    editor_.reset();
    const Result<Position> pos = Position::from_fen(args);
    if (pos)
        return player_.set_position(*pos);
    player_.set_illegal_position();
    out_.say("tellusererror Illegal position: " + printable(args));
}

void Xboard::edit(std::string_view) {
    editor_.emplace(player_.game().position());
}

void Xboard::editing(std::string_view line) {
    if (line != ".") {
        if (!editor_->take(line))
            out_.error("not for editing", line);
        return;
    }
    const std::string fen = editor_->fen();
    setboard(fen);
}

void Xboard::variant(std::string_view args) {
    if (args == "normal")
        player_.set_chess960(false);
    else if (args == "fischerandom")
        player_.set_chess960(true);
    else
        out_.error("unsupported variant", args);
}

void Xboard::exclude(std::string_view args) {
    if (!player_.exclude(args, true))
        out_.error("not a move here", line_);
}

void Xboard::include(std::string_view args) {
    if (!player_.exclude(args, false))
        out_.error("not a move here", line_);
}

// Resources and options

void Xboard::memory(std::string_view args) {
    const std::optional<int> mebibytes = to_int(args);
    if (!mebibytes)
        return out_.error("not a number of megabytes", line_);
    const int hash = std::clamp(std::max(*mebibytes - OwnMebibytes, *mebibytes / 2), 1, 65'536);
    if (hash == hash_mib_)
        return;
    player_.while_idle([this, hash] {
        const Result<void> set = searcher_.set_hash(hash);
        if (set)
            hash_mib_ = hash;
        else
            out_.comment("memory: " + set.error().what);
    });
}

void Xboard::cores(std::string_view args) {
    const std::optional<int> cores = to_int(args);
    if (!cores)
        return out_.error("not a number of threads", line_);
    const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int threads = std::clamp(*cores, 1, std::min(processors, 256));
    if (threads == threads_)
        return;
    threads_ = threads;
    player_.while_idle([this, threads] { searcher_.set_threads(threads); });
}

void Xboard::option(std::string_view args) {
    const std::size_t equals = args.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : args.substr(equals + 1);
    const std::string file = settings_.book_file, network = settings_.eval_file;
    switch (set_option(settings_, args.substr(0, equals), value)) {
    case Setting::Unknown:
        return out_.error("unknown option", args.substr(0, equals));
    case Setting::Kept:
        return;
    case Setting::Changed:
        break;
    }
    if (settings_.book_file != file)
        books_.use_file(settings_.book_file);
    if (settings_.eval_file != network)
        player_.while_idle([this, path = settings_.eval_file] { use_network(path); });
    player_.while_idle([this] { apply_settings(); });
}

// The opponent

void Xboard::name(std::string_view args) {
    player_.opponent().set_name(printable(args, 64));
}

void Xboard::rating(std::string_view args) {
    const int ours = to_int(next_word(args)).value_or(0);
    player_.opponent().set_ratings(ours, to_int(next_word(args)).value_or(0));
}

void Xboard::computer(std::string_view) {
    player_.opponent().set_computer();
}

void Xboard::ics(std::string_view args) {
    player_.opponent().set_server(printable(args, 64));
    player_.while_idle([this] { apply_settings(); });
}

// Information

void Xboard::hint(std::string_view) {
    if (const Move move = player_.hint())
        out_.say("Hint: " + player_.coordinates(move));
}

void Xboard::bk(std::string_view) {
    const engine::Game& game = player_.game();
    const std::vector<book::Row> rows =
        books_.table(game.position(), player_.clocks().time_class());
    if (const std::string opening = books_.opening(game); !opening.empty())
        out_.say(' ' + opening);
    for (const book::Row& row : rows)
        if (game.position().is_legal(row.move))
            out_.say(book_line(game.position(), row));
    if (rows.empty())
        out_.say(" The book has no moves here.");
    out_.say("");
}

void Xboard::statistics(std::string_view) {
    if (player_.state() != State::Analysing)
        return;
    const engine::Progress progress = player_.progress();
    std::string line = "stat01: " + std::to_string(progress.spent.count() / 10) + ' ' +
                       std::to_string(progress.nodes) + ' ' + std::to_string(progress.depth) + ' ' +
                       std::to_string(std::clamp(progress.moves_left, 0, progress.moves)) + ' ' +
                       std::to_string(progress.moves);
    if (player_.game().position().is_legal(progress.current))
        line += ' ' + player_.coordinates(progress.current);
    out_.say(line);
}

void Xboard::display(std::string_view) {
    const Position& pos = player_.game().position();
    out_.answer(board_text(pos));
    out_.answer(pos.fen());
    out_.answer("key " + hexadecimal(pos.key()));
}

void Xboard::eval(std::string_view) {
    out_.answer(searcher_.explain(player_.game().position()));
}

void Xboard::perft(std::string_view args) {
    const int depth = depth_argument(args, 5);
    const Time start = engine::Clock::now();
    const std::uint64_t nodes = searcher_.perft(player_.game().position(), depth);
    const double seconds = std::chrono::duration<double>(engine::Clock::now() - start).count();
    std::array<char, 80> text{};
    std::snprintf(text.data(),
                  text.size(),
                  "perft %d: %llu in %.3f s",
                  depth,
                  static_cast<unsigned long long>(nodes),
                  seconds);
    out_.answer(text.data());
}

void Xboard::divide(std::string_view args) {
    const int depth = std::max(1, depth_argument(args, 4));
    const Position& pos = player_.game().position();
    std::uint64_t total = 0;
    for (const Move move : engine::legal_moves(pos)) {
        Position after = pos;
        after.make(move);
        const std::uint64_t nodes = searcher_.perft(after, depth - 1);
        total += nodes;
        out_.answer(engine::to_coordinates(move, pos.is_chess960()) + ": " + std::to_string(nodes));
    }
    out_.answer("total: " + std::to_string(total));
}

void Xboard::bench(std::string_view args) {
    const int depth = depth_argument(args, 0);
    engine::BenchResult result;
    player_.while_idle([&] { result = searcher_.bench(depth); });
    const double seconds = std::max(0.001, static_cast<double>(result.spent.count()) / 1000);
    out_.answer(std::to_string(result.nodes) + " nodes " +
                std::to_string(std::llround(static_cast<double>(result.nodes) / seconds)) + " nps");
}

void Xboard::why(std::string_view) {
    out_.answer(player_.why().empty() ? "no move of ours yet" : player_.why());
}

void Xboard::help(std::string_view) {
    std::string text;
    for (const Command& command : commands())
        if (!command.help.empty())
            text += std::string(command.name) + ": " + std::string(command.help) + '\n';
    out_.answer(text);
}

}  // namespace protocol

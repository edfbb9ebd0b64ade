// The commands of XBoard that only print: book, hint, statistics.
#include "engine/board/notation.h"
#include "protocol/io/text.h"
#include "protocol/xboard.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace protocol {
namespace {

using engine::Move;
using engine::Position;

// The expected score and its deviation come first.
std::string book_line(const Position& pos, const book::Row& row) {
    constexpr std::array Flags = {std::pair(book::Always, "always"),
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
    for (const auto& [flag, word] : Flags)
        if ((row.flags & flag) != 0)
            line += std::string("   ") + word;
    return line;
}

}  // namespace

void Xboard::hint() {
    if (const Move move = player_.hint())
        out_.say("Hint: " + player_.coordinates(move));
}

// xboard reads the list up to an empty line, and takes lines that begin with a blank. It shows them
// in a proportional font, so columns would not line up.
void Xboard::book_moves() {
    const engine::Game& game = player_.game();
    const book::ChooseOptions options = player_.book_options();
    const std::vector<book::Row> rows = books_.table(game.position(), options);
    if (const std::string opening = books_.opening(game); !opening.empty())
        out_.say(' ' + opening);
    for (const book::Row& row : rows)
        if (game.position().is_legal(row.move))
            out_.say(book_line(game.position(), row));
    if (rows.empty())
        out_.say(" The book has no moves here.");
    else if (game.ply() >= options.max_ply)
        out_.say(" Past the last book move that the options allow: a search plays.");
    out_.say("");
}

void Xboard::statistics() {
    if (player_.state() != State::Analysing)
        return;
    // python-chess asks at the end of an analysis and takes no later line.
    player_.thinking().print_held_back(engine::Clock::now());
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

}  // namespace protocol

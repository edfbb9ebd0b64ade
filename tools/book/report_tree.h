// The report is report.html with the style and scripts of page/ and its data inserted as JSON. This
// file makes the tree of positions and the overview of the whole book.
#pragma once

#include "tools/book/book_command.h"

namespace tools::book_command {

// The lines of the page, up to a null pointer; "@DATA@" marks the place of the data.
extern const char* const ReportPage[];

struct TreeLimits {
    int positions = 3000;
    std::size_t bytes = 2'500'000;  // approximate size of the page
};
// {"nodes", "games"}. Nodes are positions of the book from the start position on, those with most
// games first. Each is {"m": moves, "g": [games as White, games as Black]} with a move as [UCI,
// SAN, index of the position after it, imported wins of White, draws, wins of Black, [own as White,
// own as Black], opening, marks, search]. The index is -1 if the book ends there, -2 if the
// position was left out. Own is null or [games, wins, draws, losses, value, deviation, evidence,
// probability]. Search is null or [centipawns, depth]. "g" has the latest own games that came
// there, if any, as indices of "games": [number, date, opponent, result, 1 won, 0 drawn or -1
// lost].
nlohmann::json tree_json(book::BookFiles& files, const TreeLimits& limits);
// What both pages show of the whole book, see page/overview.js. `waiting`: see waiting_text().
nlohmann::json overview_json(book::BookFiles& files, const std::string& waiting);

}  // namespace tools::book_command

#include "tools/lab/learning/series.h"

#include <sstream>

#include <fmt/format.h>

namespace tools::learning {
namespace {

constexpr const char* Columns =
    "game\tside\tscore\tplies\tbook_moves\tpoisoned\texit_ply\texit_cp\n";

std::optional<GameRow> row_from_text(const std::string& line) {
    std::istringstream in(line);
    GameRow row;
    std::string side, exit;
    if (!(in >> row.number >> side >> row.score >> row.plies >> row.book_moves >> row.poisoned >>
          exit >> row.exit_cp) ||
        (side != "w" && side != "b"))
        return std::nullopt;
    row.side = side == "w" ? engine::White : engine::Black;
    if (exit != "-") {
        int ply = 0;
        if (!(std::istringstream(exit) >> ply))
            return std::nullopt;
        row.exit_ply = ply;
    }
    return row;
}

}  // namespace

std::string name_of(const Rules& rules) {
    return fmt::format("{}-{}-{}",
                       rules.poisoned ? "poisoned" : "clean",
                       rules.learn ? "learning" : "control",
                       rules.seed);
}

std::string heading(const Rules& rules) {
    return fmt::format("# poisoned {:d} learn {:d} seed {} games {} nodes {} exit-nodes {}\n{}",
                       rules.poisoned,
                       rules.learn,
                       rules.seed,
                       rules.games,
                       rules.nodes,
                       rules.exit_nodes,
                       Columns);
}

std::string to_text(const GameRow& row) {
    return fmt::format("{}\t{}\t{:g}\t{}\t{}\t{}\t{}\t{}",
                       row.number,
                       row.side == engine::White ? 'w' : 'b',
                       row.score,
                       row.plies,
                       row.book_moves,
                       row.poisoned,
                       row.exit_ply ? std::to_string(*row.exit_ply) : "-",
                       row.exit_cp);
}

Result<Series> series_from_text(const std::string& text) {
    std::istringstream in(text);
    std::string line, hash, word;
    Series series;
    Rules& r = series.rules;
    std::getline(in, line);
    std::istringstream head(line);
    if (!(head >> hash >> word >> r.poisoned >> word >> r.learn >> word >> r.seed >> word >>
          r.games >> word >> r.nodes >> word >> r.exit_nodes) ||
        !std::getline(in, line) || line + '\n' != Columns)
        return fail("not a result of a learning match");
    while (std::getline(in, line)) {
        if (line + '\n' == CompleteMark) {
            series.complete = true;
            break;
        }
        const std::optional<GameRow> row = row_from_text(line);
        if (!row || row->number != static_cast<int>(series.games.size()) + 1)
            return fail("not a game of a learning match: \"" + line + "\"");
        series.games.push_back(*row);
    }
    return series;
}

}  // namespace tools::learning

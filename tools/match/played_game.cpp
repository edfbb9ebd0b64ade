#include "tools/match/played_game.h"

#include <cstdlib>

#include <fmt/format.h>

namespace tools::match {
namespace {

// The name of an ending, and its value of PGN's tag Termination; in the order of Ending.
struct EndingText {
    std::string_view name, termination;
};
constexpr std::array Endings{EndingText{"unfinished", "unterminated"},
                             EndingText{"checkmate", "normal"},
                             EndingText{"stalemate", "normal"},
                             EndingText{"insufficient material", "normal"},
                             EndingText{"fifty moves", "normal"},
                             EndingText{"repetition", "normal"},
                             EndingText{"resignation", "normal"},
                             EndingText{"agreement", "normal"},
                             EndingText{"adjudication", "adjudication"},
                             EndingText{"move limit", "adjudication"},
                             EndingText{"time forfeit", "time forfeit"},
                             EndingText{"illegal move", "rules infraction"},
                             EndingText{"false claim", "rules infraction"},
                             EndingText{"crash", "abandoned"},
                             EndingText{"stall", "abandoned"}};
static_assert(Endings.size() == static_cast<std::size_t>(Ending::Stall) + 1);

const EndingText& text_of(Ending ending) {
    return Endings.at(static_cast<std::size_t>(ending));
}

std::string comment(const PlayedMove& move) {
    if (move.opening)
        return "{book}";
    const std::string spent = seconds_text(move.spent);
    if (move.thinking.depth == 0)
        return fmt::format("{{{}s}}", spent);
    return fmt::format(
        "{{{}/{} {}s}}", score_text(move.thinking.score), move.thinking.depth, spent);
}

}  // namespace

std::string score_text(int score) {
    if (is_mate_score(score))
        return fmt::format("{}M{}", score < 0 ? '-' : '+', MateBase - std::abs(score));
    return fmt::format("{:+.2f}", score / 100.0);
}

std::string_view ending_name(Ending ending) {
    return text_of(ending).name;
}

std::string to_pgn(const PlayedGame& game) {
    std::string pgn;
    const std::string result(result_text(game.outcome));
    add_tag(pgn, "Event", game.event);
    add_tag(pgn, "Site", "?");
    add_tag(pgn, "Date", game.date.empty() ? "????.??.??" : game.date);
    add_tag(pgn, "Round", game.round ? std::to_string(game.round) : "?");
    add_tag(pgn, "White", game.names[engine::White]);
    add_tag(pgn, "Black", game.names[engine::Black]);
    add_tag(pgn, "Result", result);
    if (game.start.fen() != engine::StartFen) {
        if (game.start.is_chess960())
            add_tag(pgn, "Variant", "Chess960");
        add_tag(pgn, "SetUp", "1");
        add_tag(pgn, "FEN", game.start.fen());
    }
    add_tag(pgn, "PlyCount", std::to_string(game.moves.size()));
    add_tag(pgn, "Termination", text_of(game.ending).termination);
    const auto& [white, black] = game.time_controls;
    if (white == black)
        add_tag(pgn, "TimeControl", white);
    else {
        add_tag(pgn, "WhiteTimeControl", white);
        add_tag(pgn, "BlackTimeControl", black);
    }
    pgn += '\n';
    Movetext text;
    engine::Color side = game.start.side_to_move();
    int number = game.start.fullmove_number();
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        // A comment stands after every move, so Black's moves carry their number too.
        text.add(fmt::format("{}{}", number, side == engine::White ? "." : "..."));
        text.add(game.moves[i].san);
        text.add(comment(game.moves[i]));
        number += side == engine::Black ? 1 : 0;
        side = ~side;
    }
    if (!game.reason.empty())
        text.add('{' + game.reason + '}');
    text.add(result);
    return pgn + text.text();
}

}  // namespace tools::match

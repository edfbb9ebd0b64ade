#include "tools/match/pgn.h"

#include "tools/common/pgn_text.h"

namespace tools {
namespace {

std::string_view termination(Ending ending) {
    switch (ending) {
    case Ending::TimeForfeit:
        return "time forfeit";
    case Ending::IllegalMove:
    case Ending::FalseClaim:
        return "rules infraction";
    case Ending::Crash:
    case Ending::Stall:
        return "abandoned";
    case Ending::Adjudication:
    case Ending::MoveLimit:
        return "adjudication";
    case Ending::Unfinished:
        return "unterminated";
    default:
        return "normal";
    }
}

std::string comment(const PlayedMove& move) {
    if (move.opening)
        return "{book}";
    const std::string spent = seconds_text(move.spent) + "s}";
    if (move.thinking.depth == 0)
        return '{' + spent;
    return '{' + score_text(move.thinking.score) + '/' + std::to_string(move.thinking.depth) + ' ' +
           spent;
}

}  // namespace

std::string to_pgn(const GameRecord& record) {
    std::string pgn;
    const std::string result(result_text(record.outcome));
    add_tag(pgn, "Event", record.event);
    add_tag(pgn, "Site", "?");
    add_tag(pgn, "Date", record.date.empty() ? "????.??.??" : record.date);
    add_tag(pgn, "Round", record.round ? std::to_string(record.round) : "?");
    add_tag(pgn, "White", record.names[engine::White]);
    add_tag(pgn, "Black", record.names[engine::Black]);
    add_tag(pgn, "Result", result);
    if (record.start.fen() != engine::StartFen) {
        if (record.start.is_chess960())
            add_tag(pgn, "Variant", "Chess960");
        add_tag(pgn, "SetUp", "1");
        add_tag(pgn, "FEN", record.start.fen());
    }
    add_tag(pgn, "PlyCount", std::to_string(record.moves.size()));
    add_tag(pgn, "Termination", termination(record.ending));
    const auto& [white, black] = record.time_controls;
    if (white == black)
        add_tag(pgn, "TimeControl", white);
    else {
        add_tag(pgn, "WhiteTimeControl", white);
        add_tag(pgn, "BlackTimeControl", black);
    }
    pgn += '\n';
    Movetext text;
    engine::Color side = record.start.side_to_move();
    int number = record.start.fullmove_number();
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
        // A comment stands after every move, so Black's moves carry their number too.
        text.add(std::to_string(number) + (side == engine::White ? "." : "..."));
        text.add(record.moves[i].san);
        text.add(comment(record.moves[i]));
        number += side == engine::Black ? 1 : 0;
        side = ~side;
    }
    if (!record.reason.empty())
        text.add('{' + record.reason + '}');
    text.add(result);
    return pgn + text.text();
}

}  // namespace tools

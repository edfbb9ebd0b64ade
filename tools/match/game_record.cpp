#include "tools/match/game_record.h"

#include <cstdio>
#include <cstdlib>

namespace tools {

std::string score_text(int score) {
    const char sign = score < 0 ? '-' : '+';
    if (is_mate_score(score))
        return std::string{sign, 'M'} + std::to_string(MateBase - std::abs(score));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%c%.2f", sign, std::abs(score) / 100.0);
    return text.data();
}

std::string_view ending_name(Ending ending) {
    switch (ending) {
    case Ending::Unfinished:
        return "unfinished";
    case Ending::Checkmate:
        return "checkmate";
    case Ending::Stalemate:
        return "stalemate";
    case Ending::DeadPosition:
        return "insufficient material";
    case Ending::FiftyMoves:
        return "fifty moves";
    case Ending::Repetition:
        return "repetition";
    case Ending::Resignation:
        return "resignation";
    case Ending::Agreement:
        return "agreement";
    case Ending::Adjudication:
        return "adjudication";
    case Ending::MoveLimit:
        return "move limit";
    case Ending::TimeForfeit:
        return "time forfeit";
    case Ending::IllegalMove:
        return "illegal move";
    case Ending::FalseClaim:
        return "false claim";
    case Ending::Crash:
        return "crash";
    case Ending::Stall:
        return "stall";
    }
    return {};
}

std::string_view result_text(Outcome outcome) {
    switch (outcome) {
    case Outcome::WhiteWins:
        return "1-0";
    case Outcome::BlackWins:
        return "0-1";
    case Outcome::Draw:
        return "1/2-1/2";
    case Outcome::Unfinished:
        break;
    }
    return "*";
}

std::optional<Outcome> parse_result(std::string_view text) {
    for (const Outcome o :
         {Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unfinished})
        if (text == result_text(o))
            return o;
    return std::nullopt;
}

}  // namespace tools

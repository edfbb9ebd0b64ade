// A game of a match with what the engines said, how it ended, and its PGN.
#pragma once

#include "engine/board/game.h"
#include "tools/common/pgn_text.h"
#include "tools/common/strings.h"

#include <array>
#include <cstdint>

namespace tools::match {

// The state of its search that an engine last reported.
struct Thinking {
    int depth = 0;     // plies; 0: nothing was reported
    int score = 0;     // centipawns from its own side, or a mate: see MateBase
    std::string line;  // as the engine wrote it
};
// A score of +-(MateBase - n) is a mate in n moves, given or suffered.
inline constexpr int MateBase = 1'000'000;
constexpr bool is_mate_score(int score) {
    return score > MateBase - 1000 || score < -MateBase + 1000;
}
std::string score_text(int score);  // "+0.35", "-M3"

struct PlayedMove {
    engine::Move move;
    std::string san;
    Thinking thinking;     // depth 0 if nothing is known
    milliseconds spent{};  // on the mover's clock
    bool opening = false;  // from the opening, not by an engine
};

enum class Ending : std::uint8_t {
    Unfinished,
    Checkmate,
    Stalemate,
    DeadPosition,
    FiftyMoves,
    Repetition,
    Resignation,
    Agreement,
    Adjudication,
    MoveLimit,
    TimeForfeit,
    IllegalMove,
    FalseClaim,  // of a win or a draw
    Crash,       // the process ended, or closed its output, during the game
    Stall        // no answer in time
};
std::string_view ending_name(Ending ending);  // for people: "time forfeit"
constexpr bool is_fault(Ending ending) {
    return ending >= Ending::TimeForfeit;
}

// Arrays are indexed by colour.
struct PlayedGame {
    std::array<std::string, 2> names;
    std::array<std::string, 2> time_controls;  // as TimeControl::text gives them
    std::string event = "Engine match";
    std::string date;  // "2024.05.31", or empty if unknown
    int round = 0;
    engine::Position start;
    std::vector<PlayedMove> moves;
    Outcome outcome = Outcome::Unfinished;
    Ending ending = Ending::Unfinished;
    std::string reason;                // why it ended, one sentence
    std::array<bool, 2> broke_down{};  // died or fell silent after the end
};

// The game with tags, moves commented with score, depth and seconds, and the reason of its end;
// followed by an empty line. Source: S. J. Edwards, "Portable Game Notation Specification" (1994).
std::string to_pgn(const PlayedGame& game);

}  // namespace tools::match

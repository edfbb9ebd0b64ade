// A played game as the runner keeps it, and the words for how games end.
#pragma once

#include "engine/board/game.h"
#include "tools/common/strings.h"

#include <array>
#include <cstdint>

namespace tools {

// What an engine last said about its search.
struct Thinking {
    int depth = 0;  // plies; 0: it said nothing
    int score = 0;  // centipawns from its own side, or a mate: see MateBase
    std::uint64_t nodes = 0;
    milliseconds spent{};
    std::string line;  // as it came
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
    bool opening = false;  // given by the runner
};

enum class Outcome : std::uint8_t { Unfinished, WhiteWins, BlackWins, Draw };

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
    FalseClaim,  // of a win or a draw that was none
    Crash,       // it ended, or closed its output, in the middle of the game
    Stall        // it did not answer at all
};
std::string_view ending_name(Ending ending);  // "time forfeit", for people and PGN comments
constexpr bool is_misconduct(Ending ending) {
    return ending >= Ending::TimeForfeit;
}

std::string_view result_text(Outcome outcome);  // "1-0", "0-1", "1/2-1/2", "*"
std::optional<Outcome> parse_result(std::string_view text);
constexpr Outcome win_for(engine::Color c) {
    return c == engine::White ? Outcome::WhiteWins : Outcome::BlackWins;
}

// Arrays are indexed by colour.
struct GameRecord {
    std::array<std::string, 2> names;
    std::array<std::string, 2> time_controls;  // as TimeControl::text gives them
    std::string event = "Engine match";
    std::string date;  // "2024.05.31", or empty if unknown
    int round = 0;
    engine::Position start;
    std::vector<PlayedMove> moves;
    Outcome outcome = Outcome::Unfinished;
    Ending ending = Ending::Unfinished;
    std::string reason;                // one sentence
    std::array<bool, 2> broke_down{};  // ended or fell silent after the game was decided
};

}  // namespace tools

// Plays the games of a match, several at a time, each in its own thread with its own engines.
#pragma once

#include "tools/match/game_runner.h"
#include "tools/match/standings.h"

namespace tools::match {

struct Plan {
    std::vector<EngineSpec> engines;  // the first plays each of the others
    std::vector<Opening> openings;    // one for each pair of games; they repeat when used up
    Rules rules;
    int games = 2;        // against each opponent
    int concurrency = 1;  // games at a time
    milliseconds wait{};  // between two games of one thread
    std::string event = "Engine match";
    std::string date;
    // Called when an engine cannot do what it was told, for example because it lacks an option,
    // with its number and a sentence. If it returns false the match fails with the sentence. May be
    // empty.
    std::function<bool(std::size_t engine, const std::string& text)> warned{};
};

struct FinishedGame {
    GameNumber number;
    PlayedGame record;
};

// Plays all games and passes each to `finished`, in the order in which they end, one at a time, on
// the thread of the game. The match stops when that returns false, or after `interrupt`. `watch`
// may be empty; it is called on the thread of the game. Fails if an engine cannot be started. When
// this returns all engines have ended. The program must ignore broken pipes.
Result<void> play_match(const Plan& plan,
                        Trace* trace,
                        Cancel interrupt,
                        const std::function<bool(const FinishedGame&)>& finished,
                        const std::function<void(const View&)>& watch);

}  // namespace tools::match

// The states of the player, and what happens to a command that arrives in each of them.
#pragma once

#include <cstdint>

namespace protocol {

enum class State : std::uint8_t {
    Force,      // we play neither side
    Observing,  // the opponent is to move, nothing is searched
    Thinking,   // about our move; also while paused
    Pondering,  // the opponent is to move and we search
    Analysing,
    Over  // the game has ended and the next one has not begun
};

enum class When : std::uint8_t {
    Now,   // runs at once beside any search
    Halt,  // halts the search first; its move is not played
    After  // waits until the move that we think about is played
};

enum class Act : std::uint8_t { Run, HaltAndRun, Defer };

constexpr Act act(When when, State state) {
    const bool searching =
        state == State::Thinking || state == State::Pondering || state == State::Analysing;
    if (when == When::Halt && searching)
        return Act::HaltAndRun;
    if (when == When::After && state == State::Thinking)
        return Act::Defer;
    return Act::Run;
}

}  // namespace protocol

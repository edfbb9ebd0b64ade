// What the engine is doing, and what becomes of a command that arrives meanwhile.
#pragma once

#include <cstdint>

namespace protocol {

enum class State : std::uint8_t {
    Force,      // plays neither side
    Observing,  // the opponent is to move, nothing is searched
    Thinking,   // our move; also while paused in it
    Pondering,  // the opponent is to move, we search
    Analysing,
    Over  // the game has ended; quiet until the next one
};

enum class When : std::uint8_t {
    Now,   // harmless while searching
    Halt,  // abandons the search; its move is not played
    After  // waits until the search has moved
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

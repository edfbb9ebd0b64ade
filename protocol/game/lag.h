// Time that our clock loses beyond our own thinking: in the client, on the way, or because the
// system does not run us.
#pragma once

#include "engine/search/limits.h"

#include <optional>

namespace protocol {

using engine::milliseconds;

class Lag {
  public:
    // To be called after our move. `told`: our clock as the client set it for this move; `left`:
    // what should be left by our own measure, with the increment.
    void moved(milliseconds told, milliseconds left) { last_ = Move{told, left}; }
    // The client sets our clock for the next move.
    void clock_set(milliseconds left);
    // The clocks were changed in another way: the next clock_set() says nothing about lag.
    void forget_move() { last_.reset(); }
    // The longest time in the search for a move without a look at the clock.
    void stalled(milliseconds time);

    // The most that a recent move has lost; each search reduces it by 1/64.
    [[nodiscard]] milliseconds worst() const;

  private:
    struct Move {
        milliseconds told, left;
    };
    std::optional<Move> last_;
    milliseconds stall_{};  // in the last search
    std::chrono::microseconds worst_{};
};

}  // namespace protocol

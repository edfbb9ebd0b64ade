// Time that our clock loses through no thought of ours: in the client, on the way, or because the
// system lets us wait.
#pragma once

#include "engine/search/limits.h"

#include <optional>

namespace protocol {

using engine::milliseconds;

class Lag {
  public:
    // After our move, for which the client had set our clock to `told`: what should be left by our
    // own measure, the increment included.
    void moved(milliseconds told, milliseconds left) { last_ = Move{told, left}; }
    // The client sets our clock for the next move.
    void clock_set(milliseconds left);
    // The clocks were set otherwise, so that the next setting says nothing.
    void forget_move() { last_.reset(); }
    // In the search for a move the longest time without a look at the clock.
    void stalled(milliseconds time);

    // The most that one move has lost of late: every search takes 1/64 off it.
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

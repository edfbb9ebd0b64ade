// The games of a trial, in this process and thread, with the tuner's copy of the engine.
#pragma once

#include "engine/board/result.h"
#include "tools/lab/spsa/tuning.h"

#include <atomic>
#include <memory>
#include <optional>

namespace tools::spsa {

// All numbers of the search that games of fixed nodes can tell something about, with usual gains.
std::vector<Parameter> known_parameters(double r_end);

// Two engines at a board. Different ones may play at the same time in different threads.
class Duel {
  public:
    virtual ~Duel() = default;
    // Both games from a random opening: those that `plus` won less those that it lost. Equal plans
    // and trials give equal points. Nothing if `stop` became true before the end.
    virtual std::optional<int>
    play(const Plan& plan, const Trial& trial, const std::atomic<bool>& stop) = 0;
};
// Fails if there is no memory.
Result<std::unique_ptr<Duel>> make_duel();

}  // namespace tools::spsa

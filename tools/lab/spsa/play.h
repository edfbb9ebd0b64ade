// The games of a trial, in this process, with the library engine_tunable.
#pragma once

#include "engine/engine.h"
#include "tools/lab/spsa/tuning.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>

namespace tools::spsa {

// All parameters of the search, with default gains; those of time management if `by_clock`.
std::vector<Parameter> known_parameters(double r_end, bool by_clock);

// Two engines that play each other. Duels in different threads do not disturb each other.
class Duel {
  public:
    using Players = std::array<std::unique_ptr<engine::Searcher>, 2>;
    explicit Duel(Players players) : players_(std::move(players)) {}
    // Plays both games of a pair from a random opening. Returns the games that `plus` won less
    // those that it lost; nothing if `stop` became true before the end. Repeatable: equal plans and
    // trials give equal results.
    std::optional<int> play(const Plan& plan, const Trial& trial, const std::atomic<bool>& stop);

  private:
    Players players_;  // by colour
};
// Fails if this processor runs no engine or there is no memory.
Result<std::unique_ptr<Duel>> make_duel();

}  // namespace tools::spsa

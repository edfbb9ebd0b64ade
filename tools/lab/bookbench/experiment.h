// An experiment of nutcracker-bookbench: several rules play the same worlds.
#pragma once

#include "tools/common/statistics.h"
#include "tools/lab/bookbench/arena.h"

#include <functional>

namespace tools::bookbench {

struct Plan {
    std::vector<Scenario> scenarios{};
    std::vector<std::string> rules{};  // besides "random", which is always played as the measure
    std::uint64_t first_world = 0, last_world = 19;
    int games = 1500, threads = 1;
    std::vector<Setting> settings{};  // of this program's rules
    // If not empty, this program's rules also play a second time with these settings added.
    std::vector<Setting> against{};
    [[nodiscard]] std::size_t worlds() const {
        return static_cast<std::size_t>(last_world - first_world) + 1;
    }
};

// One rule in one scenario: means over all worlds.
struct Line {
    std::string rule{};   // its name, with the settings of Plan::against
    Measured percent{};   // the regret as a percentage of a random player's in the same world
    Measured distance{};  // of `percent` from that of the first rule after "random"
    Measured regret{};    // in all games of a world
    // See RunResult.
    Measured prepared{}, repeated{}, last_score{}, last_openings{};
    std::vector<double> per_hundred{};          // regret a game, by hundreds of games
    [[nodiscard]] double final_regret() const;  // regret a game in the last three hundreds
};
struct Table {
    Scenario scenario{};
    std::vector<Line> lines{};  // the random player comes first
};

// One table for each scenario. `progress` gets the finished part of the work, 0..1; any thread may
// call it, but never two at once.
Result<std::vector<Table>> run(const Plan& plan, const std::function<void(double)>& progress);

}  // namespace tools::bookbench

// Many worlds, several rules: what nutcracker-bookbench runs.
#pragma once

#include "tools/common/mean.h"
#include "tools/lab/bookbench/arena.h"

#include <functional>

namespace tools::bookbench {

struct Plan {
    std::vector<Scenario> scenarios{};
    std::vector<std::string> rules{};  // without "random", against which all are measured
    std::uint64_t first_world = 0, last_world = 19;
    int games = 1500, threads = 1;
    std::vector<Setting> settings{};
    [[nodiscard]] std::size_t worlds() const {
        return static_cast<std::size_t>(last_world - first_world) + 1;
    }
};

// One rule in one scenario: means over all worlds.
struct Line {
    std::string rule{};
    Measured percent{};  // of the regret of a random player in the same world
    Measured regret{};   // points in all games of a world
    Measured exploiter{};
    std::vector<double> per_hundred{};    // points a game, over each hundred games
    [[nodiscard]] double lately() const;  // the same over the last three hundreds
};
struct Table {
    Scenario scenario{};
    std::vector<Line> lines{};  // first of all the random player
};

// One table for each scenario. `progress` is told the part of the work that is done, 0..1, from any
// of the threads, one at a time.
Result<std::vector<Table>> run(const Plan& plan, const std::function<void(double)>& progress);

}  // namespace tools::bookbench

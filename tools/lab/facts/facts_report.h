// How good a generated evaluation is: against the solved ending, and as the only knowledge of a
// search of one ply. The columns are those of Luescher's report.
#pragma once

#include "tools/lab/facts/ending_rules.h"
#include "tools/lab/facts/fact_model.h"

namespace tools::facts {

// Which positions of an ending are looked at.
struct Selection {
    bool opposite = true;  // of endings with two bishops those on squares of different colours
    double share = 1;      // of the positions, at random, but the same in each run
};

struct EndingData {
    std::vector<Board> positions;  // legal, none the mirror image of another one
    std::vector<Sample> quiet;     // those that need an evaluation; weights are fitted to them
    int longest = 0;               // plies, of all positions
};
EndingData data_of(const retro::DistanceTable& table,
                   const EndingRules& rules,
                   const Selection& selection = {});

// In plies for the side to move, on the scale of the targets.
using Evaluation = std::function<double(const Board&)>;

struct FactsReport {
    std::uint64_t positions = 0, decided = 0, with_moves = 0;
    std::uint64_t quiet = 0, quiet_right = 0;     // need an evaluation; the result is right
    double error_before = 0, squared_before = 0;  // means over the decided positions, weights 0
    double error = 0, squared = 0;                // and with the weights
    std::array<std::array<std::uint64_t, 3>, 3> results{};  // lost, drawn, won: true, then found
    double optimal = 0, by_chance = 0;  // moves that keep result and distance, shares of positions
    [[nodiscard]] double agreement() const;
};
// The value above which a position counts as won, and below minus which as lost. Without pawns half
// of Offset. With pawns, where few values are near a draw, the multiple of 0.5 that gives the most
// samples their right result.
double threshold_for(const Ending& ending,
                     const Evaluation& evaluation,
                     const std::vector<Sample>& samples);

FactsReport report_on(const Evaluation& evaluation,
                      const retro::DistanceTable& table,
                      const EndingRules& rules,
                      const std::vector<Board>& positions,
                      int longest,
                      double threshold);

}  // namespace tools::facts

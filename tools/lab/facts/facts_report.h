// How good a generated evaluation is: against the solved ending, and as the only knowledge of a
// search of one ply. The columns are those of Luescher's report.
#pragma once

#include "tools/lab/facts/fact_model.h"

#include <functional>

namespace tools::facts {

// The side to move of a position that is lost in d plies has the target -(longest + Offset - d), of
// one won in d plies longest + Offset - d, of a draw 0.
inline constexpr int Offset = 5;

// A position where the rules decide, or the bare king takes a piece, needs no weights.
struct EndingData {
    std::vector<Board> positions;  // legal, none the mirror image of another one
    std::vector<Sample> quiet;     // those that the weights are fitted to
    int longest = 0;               // plies
};
// All positions; `opposite` leaves out two bishops on squares of one colour.
EndingData data_of(const retro::DistanceTable& table, bool opposite);

// In plies for the side to move, on the scale of the targets.
using Evaluation = std::function<double(const Board&)>;

struct FactsReport {
    std::uint64_t positions = 0, decided = 0, with_moves = 0;
    double error_before = 0, squared_before = 0;  // means over the decided positions, weights 0
    double error = 0, squared = 0;                // and with the weights
    std::array<std::array<std::uint64_t, 3>, 3> results{};  // lost, drawn, won: true, then found
    double optimal = 0, by_chance = 0;  // moves that keep result and distance, shares of positions
    [[nodiscard]] double agreement() const;
};
// A position is held for won or lost if its value is nearer to the longest win or loss than to 0.
FactsReport report_on(const Evaluation& evaluation,
                      const retro::DistanceTable& table,
                      const std::vector<Board>& positions,
                      int longest);

}  // namespace tools::facts

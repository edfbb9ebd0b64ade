// A small network that sees only where the men are, fitted to the same positions as the
// configurations: how much of an ending fits into a few kilobytes.
#pragma once

#include "tools/lab/facts/fact_model.h"

namespace tools::facts {

struct NetworkSettings {
    int neurons = 32;  // of the hidden layer
    int visits = 60;   // samples trained on, in millions
    std::uint32_t seed = 1;
};

// One hidden layer of rectified units. Its rows are the side to move, and a square for each man
// after the board was turned until Black's king stands on a1-d1-d4, or with pawns on files a to d.
class PlacementNetwork {
  public:
    // Minimises the squared error by Adam over shuffled samples, in floating point, then rounds the
    // weights to 1/256.
    PlacementNetwork(const Ending& ending,
                     const std::vector<Sample>& samples,
                     const NetworkSettings& settings);

    // For the side to move, in plies like the targets of the samples.
    [[nodiscard]] double value(const Board& board) const;
    [[nodiscard]] std::size_t weights() const { return input_.size() + output_.size(); }

  private:
    friend class PlacementTraining;
    using Rows = std::array<std::size_t, MaxMen + 1>;  // the side to move, then the men
    [[nodiscard]] Rows rows(const Board& board) const;

    Ending ending_;
    std::size_t neurons_;
    std::vector<float> input_;   // row by row, a number for each neuron
    std::vector<float> output_;  // a number for each neuron, then the bias
};

}  // namespace tools::facts

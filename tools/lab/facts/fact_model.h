// An evaluation that is generated: configurations of facts, found by how often they hold, and their
// weights, fitted to the distances of a solved ending.
#pragma once

#include "tools/lab/facts/facts.h"

#include <unordered_map>
#include <vector>

namespace tools::facts {

struct Sample {
    Board board;
    float target;  // for the side to move
};

struct FitSettings {
    double support = 0.01;        // a configuration holds in at least this share of the samples
    int max_facts = 4;            // of a configuration
    int steps = 200;              // of the conjugate gradients, at most
    bool smaller_endings = true;  // facts may tell results of smaller endings
};

// A set of facts that hold together, and what that is worth to the side of the man.
struct Configuration {
    Facts facts = 0;
    double weight = 0;
};

// The value of a position is the sum over its men, those of the side to move minus the others, and
// the value of a man the sum over the configurations that hold. Values are cached by vector of
// facts, so one model must not be used by two threads.
class FactModel {
  public:
    // Grows configurations fact by fact while they have support, and leaves out those that hold in
    // the same vectors as another one; the empty one is the constant of each role. Then minimises
    // the squared error by conjugate gradients with Jacobi's preconditioner.
    FactModel(const Ending& ending,
              const std::vector<Sample>& samples,
              const FitSettings& settings);

    [[nodiscard]] double value(const Board& board) const;
    [[nodiscard]] std::size_t configurations() const;
    [[nodiscard]] const std::vector<Configuration>& of(Role role) const {
        return configurations_[static_cast<std::size_t>(role)];
    }
    // The share of men whose value was cached.
    [[nodiscard]] double hit_rate() const {
        return static_cast<double>(asked_ - missed_) /
               static_cast<double>(std::max<std::uint64_t>(asked_, 1));
    }

  private:
    [[nodiscard]] double value_of(std::size_t role, Facts facts) const;

    Ending ending_;
    bool smaller_endings_;
    std::array<std::vector<Configuration>, Roles> configurations_;
    mutable std::array<std::unordered_map<Facts, double>, Roles> cache_;
    mutable std::uint64_t asked_ = 0, missed_ = 0;
};

}  // namespace tools::facts

// What the rules of others have in common.
#pragma once

#include "book/model/evidence.h"
#include "tools/lab/bookbench/rules.h"

namespace tools::bookbench {

// A number for each move of each position.
using Values = std::vector<std::vector<double>>;

Values values_of(const World& world, const auto& value_of) {
    Values values;
    for (const Position& p : world.positions()) {
        values.emplace_back();
        for (const book::Results& r : p.imported)
            values.back().push_back(value_of(r));
    }
    return values;
}

// The index of the highest value; equal ones are drawn at random.
std::size_t best_index(book::Random& random, std::size_t count, const auto& value_of) {
    std::size_t best = 0;
    double highest = -1e300, tie = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = value_of(i), lot = random.uniform();
        if (value > highest || (value == highest && lot > tie)) {
            best = i;
            highest = value;
            tie = lot;
        }
    }
    return best;
}

// The result as the book counts it: adjusted to an equal opponent, where the ratings are known.
inline book::Evidence evidence_of(const PlayedGame& game) {
    return book::evidence(game.score, game.difference.value_or(0), book::Termination::Board, 0);
}

class RuleInWorld : public Rule {
  public:
    RuleInWorld(const World& world, std::uint64_t seed)
        : world_(world), random_(seed),
          found_(values_of(world, [](const book::Results&) { return 0.0; })) {}
    void learn(const PlayedGame& game) override {
        if (game.found)
            ++found_[game.exit][*game.found];
    }

  protected:
    [[nodiscard]] const Position& at(std::size_t position) const {
        return world_.positions()[position];
    }
    std::size_t random_index(std::size_t count) {
        return std::min(count - 1,
                        static_cast<std::size_t>(random_.uniform() * static_cast<double>(count)));
    }
    // All moves; in a World that grows(), those imported and those that two searches have found.
    [[nodiscard]] std::vector<std::size_t> known_moves(std::size_t position) const {
        std::vector<std::size_t> moves;
        for (std::size_t m = 0; m < at(position).next.size(); ++m)
            if (!world_.grows() || at(position).imported[m].games() > 0 || found_[position][m] >= 2)
                moves.push_back(m);
        return moves;
    }
    const World& world_;
    book::Random random_;

  private:
    Values found_;  // by searches at the exit
};

}  // namespace tools::bookbench

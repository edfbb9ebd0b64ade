// Solved endings, found by the men on the board.
#pragma once

#include "tools/lab/retro/distance_table.h"

#include <map>
#include <memory>

namespace tools::retro {

// Men on squares, in any order.
struct Placement {
    std::size_t size = 0;
    std::array<Man, MostMen> men{};
    Squares squares{};

    void add(const Man& man, Square s) {
        men[size] = man;
        squares[size++] = s;
    }
};

// Reading is allowed from any thread while no table is added. Copies share the tables.
class TableSet {
  public:
    void add(std::shared_ptr<const DistanceTable> table);
    [[nodiscard]] bool has(const Ending& ending) const { return find(ending.counts()) != nullptr; }
    // The table of these men, with either colour; null if there is none.
    [[nodiscard]] std::shared_ptr<const DistanceTable>
    find(const engine::PieceCounts& counts) const;

    // Bare kings are a draw. Requires the table of these men, with either colour.
    [[nodiscard]] Value value(const Placement& placement, Color side) const;
    // 1, 0 or -1 for the side to move, en passant included. Requires the tables of the position and
    // of those after a capture; castling does not count.
    [[nodiscard]] int result(const engine::Position& pos) const;

  private:
    using Tables = std::map<std::uint64_t, std::shared_ptr<const DistanceTable>>;
    [[nodiscard]] Tables::const_iterator at(const engine::PieceCounts& counts) const;

    Tables tables_;
};

}  // namespace tools::retro

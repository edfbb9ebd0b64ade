// Solved endings, found by the men on the board.
#pragma once

#include "tools/lab/retro/wins.h"

#include <map>

namespace tools::retro {

// Men on squares, in any order.
struct Placement {
    std::size_t size = 0;
    std::array<Man, MaxMen> men{};
    Squares squares{};

    void add(const Man& man, Square s) {
        men[size] = man;
        squares[size++] = s;
    }
    static Placement of(const engine::Position& pos);  // of at most MaxMen men
};

// Reading is allowed from any thread while nothing is added. Copies share the tables.
class TableSet {
  public:
    void add(std::shared_ptr<const DistanceTable> table);
    void add(const Ending& ending, Wins wins);
    void remove_wins(const Ending& ending);

    // The distances of these men, with either colour; null if there are none.
    [[nodiscard]] std::shared_ptr<const DistanceTable>
    find(const engine::PieceCounts& counts) const;
    // The wins in the ending; null if there are none.
    [[nodiscard]] const Wins* wins(const Ending& ending) const;

    // Bare kings are a draw. Requires the distances of these men or their wins, with either colour;
    // if there are only wins without distances, only the sign is right.
    [[nodiscard]] Value value(const Placement& placement, Color side) const;
    // 1, 0 or -1 for the side to move, en passant included. Requires value() of the position and
    // of those after a capture; castling does not count.
    [[nodiscard]] int result(const engine::Position& pos) const;

  private:
    struct Solved {
        Ending ending;
        std::shared_ptr<const DistanceTable> distances{};
        std::optional<Wins> wins{};
    };
    [[nodiscard]] const Solved* at(const engine::PieceCounts& counts) const;

    std::map<std::uint64_t, Solved> solved_;
};

}  // namespace tools::retro

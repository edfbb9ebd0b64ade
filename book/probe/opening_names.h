// Names of openings. The table (data/openings.tsv: ECO code, name, moves) is compiled in; positions
// are named, not move orders.
#pragma once

#include "engine/board/game.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace book {

struct Opening {
    std::string eco, name;
    std::vector<engine::Move> moves;
};

// One line of such a table: code, name and moves in SAN, separated by tabs. Empty lines, comments
// with '#' and the heading give nothing; anything else that is wrong is an error.
Result<std::vector<Opening>> parse_openings(std::string_view table);

class OpeningNames {
  public:
    OpeningNames();  // the table that is compiled in
    explicit OpeningNames(const std::vector<Opening>& openings);
    ~OpeningNames();
    OpeningNames(OpeningNames&&) noexcept;
    OpeningNames& operator=(OpeningNames&&) noexcept;

    // "C65 Ruy Lopez: Berlin Defence", of the last named position of the game; "" if none.
    [[nodiscard]] std::string of(const engine::Game& game) const;
    [[nodiscard]] std::string of(const engine::Position& pos) const;
    [[nodiscard]] std::size_t size() const;

  private:
    struct Names;
    std::unique_ptr<Names> names_;
};

}  // namespace book

// Names of openings by position, so that move orders do not matter. The table data/openings.tsv
// (ECO code, name, moves) is compiled in.
#pragma once

#include "engine/board/game.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace book {

struct Opening {
    std::string eco, name;
    std::vector<engine::Move> moves;
    engine::Key key = 0;  // of the position after the moves
    int progress = 0;     // and its book::progress
};

// One line of such a table: code, name and moves in SAN, separated by tabs. Empty lines, comments
// with '#' and the heading are skipped. Throws Failure, which quotes the line, on anything else.
std::vector<Opening> parse_openings(std::string_view table);
std::vector<Opening> compiled_in_openings();

class OpeningNames {
  public:
    OpeningNames();  // the table that is compiled in
    explicit OpeningNames(const std::vector<Opening>& openings);

    // "C65 Ruy Lopez: Berlin Defence", of the last named position of the game; "" if none.
    [[nodiscard]] std::string of(const engine::Game& game) const;
    [[nodiscard]] std::string of(const engine::Position& pos) const;
    // False where neither the position nor any that follows can have a name.
    [[nodiscard]] bool may_follow(const engine::Position& pos) const;
    [[nodiscard]] std::size_t size() const { return names_.size(); }

  private:
    std::unordered_map<engine::Key, std::string> names_;
    int last_progress_ = 0;  // the highest progress() of a named position
};

}  // namespace book

// The wins of both sides in an ending, as the engine's tables have them, under the ending's name.
#pragma once

#include "engine/endgame/win_solver.h"
#include "tools/lab/retro/distance_table.h"

namespace tools::retro {

// A placement as a table of wins names it: there the attacker plays up the board.
struct WinPlacement {
    Square king;    // the attacker's
    Square target;  // the defender's king
    engine::WinTable::Men men{};
};

// Any thread may read. Copies share the tables.
class Wins {
  public:
    using Table = std::shared_ptr<const engine::WinTable>;

    // By attacker, White and Black; equal if both sides have the same men.
    Wins(const Ending& ending, std::array<Table, 2> tables);

    // The men beside the kings, for an attacker of that colour.
    static engine::WinMaterial material(const Ending& ending, Color attacker);

    [[nodiscard]] const Table& table(Color attacker) const { return tables_[attacker]; }
    [[nodiscard]] WinPlacement seen_by(Color attacker, const Squares& squares) const;
    // Without distances only the sign is right, and Illegal.
    [[nodiscard]] Value value(Color side, const Squares& squares) const;

    // The file holds the results only; see packed_file.h.
    [[nodiscard]] Result<void> save(const std::string& path) const;
    static Result<Wins> load(const std::string& path, const Ending& ending);

  private:
    std::string name_;
    std::array<Table, 2> tables_;
    // The ending's man that is the i-th of the attacker's table.
    std::array<std::array<std::size_t, engine::WinMaterial::MaxMen>, 2> order_{};
};

}  // namespace tools::retro

// A row of the table `game`, as Games reads and writes it.
#pragma once

#include "book/store/games.h"

namespace book {

class RowReader;

// All columns of a LoggedGame but its id.
extern const char* const GameColumns;

using ReadOn = std::function<bool(const engine::Game&)>;

// Reads a row of "id, GameColumns", with its moves until `read_on` returns false. Throws Failure,
// which names the game, on moves that are not legal.
LoggedGame read_game_while(RowReader& row, const ReadOn& read_on);
LoggedGame read_game(RowReader& row);
// The value of the column `moves`.
std::string to_blob(const std::vector<engine::Move>& moves);

}  // namespace book

// Chess text that people type or paste: a FEN, moves in any notation, a piece of PGN, or the name
// of an opening.
#pragma once

#include "engine/board/game.h"

#include <span>
#include <string>

namespace tools::book_command {

// "e4" from "1.e4", "1...e4" or "e4!?"; "" from "1.", "$1" and "...".
std::string move_of(std::string word);

inline constexpr std::size_t MaxLineBytes = 20'000, MaxLinePlies = 1000;

// The game of "1. e4 c5 2. Nf3", "e2e4 c7c5", a FEN, a FEN and moves after it, or PGN with headers,
// comments, variations (left out) and a result; of several games the first. Without a FEN, moves
// that begin with a number other than "1.", such as "1... e5", continue `here` at that number,
// which is that of the next move or of an earlier one. Moves without a number continue `here` if
// they are legal there, and otherwise begin at the start. "Sicilian Najdorf" is the line of that
// opening, see book::find_opening(). Throws book::Failure, which quotes the first word that is not
// a move.
engine::Game game_from_text(const std::string& text, const engine::Game& here);

// The game of these moves from the start position; they must be legal.
engine::Game game_of(std::span<const engine::Move> moves);

// The move "Nf3" or "2.Nf3" here. Throws book::Failure if it is not legal, or the number is not
// that of the next move.
engine::Move next_move(const std::string& text, const engine::Game& here);

}  // namespace tools::book_command

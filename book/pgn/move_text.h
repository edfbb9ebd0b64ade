// One move of PGN text, however people write it.
#pragma once

#include "book/model/key.h"

namespace book {

// The move that a word means in a position, or NoMove.
Move read_move(const engine::Position& pos, std::string_view word);

// The word without "+", "#", "!", "?" and "=" behind it.
std::string_view without_marks(std::string_view word);

}  // namespace book

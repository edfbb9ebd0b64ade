// One move of PGN text.
#pragma once

#include "book/key.h"

namespace book {

// The move that a token means in a position, or NoMove. Fast on plain SAN; anything that people
// write is understood.
Move read_move(const engine::Position& pos, std::string_view token);

// The token without "+", "#", "!", "?" and "=" behind it.
std::string_view without_marks(std::string_view token);

}  // namespace book

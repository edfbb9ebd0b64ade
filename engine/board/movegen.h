// Legal move generation: every move is legal, the caller need not filter.
#pragma once

#include "engine/board/position.h"

namespace engine {

// Captures: all captures, en passant included, and all queen promotions. Quiets: all other moves.
enum class Moves { All, Captures, Quiets };

// Appends to `list`, unsorted.
template <Moves moves>
void generate(const Position& pos, MoveList& list);

MoveList legal_moves(const Position& pos);
bool has_legal_move(const Position& pos);
bool is_checkmate(const Position& pos);
// Faster than generating the moves.
int count_legal_moves(const Position& pos);

}  // namespace engine

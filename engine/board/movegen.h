// Legal move generation. Everything produced is legal: nothing is left for the caller to filter.
#pragma once

#include "engine/board/position.h"

namespace engine {

// Captures: all captures (also en passant) and all queen promotions. Quiets: the rest.
enum class Moves { All, Captures, Quiets };

// Appends to `list`, in no order of merit.
template <Moves moves>
void generate(const Position& pos, MoveList& list);

MoveList legal_moves(const Position& pos);
bool has_legal_move(const Position& pos);
// The number of legal moves, cheaper than generating them.
int count_legal_moves(const Position& pos);

}  // namespace engine

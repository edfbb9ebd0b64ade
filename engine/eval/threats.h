// Threats: which kinds of pieces attack and defend each piece. They are inputs of the network.
#pragma once

#include "engine/board/position.h"

#include <array>

namespace engine {

using PieceSets = std::array<std::array<Bitboard, 6>, 2>;  // by colour and type

PieceSets piece_sets(const Position& pos);

// By colour and type of the attacker: the pieces of both colours, without kings, on squares that it
// attacks.
PieceSets attacked_pieces(const PieceSets& pieces);

}  // namespace engine

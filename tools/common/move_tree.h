// A tree of moves as text in preorder: each line has a ply, from 1, and a move.
#pragma once

#include "engine/board/position.h"

#include <string_view>
#include <vector>

namespace tools {

class MoveTree {
  public:
    struct Step {
        engine::Position before;
        engine::Move move;
        engine::Position after;
    };
    MoveTree() : line_{engine::Position()} {}
    // The next line. Throws Failure if its ply is more than one below the last, or the move is not
    // legal there.
    Step step(int ply, std::string_view move);

  private:
    std::vector<engine::Position> line_;  // positions of the present line, before ply 1 first
};

}  // namespace tools

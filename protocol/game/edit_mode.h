// The old way to set up a position, piece by piece: the sub-mode between `edit` and `.`.
#pragma once

#include "engine/board/position.h"

#include <string>
#include <string_view>

namespace protocol {

class Editor {
  public:
    explicit Editor(const engine::Position& pos);

    // "#" empties the board, "c" changes the colour placed, "Pa4" places, "xa4" empties a square.
    // False for anything else, which changes nothing.
    bool take(std::string_view line);
    // Side to move as before; castling is allowed with king and rook at home, en passant never.
    // Nobody says that the position is legal.
    [[nodiscard]] std::string fen() const;

  private:
    [[nodiscard]] std::string castling() const;

    std::array<char, 64> board_{};  // FEN letters, 0: empty
    bool black_moves_;
    bool placing_black_ = false;
};

}  // namespace protocol

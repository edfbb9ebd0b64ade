// Setting up a position piece by piece: the mode between the commands `edit` and `.`.
#pragma once

#include "engine/board/position.h"

#include <string>
#include <string_view>

namespace protocol {

class Editor {
  public:
    explicit Editor(const engine::Position& pos);

    // "#" empties the board, "c" changes the colour to place, "Pa4" places a piece, "xa4" empties a
    // square. Returns false for any other line, which changes nothing.
    bool take(std::string_view line);
    // The side to move is as before, castling is allowed with king and rook on their first squares,
    // en passant never. The position may be illegal.
    [[nodiscard]] std::string fen() const;

  private:
    static constexpr char Empty = '.';
    char& square(engine::Square s) { return board_[static_cast<std::size_t>(s)]; }
    [[nodiscard]] std::string castling() const;

    std::array<char, 64> board_{};  // FEN letters or Empty
    bool black_moves_;
    bool placing_black_ = false;
};

}  // namespace protocol

// A board for playing games over: reads moves in plain standard algebraic notation, checks that
// they are legal, makes them and keeps the key. Several times as fast as Position, because it keeps
// no more than that needs. Not for Chess960.
#pragma once

#include "book/model/key.h"

namespace book {

class Replay {
  public:
    // Longest move text that read() knows, with its marks and the character behind.
    static constexpr std::size_t LongestMove = 16;

    Replay() { set_up(engine::Position()); }
    // Requires !start.is_chess960().
    void set_up(const engine::Position& start);

    // The legal move that stands at `text` (e4, Nbxd7+, exd8=Q#, O-O!?), and in `end` the place
    // behind it and its marks, where a space or a bracket must be. NoMove if it is written in any
    // other way, not legal, or not the only one. LongestMove characters must be there to read.
    Move read(const char* text, const char*& end) const;
    void make(Move m);  // requires that it is legal

    [[nodiscard]] Key key() const { return key_; }
    [[nodiscard]] Color side_to_move() const { return side_; }

  private:
    using Bitboard = engine::Bitboard;
    using Square = engine::Square;

    Move read_pawn(const char* text, const char*& end) const;
    Move read_piece(const char* text, const char*& end, engine::PieceType piece) const;
    Move read_castling(const char* text, const char*& end) const;
    [[nodiscard]] engine::Piece piece_on(Square s) const {
        return board_[static_cast<std::size_t>(s)];
    }
    [[nodiscard]] Bitboard pieces() const { return by_color_[0] | by_color_[1]; }
    // By pieces of this colour, but for those on `gone`.
    [[nodiscard]] bool is_attacked(Square s, Color by, Bitboard occupied, Bitboard gone = 0) const;
    // By sliders along the line on which `way` lies.
    [[nodiscard]] bool
    is_attacked_along(Square s, Square way, Color by, Bitboard occupied, Bitboard gone = 0) const;
    [[nodiscard]] bool leaves_king_safe(Square from, Square to) const;
    void make_special(Move m);
    void put(engine::Piece p, Square s);
    void remove(Square s);

    std::array<Bitboard, 6> by_type_{};
    std::array<Bitboard, 2> by_color_{};
    std::array<engine::Piece, 64> board_{};
    std::array<Square, 2> king_{};
    Key key_ = 0;
    Square ep_square_ = engine::NoSquare;
    int castling_ = 0;
    Color side_ = engine::White;
    bool in_check_ = false;
};

}  // namespace book

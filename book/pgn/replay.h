// A board for replaying games: reads moves in plain standard algebraic notation, checks that they
// are legal, makes them and updates the key. Several times as fast as Position, because it keeps
// nothing else. Not for Chess960.
#pragma once

#include "book/model/key.h"

namespace book {

class Replay {
  public:
    // Characters that read() looks at: the longest move, its marks and the next character.
    static constexpr std::size_t MaxMoveText = 16;

    Replay() { set_up(engine::Position()); }
    // Requires !start.is_chess960().
    void set_up(const engine::Position& start);

    // The legal move at `text` (e4, Nbxd7+, exd8=Q#, O-O!?). `end` is set past the move and its
    // marks, where a space or a bracket must follow. NoMove if the move is written in any other
    // way, illegal or ambiguous. MaxMoveText characters must be readable.
    Move read(const char* text, const char*& end) const;
    void make(Move m);  // requires legality

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
    // By pieces of this colour, except those on `gone`.
    [[nodiscard]] bool is_attacked(Square s, Color by, Bitboard occupied, Bitboard gone = 0) const;
    // By sliders along the line through `s` and `through` only.
    [[nodiscard]] bool is_attacked_along(
        Square s, Square through, Color by, Bitboard occupied, Bitboard gone = 0) const;
    [[nodiscard]] bool leaves_king_safe(Square from, Square to) const;
    void make_special(Move m);
    void remove_rights(int lost);  // castling rights
    // After a normal move of a piece of this type by `us`; sets the en passant square.
    bool gives_check(Move m, engine::PieceType type, Color us);
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

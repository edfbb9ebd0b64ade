// A chess position: pieces, castling rights, clocks and keys, with make and unmake. Repetitions are
// left to Game and to the search. Cheap to copy; no allocation.
#pragma once

#include "engine/board/bitboard.h"
#include "engine/board/move.h"
#include "engine/board/result.h"

#include <array>
#include <string>
#include <string_view>

namespace engine {

inline constexpr const char* StartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// What unmake() restores. The caller keeps one per move made.
struct Undo {
    Key key, pawn_key;
    std::array<Key, 2> nonpawn_key;
    Bitboard checkers;
    std::uint8_t castling, ep_square;
    std::uint16_t halfmove_clock;
    Piece captured;
};

enum class Material : std::uint8_t {
    Possible,  // what a game can lead to; the search and the evaluation require it
    Any        // any number of pieces and pawns, but one king each
};
enum class CastlingStyle : std::uint8_t { Standard, Chess960 };

class Position {
  public:
    // The start position.
    Position();
    // Forsyth-Edwards notation, two to six fields (castling, en passant and clocks may be missing);
    // castling as KQkq or as rook files (Shredder-FEN). Fails unless each side has one king and
    // possible material (at most 8 pawns and 16 pieces, and no more promoted pieces than pawns
    // missing), no pawn is on the first or last rank, and the side not to move is not in check.
    // Ignores castling rights without king and rook in place, and an en passant square where no
    // pawn can take.
    // With CastlingStyle::Standard it also ignores the rights of a king that is not on the e-file,
    // or with a rook that is not on the a- or h-file.
    static Result<Position> from_fen(std::string_view fen,
                                     Material allowed = Material::Possible,
                                     CastlingStyle castling = CastlingStyle::Chess960);
    // Six fields. Castling in KQkq where that is unambiguous, else rook files.
    [[nodiscard]] std::string fen() const;

    // Pieces
    [[nodiscard]] Color side_to_move() const { return side_; }
    [[nodiscard]] Piece piece_on(Square s) const { return board_[s]; }
    [[nodiscard]] Bitboard pieces() const { return by_color_[White] | by_color_[Black]; }
    [[nodiscard]] Bitboard pieces(Color c) const { return by_color_[c]; }
    [[nodiscard]] Bitboard pieces(PieceType t) const { return by_type_[t]; }
    [[nodiscard]] Bitboard pieces(Color c, PieceType t) const { return by_color_[c] & by_type_[t]; }
    [[nodiscard]] Bitboard pieces(PieceType a, PieceType b) const {
        return by_type_[a] | by_type_[b];
    }
    [[nodiscard]] Square king(Color c) const { return lowest(pieces(c, King)); }

    // Keys
    // PolyGlot's key: pieces, castling rights, en passant file (only if a pawn can take), side.
    [[nodiscard]] Key key() const { return key_; }
    [[nodiscard]] Key pawn_key() const { return pawn_key_; }                  // both colours
    [[nodiscard]] Key nonpawn_key(Color c) const { return nonpawn_key_[c]; }  // king included
    // The key after m, for prefetching. Wrong after castling, promotion, en passant captures, a
    // double step that allows one, or a loss of castling rights.
    [[nodiscard]] Key key_after(Move m) const;

    // Clocks, en passant, castling
    [[nodiscard]] int halfmove_clock() const { return halfmove_clock_; }    // plies, 0 and up
    [[nodiscard]] int fullmove_number() const { return fullmove_number_; }  // 1 and up
    [[nodiscard]] Square ep_square() const { return ep_square_; }  // behind the pawn, or NoSquare
    [[nodiscard]] bool can_castle(CastlingRight r) const { return (castling_ & r) != 0; }
    [[nodiscard]] int castling_rights() const { return castling_; }
    [[nodiscard]] Square castling_rook(CastlingRight r) const;  // requires can_castle(r)
    // True if a king or rook with castling rights is not on its square of standard chess.
    [[nodiscard]] bool is_chess960() const;

    // Attacks
    [[nodiscard]] Bitboard checkers() const { return checkers_; }
    [[nodiscard]] bool in_check() const { return checkers_ != 0; }
    // Pieces of both colours that attack s; sliders are blocked by `occupied`.
    [[nodiscard]] Bitboard attackers_to(Square s, Bitboard occupied) const;
    // Pieces of either colour that are the only one between a slider of ~c and the king of c.
    [[nodiscard]] Bitboard king_blockers(Color c) const;
    // Faster than attackers_to(): most squares are settled before the sliders are looked at.
    [[nodiscard]] bool is_attacked(Square s, Color by, Bitboard occupied) const;
    [[nodiscard]] bool is_attacked(Square s, Color by) const {
        return is_attacked(s, by, pieces());
    }

    // Properties of moves
    // Any 16 bits are allowed as m.
    [[nodiscard]] bool is_legal(Move m) const;
    [[nodiscard]] bool is_capture(Move m) const {
        return m.kind() == MoveKind::EnPassant ||
               (m.kind() != MoveKind::Castling && piece_on(m.to()) != NoPiece);
    }
    // The piece type that m takes, or NoPieceType.
    [[nodiscard]] PieceType captured(Move m) const {
        return m.kind() == MoveKind::EnPassant ? Pawn
               : is_capture(m)                 ? type_of(piece_on(m.to()))
                                               : NoPieceType;
    }

    // Properties of the position
    // Insufficient material: bare kings, one minor piece, or only bishops on squares of one colour.
    // Finds no other dead positions.
    [[nodiscard]] bool is_dead() const;
    [[nodiscard]] bool has_nonpawn(Color c) const {
        return pieces(c) != (pieces(c, Pawn) | pieces(c, King));
    }
    // Recomputes all incremental state and compares it; for assertions and tests.
    [[nodiscard]] bool is_consistent() const;

    // Making moves
    void make(Move m, Undo& undo);  // requires is_legal(m)
    void make(Move m) {
        Undo ignored;
        make(m, ignored);
    }
    void unmake(Move m, const Undo& undo);
    void make_null(Undo& undo);  // requires !in_check()
    void unmake_null(const Undo& undo);

  private:
    friend class FenReader;
    struct EmptyBoard {};
    explicit Position(EmptyBoard /*tag*/) {
        board_.values.fill(NoPiece), castling_kept_.values.fill(15);
    }
    // Adds the piece to the squares, or removes it; leaves board and keys.
    void toggle(Piece p, Bitboard squares) {
        by_type_[type_of(p)] ^= squares;
        by_color_[color_of(p)] ^= squares;
    }
    // With keys; `number` is the piece's Zobrist number.
    void toggle(Piece p, Bitboard squares, Key number) {
        toggle(p, squares);
        key_ ^= number;
        (type_of(p) == Pawn ? pawn_key_ : nonpawn_key_[color_of(p)]) ^= number;
    }
    void put(Piece p, Square s);
    void remove(Square s);
    void shift(Square from, Square to);
    void set_castling(Color c, Square rook);
    void refresh();
    void move_rook_and_king(Move m, bool forward);
    void take_back(Move m, Piece captured);

    std::array<Bitboard, 6> by_type_{};
    std::array<Bitboard, 2> by_color_{};
    BySquare<Piece> board_{};
    Key key_ = 0, pawn_key_ = 0;
    std::array<Key, 2> nonpawn_key_{};
    Bitboard checkers_ = 0;
    std::uint16_t halfmove_clock_ = 0, fullmove_number_ = 1;
    Color side_ = White;
    std::uint8_t castling_ = 0, ep_square_ = NoSquare;
    std::array<std::uint8_t, 4> castling_rook_{};  // by index of the right
    BySquare<std::uint8_t> castling_kept_{};       // rights that survive a move from or to here
};

}  // namespace engine

// Moves as text: coordinates (e2e4, e7e8q, e1g1) and standard algebraic notation (Nf3, O-O, e8=Q+).
#pragma once

#include "engine/board/position.h"

#include <optional>

namespace engine {

// "e4"; requires 0 <= s < 64.
std::string square_name(Square s);
// Empty if the text is not the name of a square.
std::optional<Square> parse_square(std::string_view text);

// "e2e4", "e7e8q". Castling: king's step (e1g1) in chess; king takes rook (e1h1) if `chess960`.
std::string to_coordinates(Move m, bool chess960 = false);
// With minimal disambiguation, and "+" or "#". m is legal in pos.
std::string to_san(const Position& pos, Move m);

// Reads coordinates and SAN, also over-disambiguated, without "x", "=" or "+", with trailing !?,
// and long algebraic (e2-e4, Ng1-f3). Castling: e1g1, e1h1, O-O, 0-0, o-o. Promotions: e8Q, e8=Q,
// e8(Q), e8/Q. Pieces may be small letters, except a bishop, or figurines. Returns legal
// moves only; the error distinguishes an illegal move from a text that is no move.
enum class NoMoveBecause { NotAMove, Illegal, Ambiguous };
tl::expected<Move, NoMoveBecause> parse_move(const Position& pos, std::string_view text);
// The same for what people type: a small b may also be a bishop, where no pawn can make the move.
tl::expected<Move, NoMoveBecause> parse_typed_move(const Position& pos, std::string_view text);

}  // namespace engine

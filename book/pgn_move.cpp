#include "book/pgn_move.h"

#include "engine/board/attacks.h"
#include "engine/board/notation.h"

#include <cstring>

namespace book {
namespace {

using engine::Bitboard;
using engine::Position;
using engine::Square;

engine::PieceType piece_of(char c) {
    switch (c) {
    case 'N':
        return engine::Knight;
    case 'B':
        return engine::Bishop;
    case 'R':
        return engine::Rook;
    case 'Q':
        return engine::Queen;
    case 'K':
        return engine::King;
    default:
        return engine::NoPieceType;
    }
}

bool is_file(char c) {
    return 'a' <= c && c <= 'h';
}
bool is_rank(char c) {
    return '1' <= c && c <= '8';
}

// Nd2, Nbd2, N1xd2, Qa1b2. NoMove if the text is not of that form, not legal, or not unique.
Move read_piece_move(const Position& pos, engine::PieceType piece, std::string_view text) {
    const std::size_t n = text.size();
    if (n < 3 || !is_file(text[n - 2]) || !is_rank(text[n - 1]))
        return engine::NoMove;
    const Square to = engine::make_square(text[n - 2] - 'a', text[n - 1] - '1');
    const engine::Color us = pos.side_to_move();
    Bitboard from = engine::attacks(piece, to, pos.pieces()) & pos.pieces(us, piece);
    for (std::size_t i = 1; i + 2 < n; ++i) {
        if (is_file(text[i]))
            from &= engine::file_bb(text[i] - 'a');
        else if (is_rank(text[i]))
            from &= engine::rank_bb(text[i] - '1');
        else if (text[i] != 'x' || i + 3 != n)
            return engine::NoMove;
    }
    Move found = engine::NoMove;
    while (from != 0) {
        const Move m(engine::pop_lowest(from), to);
        if (!pos.is_legal(m))
            continue;
        if (found)
            return engine::NoMove;
        found = m;
    }
    return found;
}

// e4, exd5, exd6 en passant, e8=Q, e8Q, exd8=Q.
Move read_pawn_move(const Position& pos, std::string_view text) {
    engine::PieceType promotion = engine::NoPieceType;
    if (const engine::PieceType last = piece_of(text.back()); last != engine::NoPieceType) {
        promotion = last;
        text.remove_suffix(text.size() > 3 && text[text.size() - 2] == '=' ? 2 : 1);
    }
    const std::size_t n = text.size();
    if ((n != 2 && !(n == 4 && text[1] == 'x')) || !is_file(text[0]) || !is_file(text[n - 2]) ||
        !is_rank(text[n - 1]))
        return engine::NoMove;
    const engine::Color us = pos.side_to_move();
    const int up = us == engine::White ? 8 : -8;
    const Square to = engine::make_square(text[n - 2] - 'a', text[n - 1] - '1');
    Square from = to - up;
    if (from < 0 || from > 63)
        return engine::NoMove;
    if (n == 4)
        from = engine::make_square(text[0] - 'a', engine::rank_of(from));
    else if (pos.piece_on(from) == engine::NoPiece && engine::relative_rank(us, to) == 3)
        from -= up;
    if (pos.piece_on(from) != engine::make_piece(us, engine::Pawn))
        return engine::NoMove;
    const bool last_rank = engine::relative_rank(us, to) == 7;
    if (last_rank != (promotion != engine::NoPieceType) || promotion == engine::King)
        return engine::NoMove;
    const bool passing = n == 4 && pos.piece_on(to) == engine::NoPiece;
    const Move m =
        last_rank
            ? Move::promotion(from, to, promotion)
            : Move(from, to, passing ? engine::MoveKind::EnPassant : engine::MoveKind::Normal);
    return pos.is_legal(m) ? m : engine::NoMove;
}

Move read_odd_move(const Position& pos, std::string_view token) {
    for (const std::string_view mark : {"e.p.", "ep", "e.p", "ch", "mate", "dis"})
        if (token.size() > mark.size() + 1 && token.ends_with(mark) &&
            is_rank(token[token.size() - mark.size() - 1]))
            token.remove_suffix(mark.size());
    const auto move = engine::parse_move(pos, token);
    return move ? *move : engine::NoMove;
}

}  // namespace

std::string_view without_marks(std::string_view token) {
    while (!token.empty() && std::strchr("+#!?=", token.back()))
        token.remove_suffix(1);
    return token;
}

Move read_move(const Position& pos, std::string_view token) {
    const std::string_view text = without_marks(token);
    if (text.size() < 2)
        return engine::NoMove;
    Move m = engine::NoMove;
    if (is_file(text.front()))
        m = read_pawn_move(pos, text);
    else if (const engine::PieceType piece = piece_of(text.front()); piece != engine::NoPieceType)
        m = read_piece_move(pos, piece, text);
    return m ? m : read_odd_move(pos, text);
}

}  // namespace book

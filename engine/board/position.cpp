#include "engine/board/position.h"

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/board/zobrist.h"

namespace engine {
namespace {

// The squares of king and rook after castling, in Chess960 too.
Square king_target(Color c, bool short_side) {
    return relative(c, short_side ? G1 : C1);
}
Square rook_target(Color c, bool short_side) {
    return relative(c, short_side ? F1 : D1);
}

}  // namespace

Position::Position() : Position(*from_fen(StartFen)) {}

void Position::put(Piece p, Square s) {
    board_[s] = p;
    toggle(p, bit(s), zobrist_piece(p, s));
}

void Position::remove(Square s) {
    const Piece p = board_[s];
    board_[s] = NoPiece;
    toggle(p, bit(s), zobrist_piece(p, s));
}

void Position::shift(Square from, Square to) {
    const Piece p = board_[from];
    board_[from] = NoPiece;
    board_[to] = p;
    toggle(p, bit(from) | bit(to), zobrist_piece(p, from) ^ zobrist_piece(p, to));
}

Square Position::castling_rook(CastlingRight r) const {
    assert(can_castle(r));
    return castling_rook_[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(r)))];
}

void Position::set_castling(Color c, Square rook) {
    const bool short_side = rook > king(c);
    const CastlingRight right = castling_right(c, short_side);
    if (can_castle(right))
        return;
    const int number = std::countr_zero(static_cast<unsigned>(right));
    castling_ = static_cast<std::uint8_t>(castling_ | right);
    castling_rook_[static_cast<std::size_t>(number)] = static_cast<std::uint8_t>(rook);
    castling_kept_[rook] = static_cast<std::uint8_t>(castling_kept_[rook] & ~right);
    castling_kept_[king(c)] = static_cast<std::uint8_t>(castling_kept_[king(c)] & ~right);
    key_ ^= zobrist_castling(number);
}

bool Position::is_chess960() const {
    for (const Color c : {White, Black})
        for (const bool short_side : {true, false}) {
            const CastlingRight right = castling_right(c, short_side);
            if (can_castle(right) && (king(c) != relative(c, E1) ||
                                      castling_rook(right) != relative(c, short_side ? H1 : A1)))
                return true;
        }
    return false;
}

Bitboard Position::attackers_to(Square s, Bitboard occupied) const {
    return (pawn_attacks(White, s) & pieces(Black, Pawn)) |
           (pawn_attacks(Black, s) & pieces(White, Pawn)) | (knight_attacks(s) & pieces(Knight)) |
           (king_attacks(s) & pieces(King)) | (rook_attacks(s, occupied) & pieces(Rook, Queen)) |
           (bishop_attacks(s, occupied) & pieces(Bishop, Queen));
}

bool Position::is_attacked(Square s, Color by, Bitboard occupied) const {
    return (pawn_attacks(~by, s) & pieces(by, Pawn)) != 0 ||
           (knight_attacks(s) & pieces(by, Knight)) != 0 ||
           (king_attacks(s) & pieces(by, King)) != 0 ||
           (bishop_attacks(s, occupied) & pieces(Bishop, Queen) & pieces(by)) != 0 ||
           (rook_attacks(s, occupied) & pieces(Rook, Queen) & pieces(by)) != 0;
}

Bitboard Position::king_blockers(Color c) const {
    const Square k = king(c);
    Bitboard snipers = ((rook_attacks(k, 0) & pieces(Rook, Queen)) |
                        (bishop_attacks(k, 0) & pieces(Bishop, Queen))) &
                       pieces(~c);
    Bitboard blockers = 0;
    const Bitboard occupied = pieces();
    while (snipers != 0) {
        const Bitboard way = between(k, pop_lowest(snipers)) & occupied;
        if (!more_than_one(way))
            blockers |= way;
    }
    return blockers;
}

Key Position::key_after(Move m) const {
    const Piece moving = piece_on(m.from());
    const Piece taken = piece_on(m.to());
    Key k = key_ ^ zobrist_white_to_move() ^ zobrist_piece(moving, m.from()) ^
            zobrist_piece(moving, m.to());
    if (taken != NoPiece)
        k ^= zobrist_piece(taken, m.to());
    return ep_square_ == NoSquare ? k : k ^ zobrist_en_passant(ep_square_);
}

void Position::move_rook_and_king(Move m, bool forward) {
    const Square king_from = m.from();
    const Square rook_from = m.to();
    const Color c = side_;
    const bool short_side = rook_from > king_from;
    const Square king_to = king_target(c, short_side);
    const Square rook_to = rook_target(c, short_side);
    // Remove both before putting either: in Chess960 one may land where the other stood.
    remove(forward ? king_from : king_to);
    remove(forward ? rook_from : rook_to);
    put(make_piece(c, King), forward ? king_to : king_from);
    put(make_piece(c, Rook), forward ? rook_to : rook_from);
}

void Position::make(Move m, Undo& undo) {
    assert(m);
    const Square from = m.from();
    const Square to = m.to();
    const Color us = side_;
    undo = {
        key_, pawn_key_, nonpawn_key_, checkers_, castling_, ep_square_, halfmove_clock_, NoPiece};

    if (ep_square_ != NoSquare) {
        key_ ^= zobrist_en_passant(ep_square_);
        ep_square_ = NoSquare;
    }
    ++halfmove_clock_;
    const int lost = castling_ & ~(castling_kept_[from] & castling_kept_[to]);
    if (lost != 0) {
        castling_ = static_cast<std::uint8_t>(castling_ & ~lost);
        for (auto rest = static_cast<unsigned>(lost); rest != 0; rest &= rest - 1)
            key_ ^= zobrist_castling(std::countr_zero(rest));
    }

    if (m.kind() == MoveKind::Castling) {
        move_rook_and_king(m, true);
    } else {
        const Square victim = m.kind() == MoveKind::EnPassant ? to ^ 8 : to;
        undo.captured = board_[victim];
        if (undo.captured != NoPiece) {
            remove(victim);
            halfmove_clock_ = 0;
        }
        const bool pawn = type_of(board_[from]) == Pawn;
        shift(from, to);
        if (pawn) {
            halfmove_clock_ = 0;
            if (m.kind() == MoveKind::Promotion) {
                remove(to);
                put(make_piece(us, m.promoted()), to);
            } else if ((from ^ to) == 16) {
                const Square behind = (from + to) / 2;
                if ((pawn_attacks(us, behind) & pieces(~us, Pawn)) != 0) {
                    ep_square_ = static_cast<std::uint8_t>(behind);
                    key_ ^= zobrist_en_passant(behind);
                }
            }
        }
    }
    if (us == Black)
        ++fullmove_number_;
    side_ = ~us;
    key_ ^= zobrist_white_to_move();
    checkers_ = attackers_to(king(side_), pieces()) & pieces(us);
    assert(is_consistent());
}

// Pieces and board of a move other than castling; unmake() restores the keys from the Undo.
void Position::take_back(Move m, Piece captured) {
    const Square from = m.from();
    const Square to = m.to();
    const Piece arrived = board_[to];
    board_[to] = NoPiece;
    if (m.kind() == MoveKind::Promotion) {
        board_[from] = make_piece(side_, Pawn);
        toggle(arrived, bit(to));
        toggle(board_[from], bit(from));
    } else {
        board_[from] = arrived;
        toggle(arrived, bit(from) | bit(to));
    }
    if (captured != NoPiece) {
        const Square victim = m.kind() == MoveKind::EnPassant ? to ^ 8 : to;
        board_[victim] = captured;
        toggle(captured, bit(victim));
    }
}

void Position::unmake(Move m, const Undo& undo) {
    side_ = ~side_;
    if (side_ == Black)
        --fullmove_number_;
    if (m.kind() == MoveKind::Castling)
        move_rook_and_king(m, false);
    else
        take_back(m, undo.captured);
    key_ = undo.key;
    pawn_key_ = undo.pawn_key;
    nonpawn_key_ = undo.nonpawn_key;
    checkers_ = undo.checkers;
    castling_ = undo.castling;
    ep_square_ = undo.ep_square;
    halfmove_clock_ = undo.halfmove_clock;
    assert(is_consistent());
}

void Position::make_null(Undo& undo) {
    assert(!in_check());
    undo = {
        key_, pawn_key_, nonpawn_key_, checkers_, castling_, ep_square_, halfmove_clock_, NoPiece};
    if (ep_square_ != NoSquare) {
        key_ ^= zobrist_en_passant(ep_square_);
        ep_square_ = NoSquare;
    }
    ++halfmove_clock_;
    side_ = ~side_;
    key_ ^= zobrist_white_to_move();
}

void Position::unmake_null(const Undo& undo) {
    side_ = ~side_;
    key_ = undo.key;
    ep_square_ = undo.ep_square;
    halfmove_clock_ = undo.halfmove_clock;
}

bool Position::is_dead() const {
    if ((pieces(Pawn) | pieces(Rook, Queen)) != 0)
        return false;
    if (popcount(pieces(Knight, Bishop)) <= 1)
        return true;
    const Bitboard bishops = pieces(Bishop);
    return pieces(Knight) == 0 && ((bishops & DarkSquares) == 0 || (bishops & ~DarkSquares) == 0);
}

// Pseudo-legality of normal moves: not of promotions, castling and en passant.
static bool reaches(const Position& pos, Move m, Piece moving) {
    const Color us = pos.side_to_move();
    const Bitboard occupied = pos.pieces();
    const Square from = m.from();
    const Square to = m.to();
    if (type_of(moving) != Pawn)
        return (attacks(type_of(moving), from, occupied) & bit(to)) != 0;
    if (relative_rank(us, to) == 7)
        return false;  // this would be a promotion
    const int up = us == White ? 8 : -8;
    if ((pawn_attacks(us, from) & bit(to)) != 0)
        return pos.piece_on(to) != NoPiece;
    if (to == from + up)
        return pos.piece_on(to) == NoPiece;
    return to == from + 2 * up && relative_rank(us, from) == 1 && pos.piece_on(to) == NoPiece &&
           pos.piece_on(from + up) == NoPiece;
}

bool Position::is_legal(Move m) const {
    const Square from = m.from();
    const Square to = m.to();
    const Piece moving = piece_on(from);
    if (!m || moving == NoPiece || color_of(moving) != side_)
        return false;
    if (m.kind() != MoveKind::Normal)
        return legal_moves(*this).contains(m);
    if ((m.raw() >> 12) != 0 || (pieces(side_) & bit(to)) != 0 || !reaches(*this, m, moving))
        return false;
    if (type_of(moving) == King)
        return !is_attacked(to, ~side_, pieces() ^ bit(from));
    const Square k = king(side_);
    if (checkers_ != 0 &&
        (more_than_one(checkers_) || ((between(k, lowest(checkers_)) | checkers_) & bit(to)) == 0))
        return false;
    return (king_blockers(side_) & bit(from)) == 0 || (line(k, from) & bit(to)) != 0;
}

void Position::refresh() {
    const Position old = *this;
    key_ = pawn_key_ = 0;
    nonpawn_key_ = {};
    by_type_ = {};
    by_color_ = {};
    for (Square s = 0; s < 64; ++s)
        if (old.piece_on(s) != NoPiece)
            put(old.piece_on(s), s);
    for (auto rest = static_cast<unsigned>(castling_); rest != 0; rest &= rest - 1)
        key_ ^= zobrist_castling(std::countr_zero(rest));
    if (ep_square_ != NoSquare)
        key_ ^= zobrist_en_passant(ep_square_);
    if (side_ == White)
        key_ ^= zobrist_white_to_move();
    checkers_ = attackers_to(king(side_), pieces()) & pieces(~side_);
}

bool Position::is_consistent() const {
    Position fresh = *this;
    fresh.refresh();
    return fresh.key_ == key_ && fresh.pawn_key_ == pawn_key_ &&
           fresh.nonpawn_key_ == nonpawn_key_ && fresh.by_type_ == by_type_ &&
           fresh.by_color_ == by_color_ && fresh.checkers_ == checkers_ &&
           popcount(pieces(White, King)) == 1 && popcount(pieces(Black, King)) == 1;
}

}  // namespace engine

#include "book/pgn/replay.h"

#include "book/pgn/words.h"
#include "engine/board/attacks.h"
#include "engine/board/zobrist.h"

namespace book {

using engine::bit;
using engine::Bitboard;
using engine::Piece;
using engine::PieceType;
using engine::Square;

namespace {

using BySquare = std::array<Bitboard, 64>;

std::size_t at(Square s) {
    return static_cast<std::size_t>(s);
}

// Slider attacks on an empty board.
struct Rays {
    BySquare rook{}, bishop{};
};
constexpr Rays Empty = [] {
    Rays rays;
    for (Square from = 0; from < 64; ++from)
        for (Square to = 0; to < 64; ++to) {
            const int files = engine::file_of(to) - engine::file_of(from);
            const int ranks = engine::rank_of(to) - engine::rank_of(from);
            if (from != to && (files == 0 || ranks == 0))
                rays.rook[static_cast<std::size_t>(from)] |= bit(to);
            if (from != to && (files == ranks || files == -ranks))
                rays.bishop[static_cast<std::size_t>(from)] |= bit(to);
        }
    return rays;
}();

// Castling rights lost by a move from or to a square.
constexpr std::array<std::uint8_t, 64> Lost = [] {
    std::array<std::uint8_t, 64> lost{};
    using namespace engine;
    lost[E1] = WhiteShort | WhiteLong;
    lost[H1] = WhiteShort;
    lost[A1] = WhiteLong;
    lost[E8] = BlackShort | BlackLong;
    lost[H8] = BlackShort;
    lost[A8] = BlackLong;
    return lost;
}();

constexpr std::array<PieceType, 256> PieceLetters = [] {
    std::array<PieceType, 256> letters{};
    letters.fill(engine::NoPieceType);
    letters['N'] = engine::Knight;
    letters['B'] = engine::Bishop;
    letters['R'] = engine::Rook;
    letters['Q'] = engine::Queen;
    letters['K'] = engine::King;
    return letters;
}();
PieceType piece_of(char c) {
    return PieceLetters[static_cast<unsigned char>(c)];
}

bool is_file(char c) {
    return static_cast<unsigned char>(c - 'a') < 8;
}
bool is_rank(char c) {
    return static_cast<unsigned char>(c - '1') < 8;
}
bool is_square(const char* text) {
    return is_file(text[0]) && is_rank(text[1]);
}
Square square_at(const char* text) {
    return engine::make_square(text[0] - 'a', text[1] - '1');
}

// The end of the marks "+#!?"; null if the word continues after them.
const char* marks_end(const char* p) {
    for (int marks = 0; *p == '+' || *p == '#' || *p == '!' || *p == '?'; ++p)
        if (++marks > 4)
            return nullptr;
    return is_kind(*p, WordEndChar) ? p : nullptr;
}

}  // namespace

void Replay::set_up(const engine::Position& start) {
    assert(!start.is_chess960());
    for (const PieceType t :
         {engine::Pawn, engine::Knight, engine::Bishop, engine::Rook, engine::Queen, engine::King})
        by_type_[t] = start.pieces(t);
    for (const Color c : {engine::White, engine::Black}) {
        by_color_[c] = start.pieces(c);
        king_[c] = start.king(c);
    }
    for (Square s = 0; s < 64; ++s)
        board_[at(s)] = start.piece_on(s);
    key_ = start.key();
    ep_square_ = start.ep_square();
    castling_ = start.castling_rights();
    side_ = start.side_to_move();
    in_check_ = start.in_check();
}

bool Replay::is_attacked(Square s, Color by, Bitboard occupied, Bitboard gone) const {
    using namespace engine;
    const Bitboard queens = by_type_[Queen];
    return (((pawn_attacks(~by, s) & by_type_[Pawn]) | (knight_attacks(s) & by_type_[Knight]) |
             (king_attacks(s) & by_type_[King]) |
             (rook_attacks(s, occupied) & (by_type_[Rook] | queens)) |
             (bishop_attacks(s, occupied) & (by_type_[Bishop] | queens))) &
            by_color_[by] & ~gone) != 0;
}

bool Replay::is_attacked_along(
    Square s, Square through, Color by, Bitboard occupied, Bitboard gone) const {
    using namespace engine;
    const bool straight = (Empty.rook[at(s)] & bit(through)) != 0;
    const Bitboard sliders = (by_type_[Queen] | by_type_[straight ? Rook : Bishop]) &
                             by_color_[by] & ~gone & (straight ? Empty.rook : Empty.bishop)[at(s)];
    return sliders != 0 &&
           ((straight ? rook_attacks(s, occupied) : bishop_attacks(s, occupied)) & sliders) != 0;
}

// For any move except king moves and en passant captures.
bool Replay::leaves_king_safe(Square from, Square to) const {
    const Square king = king_[side_];
    const Bitboard occupied = (pieces() ^ bit(from)) | bit(to);
    if (in_check_)
        return !is_attacked(king, ~side_, occupied, bit(to));
    return ((Empty.rook[at(king)] | Empty.bishop[at(king)]) & bit(from)) == 0 ||
           !is_attacked_along(king, from, ~side_, occupied, bit(to));
}

Move Replay::read_pawn(const char* text, const char*& end) const {
    using namespace engine;
    const int up = side_ == White ? 8 : -8;
    const Piece pawn = make_piece(side_, Pawn);
    const bool captures = text[1] == 'x';
    const char* p = captures ? text + 2 : text;
    if (!is_square(p))
        return NoMove;
    const Square to = square_at(p);
    Square from = to - up;
    if (from < 8 || 55 < from)
        return NoMove;
    if (captures) {
        const int step = (text[0] - 'a') - file_of(to);
        if (step != 1 && step != -1)
            return NoMove;
        from += step;
    } else if (piece_on(to) != NoPiece) {
        return NoMove;
    } else if (piece_on(from) == NoPiece && relative_rank(side_, to) == 3) {
        from -= up;
    }
    if (piece_on(from) != pawn)
        return NoMove;
    p += 2;
    PieceType promoted = NoPieceType;
    if (relative_rank(side_, to) == 7) {
        p += *p == '=' ? 1 : 0;
        promoted = piece_of(*p++);
        if (promoted == NoPieceType || promoted == King)
            return NoMove;
    }
    end = marks_end(p);
    if (end == nullptr)
        return NoMove;
    if (captures && (by_color_[~side_] & bit(to)) == 0) {
        const Bitboard victim = bit(to - up);
        const Bitboard occupied = (pieces() ^ bit(from) ^ victim) | bit(to);
        return to == ep_square_ && !is_attacked(king_[side_], ~side_, occupied, victim)
                   ? Move(from, to, MoveKind::EnPassant)
                   : NoMove;
    }
    if (!leaves_king_safe(from, to))
        return NoMove;
    return promoted == NoPieceType ? Move(from, to) : Move::promotion(from, to, promoted);
}

Move Replay::read_piece(const char* text, const char*& end, PieceType piece) const {
    using namespace engine;
    const char* p = text + 1;
    Bitboard from = by_color_[side_] & by_type_[piece];
    if (is_rank(*p)) {
        from &= rank_bb(*p++ - '1');
    } else if (is_file(*p) && !is_rank(p[1])) {
        from &= file_bb(*p++ - 'a');
    }
    p += *p == 'x' ? 1 : 0;
    if (!is_square(p))
        return NoMove;
    const Square to = square_at(p);
    end = marks_end(p + 2);
    if (end == nullptr || (by_color_[side_] & bit(to)) != 0)
        return NoMove;
    switch (piece) {
    case Knight:
        from &= knight_attacks(to);
        break;
    case Bishop:
        from &= Empty.bishop[at(to)];
        break;
    case Rook:
        from &= Empty.rook[at(to)];
        break;
    case Queen:
        from &= Empty.bishop[at(to)] | Empty.rook[at(to)];
        break;
    default:
        from &= king_attacks(to);
        return from != 0 && !is_attacked(to, ~side_, pieces() ^ from) ? Move(king_[side_], to)
                                                                      : NoMove;
    }
    Move found = NoMove;
    while (from != 0) {
        const Square origin = pop_lowest(from);
        if ((between(origin, to) & pieces()) != 0 || !leaves_king_safe(origin, to))
            continue;
        if (found)
            return NoMove;
        found = Move(origin, to);
    }
    return found;
}

Move Replay::read_castling(const char* text, const char*& end) const {
    using namespace engine;
    if (text[1] != '-' || text[2] != 'O')
        return NoMove;
    const bool short_side = text[3] != '-';
    if (!short_side && text[4] != 'O')
        return NoMove;
    end = marks_end(text + (short_side ? 3 : 5));
    const Square king = king_[side_];
    const Square rook = short_side ? king + 3 : king - 4;
    const int step = short_side ? 1 : -1;
    if (end == nullptr || in_check_ || (castling_ & castling_right(side_, short_side)) == 0 ||
        (between(king, rook) & pieces()) != 0 || is_attacked(king + step, ~side_, pieces()) ||
        is_attacked(king + 2 * step, ~side_, pieces()))
        return NoMove;
    return {king, rook, MoveKind::Castling};
}

Move Replay::read(const char* text, const char*& end) const {
    if (is_file(*text))
        return read_pawn(text, end);
    if (const PieceType piece = piece_of(*text); piece != engine::NoPieceType)
        return read_piece(text, end, piece);
    return *text == 'O' ? read_castling(text, end) : engine::NoMove;
}

void Replay::put(Piece p, Square s) {
    board_[at(s)] = p;
    by_type_[engine::type_of(p)] |= bit(s);
    by_color_[engine::color_of(p)] |= bit(s);
    key_ ^= engine::zobrist_piece(p, s);
}

void Replay::remove(Square s) {
    const Piece p = board_[at(s)];
    board_[at(s)] = engine::NoPiece;
    by_type_[engine::type_of(p)] ^= bit(s);
    by_color_[engine::color_of(p)] ^= bit(s);
    key_ ^= engine::zobrist_piece(p, s);
}

void Replay::remove_rights(int lost) {
    castling_ &= ~lost;
    for (auto rest = static_cast<unsigned>(lost); rest != 0; rest &= rest - 1)
        key_ ^= engine::zobrist_castling(std::countr_zero(rest));
}

bool Replay::gives_check(Move m, PieceType type, Color us) {
    using namespace engine;
    const Square from = m.from();
    const Square to = m.to();
    const Square king = king_[~us];
    bool direct = false;
    switch (type) {
    case Pawn:
        direct = (pawn_attacks(us, to) & bit(king)) != 0;
        if (const Square ep = (from + to) / 2;
            (from ^ to) == 16 && (pawn_attacks(us, ep) & by_type_[Pawn] & by_color_[~us]) != 0) {
            ep_square_ = ep;
            key_ ^= zobrist_en_passant(ep);
        }
        break;
    case Knight:
        direct = (knight_attacks(to) & bit(king)) != 0;
        break;
    case King:
        break;
    default: {
        const Bitboard attacks =
            (type != Bishop ? Empty.rook[at(to)] : 0) | (type != Rook ? Empty.bishop[at(to)] : 0);
        direct = (attacks & bit(king)) != 0 && (between(to, king) & pieces()) == 0;
    }
    }
    const bool may_discover = ((Empty.rook[at(king)] | Empty.bishop[at(king)]) & bit(from)) != 0;
    return direct || (may_discover && is_attacked_along(king, from, us, pieces()));
}

void Replay::make(Move m) {
    using namespace engine;
    const Square from = m.from();
    const Square to = m.to();
    const Color us = side_;
    if (ep_square_ != NoSquare) {
        key_ ^= zobrist_en_passant(ep_square_);
        ep_square_ = NoSquare;
    }
    if (const int lost = castling_ & (Lost[at(from)] | Lost[at(to)]); lost != 0)
        remove_rights(lost);
    key_ ^= zobrist_white_to_move();
    side_ = ~us;
    if (m.kind() != MoveKind::Normal) {
        make_special(m);
        in_check_ = is_attacked(king_[~us], us, pieces());
        return;
    }
    const Piece moving = board_[at(from)];
    const PieceType type = type_of(moving);
    if (board_[at(to)] != NoPiece)
        remove(to);
    const Bitboard both = bit(from) | bit(to);
    board_[at(from)] = NoPiece;
    board_[at(to)] = moving;
    by_type_[type] ^= both;
    by_color_[us] ^= both;
    key_ ^= zobrist_piece(moving, from) ^ zobrist_piece(moving, to);
    if (type == King)
        king_[us] = to;
    in_check_ = gives_check(m, type, us);
}

// Castling, promotion and en passant: moves the pieces only.
void Replay::make_special(Move m) {
    using namespace engine;
    const Square from = m.from();
    const Square to = m.to();
    const Color us = ~side_;
    if (m.kind() == MoveKind::Castling) {
        const bool short_side = to > from;
        remove(from);
        remove(to);
        king_[us] = short_side ? from + 2 : from - 2;
        put(make_piece(us, King), king_[us]);
        put(make_piece(us, Rook), short_side ? from + 1 : from - 1);
        return;
    }
    const bool en_passant = m.kind() == MoveKind::EnPassant;
    if (en_passant)
        remove(to ^ 8);
    else if (board_[at(to)] != NoPiece)
        remove(to);
    remove(from);
    put(make_piece(us, en_passant ? Pawn : m.promoted()), to);
}

}  // namespace book

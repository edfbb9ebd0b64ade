// Source: the swap algorithm as in R. M. Hyatt's Crafty; threshold form after S. Osborne.
#include "engine/board/see.h"

#include "engine/board/attacks.h"

namespace engine {
namespace {

// Removes the least valuable of `mine` from `occupied`, adds the sliders behind it to `attackers`,
// and returns its type.
PieceType take_cheapest(
    const Position& pos, Square to, Bitboard mine, Bitboard& occupied, Bitboard& attackers) {
    PieceType t = Pawn;
    while (t != King && (mine & pos.pieces(t)) == 0)
        t = static_cast<PieceType>(t + 1);
    const Bitboard from = mine & pos.pieces(t);
    occupied ^= from & (~from + 1);
    if (t == Pawn || t == Bishop || t == Queen)
        attackers |= bishop_attacks(to, occupied) & pos.pieces(Bishop, Queen);
    if (t == Rook || t == Queen)
        attackers |= rook_attacks(to, occupied) & pos.pieces(Rook, Queen);
    attackers &= occupied;
    return t;
}

// The attackers of c that may capture: a pinned piece may not while its pinner is on the board.
Bitboard
free_attackers(const Position& pos, Color c, Bitboard attackers, Bitboard occupied, Square to) {
    const Bitboard mine = attackers & pos.pieces(c);
    if (mine == 0)
        return 0;
    const Bitboard pinned = pos.king_blockers(c) & mine;
    if (pinned == 0)
        return mine;
    const Square k = pos.king(c);
    const Bitboard snipers = ((rook_attacks(k, occupied & ~pinned) & pos.pieces(Rook, Queen)) |
                              (bishop_attacks(k, occupied & ~pinned) & pos.pieces(Bishop, Queen))) &
                             pos.pieces(~c) & occupied;
    Bitboard held = 0;
    for (Bitboard rest = snipers; rest != 0;)
        held |= between(k, pop_lowest(rest)) & pinned;
    for (Bitboard rest = held; rest != 0;) {
        const Square s = pop_lowest(rest);
        if ((line(k, s) & bit(to)) != 0)
            held ^= bit(s);
    }
    return mine & ~held;
}

}  // namespace

bool see_ge(const Position& pos, Move m, int threshold) {
    if (m.kind() == MoveKind::Castling)
        return threshold <= 0;
    const Square from = m.from();
    const Square to = m.to();
    const bool promotes = m.kind() == MoveKind::Promotion;
    PieceType next = promotes ? m.promoted() : type_of(pos.piece_on(from));
    int balance = SeeValue[pos.captured(m)] - threshold;
    if (promotes)
        balance += SeeValue[next] - SeeValue[Pawn];
    if (balance < 0)
        return false;
    balance -= SeeValue[next];
    if (balance >= 0)
        return true;

    Bitboard occupied = (pos.pieces() ^ bit(from)) | bit(to);
    if (m.kind() == MoveKind::EnPassant)
        occupied ^= bit(to ^ 8);
    Bitboard attackers = pos.attackers_to(to, occupied) & occupied;
    Color side = ~pos.side_to_move();
    bool winning = true;  // for the side that plays m
    while (true) {
        const Bitboard mine = free_attackers(pos, side, attackers, occupied, to);
        if (mine == 0)
            return winning;
        next = take_cheapest(pos, to, mine, occupied, attackers);
        // The king may capture only if no attacker of the other side is left.
        if (next == King)
            return (attackers & pos.pieces(~side)) != 0 ? winning : !winning;
        winning = !winning;
        balance = -balance - 1 - SeeValue[next];
        if (balance >= 0)
            return winning;
        side = ~side;
    }
}

}  // namespace engine

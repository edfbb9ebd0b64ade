#include "tools/lab/retro/board_moves.h"

namespace tools::retro {
namespace {

using engine::bit;
using engine::King;
using engine::Pawn;

constexpr int forward(Color c) {
    return c == engine::White ? 8 : -8;
}

}  // namespace

Bitboard BoardMoves::occupied_by(const Board& board) const {
    Bitboard occupied = 0;
    for (std::size_t i = 0; i < ending_.size(); ++i)
        occupied |= bit(board.squares[i]);
    return occupied;
}

bool BoardMoves::attacked(const Board& board, Color color, std::size_t taken) const {
    const Square king = board.squares[color];
    Bitboard occupied = 0;
    for (std::size_t i = 0; i < ending_.size(); ++i)
        occupied |= i == taken ? 0 : bit(board.squares[i]);
    for (std::size_t i = 0; i < ending_.size(); ++i) {
        const Man& man = ending_[i];
        if (man.color == color || i == taken)
            continue;
        const Bitboard reach = man.type == Pawn
                                   ? engine::pawn_attacks(man.color, board.squares[i])
                                   : engine::attacks(man.type, board.squares[i], occupied);
        if ((reach & bit(king)) != 0)
            return true;
    }
    return false;
}

bool BoardMoves::is_legal(const Board& board) const {
    for (std::size_t i = 2; i < ending_.size(); ++i)
        if (ending_[i].type == Pawn &&
            (bit(board.squares[i]) & (engine::Rank1 | engine::Rank8)) != 0)
            return false;
    return engine::popcount(occupied_by(board)) == static_cast<int>(ending_.size()) &&
           !attacked(board, ~board.side);
}

// Where the man can have come from: pieces as they move, pawns one or two steps back.
Bitboard BoardMoves::sources(const Man& man, Square to, Bitboard occupied) {
    if (man.type != Pawn)
        return engine::attacks(man.type, to, occupied) & ~occupied;
    const int rank = engine::relative_rank(man.color, to), back = to - forward(man.color);
    if (rank < 2 || (bit(back) & occupied) != 0)
        return 0;
    Bitboard from = bit(back);
    if (rank == 3)
        from |= bit(back - forward(man.color)) & ~occupied;
    return from;
}

Bitboard BoardMoves::targets(const Board& board, std::size_t man, Bitboard occupied) const {
    Bitboard own = 0;
    for (std::size_t i = 0; i < ending_.size(); ++i)
        own |= ending_[i].color == board.side ? bit(board.squares[i]) : 0;
    const Square from = board.squares[man];
    if (ending_[man].type != Pawn)
        return engine::attacks(ending_[man].type, from, occupied) & ~own;
    const int step = forward(board.side);
    Bitboard to = engine::pawn_attacks(board.side, from) & occupied & ~own;
    if ((bit(from + step) & occupied) == 0) {
        to |= bit(from + step);
        if (engine::relative_rank(board.side, from) == 1)
            to |= bit(from + 2 * step) & ~occupied;
    }
    return to;
}

std::size_t BoardMoves::man_on(const Board& board, Square s) const {
    std::size_t i = 0;
    while (i < ending_.size() && board.squares[i] != s)
        ++i;
    return i < ending_.size() ? i : None;
}

// Calls action(after, man, from, taken) for every legal move; false ends it. A promoted pawn is
// still a pawn.
template <typename Action>
void BoardMoves::for_each_move(const Board& board, Action action) const {
    const Bitboard occupied = occupied_by(board);
    for (std::size_t man = 0; man < ending_.size(); ++man) {
        if (ending_[man].color != board.side)
            continue;
        const Square from = board.squares[man];
        for (Bitboard left = targets(board, man, occupied); left != 0;) {
            const Square to = engine::pop_lowest(left);
            const std::size_t taken = (bit(to) & occupied) != 0 ? man_on(board, to) : None;
            Board after = board;
            after.squares[man] = to;
            after.side = ~board.side;
            if (!attacked(after, board.side, taken) && !action(after, man, from, taken))
                return;
        }
    }
}

bool BoardMoves::has_move(const Board& board) const {
    bool found = false;
    for_each_move(board, [&](const Board&, std::size_t, Square, std::size_t) {
        found = true;
        return false;
    });
    return found;
}

MoveSummary BoardMoves::summary(const Board& board) const {
    MoveSummary summary;
    for_each_move(board, [&](const Board& after, std::size_t man, Square from, std::size_t taken) {
        add_move(summary, after, man, from, taken);
        return true;
    });
    return summary;
}

void BoardMoves::add_move(MoveSummary& summary,
                          const Board& after,
                          std::size_t man,
                          Square from,
                          std::size_t taken) const {
    ++summary.moves;
    const Square to = after.squares[man];
    if (ending_[man].type == Pawn && engine::relative_rank(ending_[man].color, to) == 7) {
        for (const PieceType type : {engine::Queen, engine::Rook, engine::Bishop, engine::Knight})
            add_conversion(summary, after, taken, man, type);
        return;
    }
    if (taken != None)
        return add_conversion(summary, after, taken, None, Pawn);
    const StepAnswer answer = answer_to(after, man, from, to);
    if (answer.possible && answer.result > 0)
        summary.lost_in = std::max(summary.lost_in, 2);
    else if (answer.possible && answer.result < 0 && !in_check(after) && !has_move(after))
        summary.won_in = std::min(summary.won_in.value_or(2), 2);  // forced, else stalemate
    else
        ++summary.open;
}

void BoardMoves::add_conversion(MoveSummary& summary,
                                const Board& after,
                                std::size_t taken,
                                std::size_t man,
                                PieceType type) const {
    const Value v = value_without(after, taken, man, type);
    const int distance = v == 0 || ending_.has_pawns() ? 1 : plies(v) + 1;
    if (v == 0)
        summary.draws = true;
    else if (v < 0)
        summary.won_in = std::min(summary.won_in.value_or(distance), distance);
    else
        summary.lost_in = std::max(summary.lost_in, distance);
}

// The value, for the side to move, without the man `taken` and with `promoted` as another piece.
Value BoardMoves::value_without(const Board& board,
                                std::size_t taken,
                                std::size_t promoted,
                                PieceType type) const {
    Placement placement;
    for (std::size_t i = 0; i < ending_.size(); ++i)
        if (i != taken)
            placement.add(i == promoted ? Man{ending_[i].color, type} : ending_[i],
                          board.squares[i]);
    return known_.value(placement, board.side);
}

StepAnswer
BoardMoves::answer_to(const Board& after, std::size_t man, Square from, Square to) const {
    StepAnswer answer;
    if (!ending_.both_have_pawns() || ending_[man].type != Pawn || std::abs(to - from) != 16)
        return answer;
    const Square crossed = (from + to) / 2;
    for (std::size_t i = 0; i < ending_.size(); ++i) {
        if (ending_[i].type != Pawn || ending_[i].color != after.side ||
            (engine::pawn_attacks(after.side, after.squares[i]) & bit(crossed)) == 0)
            continue;
        Board captured = after;
        captured.squares[i] = crossed;
        captured.side = ~after.side;
        if (attacked(captured, after.side, man))
            continue;
        const int result = -sign(value_without(captured, man, None, Pawn));
        answer.result = answer.possible ? std::max(answer.result, result) : result;
        answer.possible = true;
    }
    return answer;
}

}  // namespace tools::retro

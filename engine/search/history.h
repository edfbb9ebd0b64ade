// What the search learns about moves and evaluations, one set per thread: histories (how often a
// move caused a beta cutoff, alone or as an answer to earlier moves) and the correction history.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"
#include "engine/search/params.h"

#include <algorithm>
#include <array>
#include <optional>

namespace engine {

// What a search of `depth` adds to, or subtracts from, the history of a move.
inline int history_bonus(int depth) {
    return std::min(params::BonusSlope() * depth - params::BonusOffset(), params::BonusMax());
}
inline int history_malus(int depth) {
    return std::min(params::MalusSlope() * depth - params::MalusOffset(), params::MalusMax());
}

// A value within +-limit; the nearer it is to the limit, the less a bonus changes it ("gravity").
template <int limit>
class Gravity {
  public:
    constexpr operator int() const { return value_; }  // NOLINT(google-explicit-constructor)
    void add(int bonus) {
        bonus = std::clamp(bonus, -limit, limit);
        value_ = static_cast<std::int16_t>(value_ + bonus - value_ * std::abs(bonus) / limit);
    }

  private:
    std::int16_t value_;
};

using History = Gravity<16'384>;
// By piece and target square of a move.
using PieceTo = std::array<BySquare<History>, 16>;

// Zero if value-initialised, as by platform::make_in_pages(). The members have no initialisers,
// since the compiler would write out megabytes of zeros for them.
struct Histories {
    static constexpr std::size_t PawnSlots = 512;
    static constexpr int LowPlies = 4;
    // Side, from, to; and the same by whether the opponent attacks these two squares.
    std::array<BySquare<BySquare<History>>, 2> butterfly;
    std::array<std::array<BySquare<BySquare<History>>, 4>, 2> threat;
    std::array<BySquare<std::array<History, 8>>, 16> capture;   // piece, to, victim
    std::array<BySquare<PieceTo>, 16> continuation;             // earlier piece, to
    std::array<PieceTo, PawnSlots> pawn;                        // by pawn key
    std::array<BySquare<BySquare<History>>, LowPlies> low_ply;  // by ply, from, to: of one search

    // How good the quiet move m was for c; `attacked`: by the other side.
    [[nodiscard]] int quiet_of(Color c, Move m, Bitboard attacked) const {
        return (butterfly[c][m.from()][m.to()] +
                threat[c][threat_index(m, attacked)][m.from()][m.to()]) /
               2;
    }
    void add_quiet(Color c, Move m, Bitboard attacked, int bonus) {
        butterfly[c][m.from()][m.to()].add(bonus);
        threat[c][threat_index(m, attacked)][m.from()][m.to()].add(bonus);
    }
    // Call it before each search: reduces the weight of earlier searches.
    void fade() {
        for (BySquare<BySquare<History>>& by_move : butterfly)
            for (BySquare<History>& from : by_move.values)
                for (History& to : from.values)
                    to.add(-to / params::HistoryFade());
    }
    History& capture_of(const Position& pos, Move m) {
        return capture[pos.piece_on(m.from())][m.to()][pos.captured(m)];
    }
    PieceTo& continuation_of(Piece moved, Square to) { return continuation[moved][to]; }
    // The table to use where there is no earlier move.
    PieceTo& no_continuation() { return continuation[NoPiece][0]; }
    PieceTo& pawn_of(const Position& pos) { return pawn[pos.pawn_key() % PawnSlots]; }

  private:
    static std::size_t threat_index(Move m, Bitboard attacked) {
        return (attacked >> m.from() & 1) * 2 + (attacked >> m.to() & 1);
    }
};

// Correction history: how far the static evaluation was off in positions with the same pawns, with
// the same other pieces, and after the same two moves.
class CorrectionHistory {
  public:
    // Centipawns to add to the static evaluation, for the side to move.
    [[nodiscard]] int correction(const Position& pos,
                                 std::optional<std::size_t> last_two_moves) const {
        using namespace params;
        const Color us = pos.side_to_move();
        const int by_pieces = CorrectionPawn() * pawn_[us][slot(pos.pawn_key())] +
                              CorrectionNonPawn() * (nonpawn_[us][0][slot(pos.nonpawn_key(White))] +
                                                     nonpawn_[us][1][slot(pos.nonpawn_key(Black))]);
        const int by_moves =
            last_two_moves ? CorrectionContinuation() * continuation_[*last_two_moves] : 0;
        return (by_pieces + by_moves) / 512;
    }
    // Loads the entries of a position into the cache, for correction().
    void prefetch(const Position& pos, std::optional<std::size_t> last_two_moves) const {
        const Color us = pos.side_to_move();
        __builtin_prefetch(&pawn_[us][slot(pos.pawn_key())]);
        __builtin_prefetch(&nonpawn_[us][0][slot(pos.nonpawn_key(White))]);
        __builtin_prefetch(&nonpawn_[us][1][slot(pos.nonpawn_key(Black))]);
        if (last_two_moves)
            __builtin_prefetch(&continuation_[*last_two_moves]);
    }
    // A search of `depth` found `score` where the corrected static evaluation was `static_eval`.
    void update(const Position& pos,
                std::optional<std::size_t> last_two_moves,
                Score score,
                Score static_eval,
                int depth) {
        const Color us = pos.side_to_move();
        const int bonus = std::clamp(
            (score - static_eval) * depth / params::CorrectionDivisor(), -Limit / 4, Limit / 4);
        pawn_[us][slot(pos.pawn_key())].add(bonus);
        nonpawn_[us][0][slot(pos.nonpawn_key(White))].add(bonus);
        nonpawn_[us][1][slot(pos.nonpawn_key(Black))].add(bonus);
        if (last_two_moves)
            continuation_[*last_two_moves].add(bonus);
    }

  private:
    static constexpr std::size_t Slots = 16'384;
    static constexpr int Limit = 1'024;
    static std::size_t slot(Key key) { return key % Slots; }
    using Table = std::array<Gravity<Limit>, Slots>;
    std::array<Table, 2> pawn_;
    std::array<std::array<Table, 2>, 2> nonpawn_;
    std::array<Gravity<Limit>, std::size_t{1} << 20> continuation_;  // the last two moves
};

}  // namespace engine

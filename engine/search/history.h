// What the search remembers of moves: how often they refuted the opponent, alone and as an answer
// to earlier moves, and how far the static evaluation was off. One set per thread.
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"
#include "engine/search/params.h"

#include <algorithm>
#include <array>
#include <optional>

namespace engine {

// What a move gains or loses in a history by a search of this depth.
inline int bonus_for(int depth) {
    return std::min(params::BonusSlope() * depth - 80, params::BonusMost());
}
inline int malus_for(int depth) {
    return std::min(params::MalusSlope() * depth - 60, params::MalusMost());
}

// A value drawn towards +-limit by bonuses, the slower the nearer it is ("gravity").
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

inline constexpr int HistoryLimit = 16'384;
using History = Gravity<HistoryLimit>;
// By piece and target square of a move.
using PieceTo = std::array<std::array<History, 64>, 16>;

// Zero if value-initialised, as std::make_unique does; without initialisers, which would make the
// compiler write out megabytes of zeros.
struct Histories {
    static constexpr std::size_t PawnSlots = 512;
    std::array<std::array<std::array<History, 64>, 64>, 2> butterfly;  // side, from, to
    std::array<std::array<std::array<History, 8>, 64>, 16> capture;    // piece, to, victim
    std::array<std::array<PieceTo, 64>, 16> continuation;              // earlier piece, to
    std::array<PieceTo, PawnSlots> pawn;                               // by pawn structure

    History& butterfly_of(Color c, Move m) {
        return butterfly[c][static_cast<std::size_t>(m.from())][static_cast<std::size_t>(m.to())];
    }
    History& capture_of(const Position& pos, Move m) {
        return capture[pos.piece_on(m.from())][static_cast<std::size_t>(m.to())][pos.captured(m)];
    }
    PieceTo& continuation_of(Piece moved, Square to) {
        return continuation[moved][static_cast<std::size_t>(to)];
    }
    // The table that stands for "no earlier move".
    PieceTo& no_continuation() { return continuation[NoPiece][0]; }
    PieceTo& pawn_of(const Position& pos) { return pawn[pos.pawn_key() % PawnSlots]; }
};

// How far the static evaluation was off in positions with the same pawns, the same pieces, or the
// same last two moves.
class Corrections {
  public:
    // Centipawns to add to the static evaluation, for the side to move.
    [[nodiscard]] int of(const Position& pos, std::optional<std::size_t> last_moves) const {
        const Color us = pos.side_to_move();
        const int sum =
            params::CorrectionPawn() * pawn_[us][slot(pos.pawn_key())] +
            params::CorrectionNonPawn() * (nonpawn_[us][0][slot(pos.nonpawn_key(White))] +
                                           nonpawn_[us][1][slot(pos.nonpawn_key(Black))]);
        const int last =
            last_moves ? params::CorrectionContinuation() * continuation_[*last_moves] : 0;
        return (sum + last) / 512;
    }
    // The search found `score` where the corrected evaluation said `eval`.
    void learn(const Position& pos,
               std::optional<std::size_t> last_moves,
               Score score,
               Score eval,
               int depth) {
        const Color us = pos.side_to_move();
        const int bonus = std::clamp((score - eval) * depth / 8, -Limit / 4, Limit / 4);
        pawn_[us][slot(pos.pawn_key())].add(bonus);
        nonpawn_[us][0][slot(pos.nonpawn_key(White))].add(bonus);
        nonpawn_[us][1][slot(pos.nonpawn_key(Black))].add(bonus);
        if (last_moves)
            continuation_[*last_moves].add(bonus);
    }

  private:
    static constexpr std::size_t Slots = 16'384;
    static constexpr int Limit = 1'024;
    static std::size_t slot(Key key) { return key % Slots; }
    using Table = std::array<Gravity<Limit>, Slots>;
    std::array<Table, 2> pawn_;
    std::array<std::array<Table, 2>, 2> nonpawn_;
    std::array<Gravity<Limit>, std::size_t{1} << 20> continuation_;  // last piece, to, before that
};

}  // namespace engine

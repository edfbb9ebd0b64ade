#include "engine/eval/threat_stack.h"

#include "engine/eval/simd.h"

namespace engine {
namespace {

constexpr std::size_t Kinds = 12;  // of attackers: colours and types

// threat_feature() without square, by kind of the attacker and piece: for White's perspective in
// the low half, for Black's in the high half.
using PieceRows = std::array<std::array<std::uint32_t, 16>, Kinds>;
constexpr PieceRows piece_rows() {
    PieceRows rows{};
    for (const Color attacker : {White, Black})
        for (int by = Pawn; by <= King; ++by)
            for (const Color c : {White, Black})
                for (int t = Pawn; t <= King; ++t) {
                    const Piece p = make_piece(c, static_cast<PieceType>(t));
                    const auto row = [&](Color perspective, Square first) {
                        return static_cast<std::uint32_t>(threat_feature(
                            perspective, false, attacker, static_cast<PieceType>(by), p, first));
                    };
                    rows[6 * std::size_t{attacker} + static_cast<std::size_t>(by)][p] =
                        simd::Rows::both(row(White, A1), row(Black, A8));
                }
    return rows;
}
constexpr PieceRows FirstRow = piece_rows();

}  // namespace

ThreatStack::ThreatStack(const Network& net) : net_(net), levels_(MaxPly + 8) {
    for (ThreatNeurons& side : empty_.neurons)
        side.fill(0);
}

void ThreatStack::push(Bitboard changed, bool king_crossed) {
    assert(top_ + 1 < levels_.size());
    Level& level = levels_[++top_];
    level.changed = changed;
    level.king_crossed = king_crossed;
    level.computed = false;
}

const ThreatStack::BothSides& ThreatStack::neurons(const Position& pos) {
    Level& now = levels_[top_];
    if (now.computed)
        return now.neurons;
    Bitboard changed = 0;
    std::size_t from = top_;
    while (!levels_[from].computed && from > 0 && !levels_[from].king_crossed)
        changed |= levels_[from--].changed;
    update(levels_[from].computed ? levels_[from] : empty_, changed, pos, now);
    assert(is_exact(pos));
    return now.neurons;
}

// Pieces on squares that did not change keep the threats that they have in both positions.
void ThreatStack::update(const Level& before,
                         Bitboard changed,
                         const Position& pos,
                         Level& now) const {
    now.attacked = attacked_pieces(piece_sets(pos));
    for (Square s = 0; s < 64; ++s)
        now.board[s] = pos.piece_on(s);
    const auto flip = [&pos](Color side) {
        return static_cast<std::uint32_t>(relative(side, is_mirrored(pos.king(side)) ? H1 : A1));
    };
    const std::uint32_t flips = simd::Rows::both(flip(White), flip(Black));
    // One loop over all sets: with a loop for each, the exit branch would be mispredicted.
    std::array<Bitboard, Kinds> old, current, rest;
    unsigned waiting = 0;  // sets whose rest is not empty
    for (std::size_t kind = 0; kind < Kinds; ++kind) {
        old[kind] = before.attacked[kind / 6][kind % 6];
        current[kind] = now.attacked[kind / 6][kind % 6];
        rest[kind] = (old[kind] ^ current[kind]) | (changed & old[kind]);
        waiting |= static_cast<unsigned>(rest[kind] != 0) << kind;
    }
    simd::Rows plus, minus;
    while (waiting != 0) {
        const auto kind = static_cast<std::size_t>(std::countr_zero(waiting));
        const Square s = pop_lowest(rest[kind]);
        waiting ^= static_cast<unsigned>(rest[kind] == 0) << kind;
        const auto square = static_cast<std::uint32_t>(s);
        const std::uint32_t at = simd::Rows::both(square, square) ^ flips;
        // Without branches: a row that does not count is overwritten by the next one.
        minus.of[minus.count] = at + FirstRow[kind][before.board[s]];
        plus.of[plus.count] = at + FirstRow[kind][now.board[s]];
        minus.count += old[kind] >> s & 1U;
        plus.count += current[kind] >> s & 1U;
    }
    simd::update(now.neurons, before.neurons, net_.threats.data(), plus, minus);
    now.computed = true;
}

bool ThreatStack::is_exact(const Position& pos) const {
    Level fresh;
    update(empty_, 0, pos, fresh);
    return fresh.neurons == levels_[top_].neurons;
}

}  // namespace engine

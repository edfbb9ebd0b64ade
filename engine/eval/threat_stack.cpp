#include "engine/eval/threat_stack.h"

#include "engine/eval/simd.h"

namespace engine {
namespace {

// threat_feature() without its square, by perspective, colour of the attacker and piece.
using PieceRows = std::array<std::array<std::array<std::uint16_t, 16>, 2>, 2>;
constexpr PieceRows piece_rows() {
    PieceRows rows{};
    for (const Color perspective : {White, Black})
        for (const Color attacker : {White, Black})
            for (const Color c : {White, Black})
                for (int t = Pawn; t <= King; ++t) {
                    const Piece p = make_piece(c, static_cast<PieceType>(t));
                    const Square first = perspective == White ? A1 : A8;
                    rows[perspective][attacker][p] = static_cast<std::uint16_t>(
                        threat_feature(perspective, false, attacker, Pawn, p, first));
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
    const std::array<Square, 2> flip{relative(White, is_mirrored(pos.king(White)) ? H1 : A1),
                                     relative(Black, is_mirrored(pos.king(Black)) ? H1 : A1)};
    simd::Rows plus, minus;
    for (const Color c : {White, Black})
        for (int t = Pawn; t <= King; ++t) {
            const auto by = static_cast<PieceType>(t);
            const Bitboard old = before.attacked[c][by], current = now.attacked[c][by];
            // Without branches: a row that does not count is overwritten by the next one.
            for (Bitboard rest = (old ^ current) | (changed & old); rest != 0;) {
                const Square s = pop_lowest(rest);
                for (const Color side : {White, Black}) {
                    const std::size_t row =
                        std::size_t{Inputs} * by + static_cast<std::size_t>(s ^ flip[side]);
                    minus.of[side][minus.count] =
                        static_cast<std::uint16_t>(row + FirstRow[side][c][before.board[s]]);
                    plus.of[side][plus.count] =
                        static_cast<std::uint16_t>(row + FirstRow[side][c][now.board[s]]);
                }
                minus.count += old >> s & 1U;
                plus.count += current >> s & 1U;
            }
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

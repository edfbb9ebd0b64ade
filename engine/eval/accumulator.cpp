#include "engine/eval/accumulator.h"

#include "engine/eval/layers.h"
#include "engine/eval/simd.h"

#include <algorithm>

namespace engine {
namespace {

// The products of a side's neurons, in the order of the neurons.
void make_products(std::uint8_t* out, const Neurons& neurons, const ThreatNeurons& threats) {
    constexpr std::size_t Lanes = simd::Lanes;
    static_assert(ThreatHidden <= Products && ThreatHidden % (2 * Lanes) == 0 &&
                  Products % (2 * Lanes) == 0);
    const auto own = [&](std::size_t i) { return simd::load(neurons.data() + i); };
    const auto with_threats = [&](std::size_t i) {
        return simd::add_saturated(own(i), simd::load(threats.data() + i));
    };
    const auto store = [&](std::size_t i, auto first) {
        simd::store_bytes(out + i,
                          simd::product(first(i), own(Products + i)),
                          simd::product(first(i + Lanes), own(Products + i + Lanes)));
    };
    std::size_t i = 0;
    for (; i < ThreatHidden; i += 2 * Lanes)
        store(i, with_threats);
    for (; i < Products; i += 2 * Lanes)
        store(i, own);
}

}  // namespace

AccumulatorStack::AccumulatorStack(const Network& net)
    : net_(net), levels_(MaxPly + 8), threats_(net) {
    for (auto& side : refresh_table_)
        for (RefreshEntry& half : side)
            half.neurons = net.bias;
}

void AccumulatorStack::push(const Position& before, Move m) {
    assert(top_ + 1 < levels_.size());
    Level& level = levels_[++top_];
    level.computed = level.king_crossed = {};
    level.adds = level.removals = 1;
    const Color us = before.side_to_move();
    const Piece moving = before.piece_on(m.from());
    level.removed[0] = {moving, m.from()};
    level.added[0] = {m.kind() == MoveKind::Promotion ? make_piece(us, m.promoted()) : moving,
                      m.to()};
    if (m.kind() == MoveKind::Castling) {
        const bool short_side = m.to() > m.from();
        const Piece rook = make_piece(us, Rook);
        level.added[0].square = relative(us, short_side ? G1 : C1);
        level.added[1] = {rook, relative(us, short_side ? F1 : D1)};
        level.removed[1] = {rook, m.to()};
        level.adds = level.removals = 2;
    } else if (before.is_capture(m)) {
        const Square victim = m.kind() == MoveKind::EnPassant ? m.to() ^ 8 : m.to();
        level.removed[1] = {before.piece_on(victim), victim};
        level.removals = 2;
    }
    if (type_of(moving) == King)
        level.king_crossed[us] = is_mirrored(m.from()) != is_mirrored(level.added[0].square);
    Bitboard changed = 0;
    for (int i = 0; i < level.adds; ++i)
        changed |= bit(level.added[static_cast<std::size_t>(i)].square);
    for (int i = 0; i < level.removals; ++i)
        changed |= bit(level.removed[static_cast<std::size_t>(i)].square);
    threats_.push(changed, level.king_crossed[us]);
}

Score AccumulatorStack::evaluate(const Position& pos) {
    update(White, pos);
    update(Black, pos);
    const Color us = pos.side_to_move();
    const Level& level = levels_[top_];
    const ThreatStack::BothSides& threats = threats_.neurons(pos);
    alignas(64) ProductVector products;
    make_products(products.data(), level.neurons[us], threats[us]);
    make_products(products.data() + Products, level.neurons[~us], threats[~us]);
    const std::size_t at = bucket(static_cast<std::size_t>(popcount(pos.pieces())));
    const std::int64_t value = output(net_.layers[at], products);
    const auto score = static_cast<Score>(value * OutputCentipawns / One);
    return std::clamp(score, -KnownWin + 1, KnownWin - 1);
}

// Computes the neurons of `side` at the top: from the nearest level that has them, or by a refresh
// if the king crossed to the other half since.
void AccumulatorStack::update(Color side, const Position& pos) {
    std::size_t from = top_;
    while (!levels_[from].computed[side] && from > 0 && !levels_[from].king_crossed[side])
        --from;
    if (!levels_[from].computed[side]) {
        refresh(side, pos, levels_[top_]);
    } else {
        const bool mirrored = is_mirrored(pos.king(side));
        for (; from < top_; ++from)
            update_incrementally(side, mirrored, levels_[from], levels_[from + 1]);
    }
    assert(is_exact(side, pos));
}

void AccumulatorStack::update_incrementally(Color side,
                                            bool mirrored,
                                            const Level& before,
                                            Level& after) {
    using Rows1 = std::array<const std::int16_t*, 1>;
    using Rows2 = std::array<const std::int16_t*, 2>;
    const Neurons& in = before.neurons[side];
    Neurons& out = after.neurons[side];
    const auto row = [&](PieceSquare p) { return weights(side, mirrored, p); };
    const auto &plus = after.added, &minus = after.removed;
    if (after.adds == 2)
        simd::update(
            out, in, Rows2{row(plus[0]), row(plus[1])}, Rows2{row(minus[0]), row(minus[1])});
    else if (after.removals == 2)
        simd::update(out, in, Rows1{row(plus[0])}, Rows2{row(minus[0]), row(minus[1])});
    else
        simd::update(out, in, Rows1{row(plus[0])}, Rows1{row(minus[0])});
    after.computed[side] = true;
}

// Starts from the entry of the refresh table and applies the pieces that differ.
void AccumulatorStack::refresh(Color side, const Position& pos, Level& level) {
    const bool mirrored = is_mirrored(pos.king(side));
    RefreshEntry& last = refresh_table_[side][mirrored ? 1 : 0];
    using None = std::array<const std::int16_t*, 0>;
    using Row = std::array<const std::int16_t*, 1>;
    for (const Color color : {White, Black})
        for (int t = Pawn; t <= King; ++t) {
            const auto type = static_cast<PieceType>(t);
            const Piece piece = make_piece(color, type);
            const Bitboard now = pos.pieces(color, type);
            Bitboard& then = last.pieces[color][type];
            for (Bitboard added = now & ~then; added != 0;)
                simd::update(last.neurons,
                             last.neurons,
                             Row{weights(side, mirrored, {piece, pop_lowest(added)})},
                             None{});
            for (Bitboard removed = then & ~now; removed != 0;)
                simd::update(last.neurons,
                             last.neurons,
                             None{},
                             Row{weights(side, mirrored, {piece, pop_lowest(removed)})});
            then = now;
        }
    level.neurons[side] = last.neurons;
    level.computed[side] = true;
}

// Checks a part of the neurons, since all see the same inputs; checking all would slow the tests.
bool AccumulatorStack::is_exact(Color side, const Position& pos) const {
    constexpr std::size_t Checked = 32;
    const bool mirrored = is_mirrored(pos.king(side));
    std::array<std::int16_t, Checked> neurons{};
    std::copy_n(net_.bias.begin(), Checked, neurons.begin());
    for (Bitboard rest = pos.pieces(); rest != 0;) {
        const Square s = pop_lowest(rest);
        const std::int16_t* row = weights(side, mirrored, {pos.piece_on(s), s});
        for (std::int16_t& neuron : neurons)
            neuron = static_cast<std::int16_t>(neuron + *row++);
    }
    return std::equal(neurons.begin(), neurons.end(), levels_[top_].neurons[side].begin());
}

}  // namespace engine

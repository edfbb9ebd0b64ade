#include "tools/lab/retro/table_set.h"

#include "engine/board/movegen.h"

namespace tools::retro {

void TableSet::add(std::shared_ptr<const DistanceTable> table) {
    const std::uint64_t key = table->ending().counts().key();
    tables_[key] = std::move(table);
}

std::shared_ptr<const DistanceTable> TableSet::find(const engine::PieceCounts& counts) const {
    const auto found = at(counts);
    return found == tables_.end() ? nullptr : found->second;
}

TableSet::Tables::const_iterator TableSet::at(const engine::PieceCounts& counts) const {
    const auto found = tables_.find(counts.key());
    return found != tables_.end() ? found : tables_.find(counts.swapped().key());
}

Value TableSet::value(const Placement& placement, Color side) const {
    if (placement.size == 2)
        return 0;
    engine::PieceCounts counts;
    for (std::size_t i = 0; i < placement.size; ++i)
        ++counts.count[placement.men[i].color][placement.men[i].type];
    const DistanceTable& table = *at(counts)->second;
    const bool swap = table.ending().counts().count != counts.count;
    Squares squares{};
    std::array<bool, MostMen> used{};
    for (std::size_t man = 0; man < placement.size; ++man)
        for (std::size_t i = 0; i < placement.size; ++i) {
            const Man& found = placement.men[i];
            const Color color = swap ? ~found.color : found.color;
            if (used[i] || !(table.ending()[man] == Man{color, found.type}))
                continue;
            used[i] = true;
            squares[man] = placement.squares[i] ^ (swap ? 56 : 0);
            break;
        }
    return table.value(swap ? ~side : side, squares);
}

int TableSet::result(const engine::Position& pos) const {
    Placement placement;
    for (Bitboard left = pos.pieces(); left != 0;) {
        const Square s = engine::pop_lowest(left);
        placement.add({engine::color_of(pos.piece_on(s)), engine::type_of(pos.piece_on(s))}, s);
    }
    const int without = sign(value(placement, pos.side_to_move()));
    if (pos.ep_square() == engine::NoSquare)
        return without;
    int best = -1;
    std::size_t captures = 0;
    const engine::MoveList moves = engine::legal_moves(pos);
    for (const engine::Move m : moves)
        if (m.kind() == engine::MoveKind::EnPassant) {
            engine::Position next = pos;
            next.make(m);
            best = std::max(best, -result(next));
            ++captures;
        }
    return captures == 0 ? without : captures == moves.size() ? best : std::max(best, without);
}

}  // namespace tools::retro

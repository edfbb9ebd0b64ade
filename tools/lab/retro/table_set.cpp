#include "tools/lab/retro/table_set.h"

#include "engine/board/movegen.h"

namespace tools::retro {

Placement Placement::of(const engine::Position& pos) {
    Placement placement;
    for (Bitboard left = pos.pieces(); left != 0;) {
        const Square s = engine::pop_lowest(left);
        placement.add({engine::color_of(pos.piece_on(s)), engine::type_of(pos.piece_on(s))}, s);
    }
    return placement;
}

void TableSet::add(std::shared_ptr<const DistanceTable> table) {
    const Ending ending = table->ending();
    solved_.try_emplace(ending.counts().key(), Solved{ending}).first->second.distances =
        std::move(table);
}

void TableSet::add(const Ending& ending, Wins wins) {
    solved_.try_emplace(ending.counts().key(), Solved{ending}).first->second.wins = std::move(wins);
}

void TableSet::remove_wins(const Ending& ending) {
    const auto found = solved_.find(ending.counts().key());
    if (found != solved_.end())
        found->second.wins.reset();
}

const TableSet::Solved* TableSet::at(const engine::PieceCounts& counts) const {
    auto found = solved_.find(counts.key());
    if (found == solved_.end())
        found = solved_.find(counts.swapped().key());
    return found == solved_.end() ? nullptr : &found->second;
}

std::shared_ptr<const DistanceTable> TableSet::find(const engine::PieceCounts& counts) const {
    const Solved* const found = at(counts);
    return found == nullptr ? nullptr : found->distances;
}

const Wins* TableSet::wins(const Ending& ending) const {
    const Solved* const found = at(ending.counts());
    return found == nullptr || !found->wins ? nullptr : &*found->wins;
}

Value TableSet::value(const Placement& placement, Color side) const {
    if (placement.size == 2)
        return 0;
    engine::PieceCounts counts;
    for (std::size_t i = 0; i < placement.size; ++i)
        ++counts.count[placement.men[i].color][placement.men[i].type];
    const Solved& solved = *at(counts);
    const bool swap = solved.ending.counts().count != counts.count;
    Squares squares{};
    std::array<bool, MaxMen> used{};
    for (std::size_t man = 0; man < placement.size; ++man)
        for (std::size_t i = 0; i < placement.size; ++i) {
            const Man& found = placement.men[i];
            const Color color = swap ? ~found.color : found.color;
            if (used[i] || !(solved.ending[man] == Man{color, found.type}))
                continue;
            used[i] = true;
            squares[man] = placement.squares[i] ^ (swap ? 56 : 0);
            break;
        }
    const Color own = swap ? ~side : side;
    return solved.distances ? solved.distances->value(own, squares)
                            : solved.wins->value(own, squares);
}

int TableSet::result(const engine::Position& pos) const {
    const int without = sign(value(Placement::of(pos), pos.side_to_move()));
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

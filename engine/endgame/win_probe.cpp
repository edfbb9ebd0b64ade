#include "engine/endgame/win_probe.h"

#include "engine/endgame/win_solver.h"

#include <optional>

namespace engine {
namespace {

bool add_with_successors(const WinMaterial& material,
                         bool distances,
                         WinTables& tables,
                         const std::function<bool()>& stopped) {
    if (tables.find(material) != nullptr)
        return true;
    // Only without pawns are plies counted to mate, which needs the plies of the successors.
    for (const WinMaterial& next : material.successors())
        if (!add_with_successors(next, distances && material.pawns() == 0, tables, stopped))
            return false;
    auto table = solve_wins(material, tables, distances, stopped, GivenUp);
    if (table == nullptr)
        return false;
    tables.add(std::move(table));
    return true;
}

WinValue probe_without_en_passant(const WinTables& tables, const Position& pos) {
    for (const Color attacker : {White, Black}) {
        const WinTable& table = tables.at(material_of(pos, attacker));
        Bitboard left = pos.pieces() & ~pos.pieces(King);
        WinTable::Men men{};
        for (std::size_t i = 0; i < table.men().size(); ++i) {
            const auto [attacks, type] = table.men()[i];
            const Square s = lowest(left & pos.pieces(attacks ? attacker : ~attacker, type));
            left &= ~bit(s);
            men[i] = relative(attacker, s);
        }
        const Square king = relative(attacker, pos.king(attacker));
        const Square other = relative(attacker, pos.king(~attacker));
        const WinTable::Place at = table.place(king, men);
        if (pos.side_to_move() == attacker && (table.open(king, men) & bit(other)) == 0)
            return {1, table.has_distances() ? table.won_plies(at, other) : 0};
        if (pos.side_to_move() != attacker && (table.lost(king, men) & bit(other)) != 0)
            return {-1, table.has_distances() ? table.lost_plies(at, other) : 0};
    }
    return {};
}

}  // namespace

WinMaterial material_of(const Position& pos, Color attacker) {
    WinMaterial found;
    for (std::size_t type = Pawn; type <= Queen; ++type) {
        const auto t = static_cast<PieceType>(type);
        found.count[0][type] = popcount(pos.pieces(attacker, t));
        found.count[1][type] = popcount(pos.pieces(~attacker, t));
    }
    return found;
}

bool solve_ending(const Position& pos,
                  bool distances,
                  WinTables& tables,
                  const std::function<bool()>& stopped) {
    return add_with_successors(material_of(pos, White), distances, tables, stopped) &&
           add_with_successors(material_of(pos, Black), distances, tables, stopped);
}

WinValue probe(const WinTables& tables, const Position& pos) {
    const WinValue without = probe_without_en_passant(tables, pos);
    if (pos.ep_square() == NoSquare)
        return without;
    std::optional<WinValue> best;
    bool others = false;
    for (const Move m : legal_moves(pos)) {
        if (m.kind() != MoveKind::EnPassant) {
            others = true;
            continue;
        }
        const WinValue found = probe_move(tables, pos, m);
        if (!best || found.rank() > best->rank())
            best = found;
    }
    return best && (!others || best->rank() > without.rank()) ? *best : without;
}

WinValue probe_move(const WinTables& tables, const Position& pos, Move m) {
    Position next = pos;
    next.make(m);
    const WinValue after = probe(tables, next);
    const bool converts = pos.is_capture(m) || m.kind() == MoveKind::Promotion;
    if (!converts || pos.pieces(Pawn) == 0)
        return {-after.result, after.plies + 1};
    return {-after.result, after.result > 0 ? GivenUp : 1};
}

}  // namespace engine

#include "engine/endgame/solved_ending.h"

#include <new>
#include <optional>

namespace engine {
namespace {

WinMaterial material_of(const Position& pos, Color attacker) {
    WinMaterial found;
    for (std::size_t type = Pawn; type <= Queen; ++type) {
        const auto t = static_cast<PieceType>(type);
        found.count[0][type] = popcount(pos.pieces(attacker, t));
        found.count[1][type] = popcount(pos.pieces(~attacker, t));
    }
    return found;
}

// Plies for which the winner keeps his men in an ending with pawns.
constexpr int GivenUp = 41;

// False if stopped. Successors need distances only where these are to mate.
bool add_with_successors(const WinMaterial& material,
                         bool distances,
                         WinTables& tables,
                         const std::function<bool()>& stopped) {
    if (tables.find(material) != nullptr)
        return true;
    for (const WinMaterial& next : material.successors())
        if (!add_with_successors(next, distances && material.pawns() == 0, tables, stopped))
            return false;
    auto table = solve_wins(material, tables, distances, stopped, GivenUp);
    if (table == nullptr)
        return false;
    tables.add(std::move(table));
    return true;
}

}  // namespace

std::shared_ptr<const SolvedEnding> SolvedEnding::solve(const Position& pos,
                                                        const std::function<bool()>& stopped) {
    if (popcount(pos.pieces()) > MostMen || pos.castling_rights() != 0)
        return nullptr;
    try {
        auto solved = std::make_shared<SolvedEnding>();
        solved->material_ = material_of(pos, White);
        for (const Color attacker : {White, Black})
            if (!add_with_successors(material_of(pos, attacker), true, solved->tables_, stopped))
                return nullptr;
        return solved;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

bool SolvedEnding::covers(const Position& pos) const {
    return pos.castling_rights() == 0 &&
           (material_of(pos, White) == material_ || material_of(pos, Black) == material_);
}

SolvedEnding::Value SolvedEnding::value_without_en_passant(const Position& pos) const {
    for (const Color attacker : {White, Black}) {
        const WinTable& table = tables_.at(material_of(pos, attacker));
        Bitboard unused = pos.pieces() & ~pos.pieces(King);
        WinTable::Men men{};
        for (std::size_t i = 0; i < table.men().size(); ++i) {
            const auto [attacks, type] = table.men()[i];
            const Square s = lowest(unused & pos.pieces(attacks ? attacker : ~attacker, type));
            unused &= ~bit(s);
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

SolvedEnding::Value SolvedEnding::value(const Position& pos) const {
    const Value without = value_without_en_passant(pos);
    if (pos.ep_square() == NoSquare)
        return without;
    std::optional<Value> best;
    bool others = false;
    for (const Move m : legal_moves(pos)) {
        if (m.kind() != MoveKind::EnPassant) {
            others = true;
            continue;
        }
        const Value found = value_of_move(pos, m);
        if (!best || found.rank() > best->rank())
            best = found;
    }
    return best && (!others || best->rank() > without.rank()) ? *best : without;
}

SolvedEnding::Value SolvedEnding::value_of_move(const Position& pos, Move m) const {
    Position next = pos;
    next.make(m);
    const Value after = value(next);
    const bool converts = pos.is_capture(m) || m.kind() == MoveKind::Promotion;
    if (!converts || material_.pawns() == 0)
        return {-after.result, after.plies + 1};
    return {-after.result, after.result > 0 ? GivenUp : 1};
}

SolvedEnding::Choice SolvedEnding::choose(const Position& root, const MoveList& moves) const {
    Choice choice;
    std::optional<Value> best;
    for (const Move m : moves) {
        const Value found = value_of_move(root, m);
        if (!best || found.rank() > best->rank()) {
            choice.moves.clear();
            best = found;
        }
        if (found.rank() == best->rank())
            choice.moves.add(m);
    }
    choice.result = best->result;
    choice.plies = best->result == 0 || root.pieces(Pawn) != 0 ? 0 : best->plies;
    return choice;
}

}  // namespace engine

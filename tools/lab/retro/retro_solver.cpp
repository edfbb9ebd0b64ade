#include "tools/lab/retro/retro_solver.h"

#include "tools/common/errors.h"

namespace tools::retro {
namespace {

constexpr int MaxPlies = 126;

// The attacker's wins; with the attacker to move, a check is illegal.
void add_wins(DistanceTable& table, const Wins& wins, Color attacker) {
    const engine::WinTable& won = *wins.table(attacker);
    const int flip = attacker == engine::White ? 0 : 56;
    const std::size_t target = ~attacker;
    Bitboard targets = ~Bitboard{0};
    if (target == engine::White) {
        targets = 0;
        for (Bitboard left = table.king_squares(); left != 0;)
            targets |= engine::bit(engine::pop_lowest(left) ^ flip);
    }
    table.for_each_placement(target, [&](Squares squares) {
        const WinPlacement at = wins.seen_by(attacker, squares);
        const auto set = [&](Bitboard of, Color side, const auto& value) {
            for (Bitboard left = of & targets; left != 0;) {
                const Square s = engine::pop_lowest(left);
                squares[target] = s ^ flip;
                table.set(side, squares, value(s));
            }
        };
        const auto checked = [&](int plies) {
            if (plies > MaxPlies)
                throw Failure(table.ending().name() + " has wins too long for the file format");
            return plies;
        };
        const engine::WinTable::Place place = won.place(at.king, at.men);
        const Bitboard legal = won.legal(at.king, at.men);
        set(~legal, attacker, [](Square) { return Illegal; });
        set(legal & ~won.open(at.king, at.men), attacker, [&](Square s) {
            return won_in(checked(won.won_plies(place, s)));
        });
        set(won.lost(at.king, at.men), ~attacker, [&](Square s) {
            return lost_in(checked(won.lost_plies(place, s)));
        });
    });
}

}  // namespace

Wins solve_wins(const Ending& ending,
                const TableSet& known,
                bool distances,
                const std::function<bool()>& stopped) {
    engine::WinTables successors;
    successors.add(engine::solve_wins({}, {}, true));  // bare kings
    for (const Ending& next : ending.successors())
        for (const Color c : {engine::White, engine::Black})
            successors.add(known.wins(next)->table(c));
    const auto solved = [&](Color attacker) {
        Wins::Table table =
            engine::solve_wins(Wins::material(ending, attacker), successors, distances, stopped);
        if (table == nullptr)
            throw Interrupted();
        return table;
    };
    const Wins::Table white = solved(engine::White);
    return {ending, {white, ending.counts().symmetric() ? white : solved(engine::Black)}};
}

DistanceTable distance_table(const Ending& ending, const Wins& wins) {
    DistanceTable table(ending);
    for (const Color attacker : {engine::White, engine::Black})
        add_wins(table, wins, attacker);
    return table;
}

DistanceTable
solve(const Ending& ending, const TableSet& known, const std::function<bool()>& stopped) {
    return distance_table(ending, solve_wins(ending, known, true, stopped));
}

}  // namespace tools::retro

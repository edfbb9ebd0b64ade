#include "engine/endgame/conversions.h"

namespace engine {
namespace {

constexpr bool promotes(Square to) {
    return to < 8 || to >= 56;
}

}  // namespace

Conversions::Men Conversions::Successor::order(const Men& men) const {
    Men ordered{};
    for (std::size_t i = 0; i < table->men().size(); ++i)
        ordered[i] = men[from[i]];
    return ordered;
}

Conversions::Conversions(const WinTable& table,
                         const WinTables& known,
                         const std::vector<Bitboard>& stuck,
                         int given_up)
    : table_(table), stuck_(stuck), plies_(table.has_distances()),
      plies_to_mate_(plies_ && table.material().pawns() == 0), given_up_(given_up) {
    const auto& men = table.men();
    for (std::size_t taken = 0; taken < men.size(); ++taken)
        captures_[taken] = successor(known, None, Pawn, taken);
    for (std::size_t man = 0; man < men.size(); ++man)
        for (const PieceType type : Promotions) {
            if (men[man].type != Pawn)
                continue;
            promotions_[man][type][None] = successor(known, man, type, None);
            for (std::size_t taken = 0; taken < men.size(); ++taken)
                if (men[taken].attacks != men[man].attacks)
                    promotions_[man][type][taken] = successor(known, man, type, taken);
        }
}

Conversions::Successor Conversions::successor(const WinTables& known,
                                              std::size_t promoted,
                                              PieceType type,
                                              std::size_t taken) const {
    std::vector<WinTable::Man> men = table_.men();
    if (promoted != None)
        men[promoted].type = type;
    WinMaterial material;
    for (std::size_t i = 0; i < men.size(); ++i)
        if (i != taken)
            ++material.count[men[i].attacks ? 0 : 1][men[i].type];
    Successor next;
    next.table = &known.at(material);
    std::array<bool, None> used{};
    for (std::size_t i = 0; i < next.table->men().size(); ++i)
        for (std::size_t own = 0; own < men.size(); ++own)
            if (own != taken && !used[own] && men[own] == next.table->men()[i]) {
                next.from[i] = static_cast<std::uint8_t>(own);
                used[own] = true;
                break;
            }
    return next;
}

bool Conversions::en_passant() const {
    return table_.material().count[0][Pawn] > 0 && table_.material().count[1][Pawn] > 0;
}

Bitboard Conversions::legal_to_defend(Square king, const Men& men) const {
    Bitboard occupied = bit(king);
    for (std::size_t i = 0; i < table_.men().size(); ++i)
        occupied |= bit(men[i]);
    Bitboard legal = ~(occupied | king_attacks(king));
    for (std::size_t i = 0; i < table_.men().size(); ++i) {
        const auto [attacks_up, type] = table_.men()[i];
        if (attacks_up)
            continue;
        const Bitboard attacked =
            type == Pawn ? pawn_attacks(Black, men[i]) : attacks(type, men[i], occupied);
        if ((attacked & bit(king)) != 0)  // unless the defender's king stands between
            legal &= type == Pawn || type == Knight ? 0 : between(men[i], king);
    }
    return legal;
}

// Captures of the side's men other than the defender's king, and steps of its pawns that promote.
template <typename Action>
void Conversions::for_each_conversion(Square king,
                                      const Men& men,
                                      bool attackers,
                                      Action action) const {
    const auto& list = table_.men();
    Bitboard occupied = bit(king), others = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        occupied |= bit(men[i]);
        if (list[i].attacks != attackers)
            others |= bit(men[i]);
    }
    const auto taken_on = [&](Square to) {
        return static_cast<std::size_t>(std::find(men.begin(), men.end(), to) - men.begin());
    };
    if (attackers)
        for (Bitboard to = king_attacks(king) & others; to != 0;) {
            const Square t = pop_lowest(to);
            action(captures_[taken_on(t)], t, men, ~Bitboard{0});
        }
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].attacks != attackers)
            continue;
        const Square s = men[i];
        const bool pawn = list[i].type == Pawn;
        Men next = men;
        const auto add = [&](Square to, std::size_t taken, Bitboard possible) {
            next[i] = to;
            if (!pawn || !promotes(to)) {
                action(captures_[taken], king, next, possible);
                return;
            }
            for (const PieceType type : Promotions)
                action(promotions_[i][type][taken], king, next, possible);
        };
        const Bitboard reached =
            pawn ? pawn_attacks(attackers ? White : Black, s) : attacks(list[i].type, s, occupied);
        for (Bitboard to = reached & others; to != 0;) {
            const Square t = pop_lowest(to);
            add(t, taken_on(t), ~between(s, t));
        }
        const Square ahead = attackers ? s + 8 : s - 8;
        if (pawn && promotes(ahead) && (occupied & bit(ahead)) == 0)
            add(ahead, None, ~bit(ahead));
    }
}

// Steps of the side's pawns that do not promote.
template <typename Action>
void Conversions::for_each_step(Square king, const Men& men, bool attackers, Action action) const {
    Bitboard occupied = bit(king);
    for (std::size_t i = 0; i < table_.men().size(); ++i)
        occupied |= bit(men[i]);
    for (std::size_t i = 0; i < table_.men().size(); ++i) {
        if (!(table_.men()[i] == WinTable::Man{attackers, Pawn}))
            continue;
        const Square step = attackers ? 8 : -8, once = men[i] + step, twice = once + step;
        if (promotes(once) || (occupied & bit(once)) != 0)
            continue;
        Men next = men;
        next[i] = once;
        action(i, next, ~bit(once), false);
        if (rank_of(men[i]) != (attackers ? 1 : 6) || (occupied & bit(twice)) != 0)
            continue;
        next[i] = twice;
        action(i, next, ~(bit(once) | bit(twice)), true);
    }
}

// Calls action(ending without `stepped`, its men) for each capture en passant of `stepped`, which
// has just made a double step.
template <typename Action>
void Conversions::for_each_en_passant(std::size_t stepped, const Men& men, Action action) const {
    const bool attackers = table_.men()[stepped].attacks;
    const Square passed = men[stepped] + (attackers ? -8 : 8);
    for (std::size_t i = 0; i < table_.men().size(); ++i)
        if (table_.men()[i] == WinTable::Man{!attackers, Pawn} &&
            (pawn_attacks(attackers ? White : Black, passed) & bit(men[i])) != 0) {
            Men next = men;
            next[i] = passed;
            action(captures_[stepped], next);
        }
}

void Conversions::find_wins(Square king, const Men& men, DatedSquares& wins) const {
    for_each_conversion(king,
                        men,
                        true,
                        [&](const Successor& next, Square to, const Men& after, Bitboard possible) {
                            const Men ordered = next.order(after);
                            const Bitboard won = next.table->lost(to, ordered) & possible;
                            if (!plies_) {
                                wins.squares |= won;
                                return;
                            }
                            const WinTable::Place at = next.table->place(to, ordered);
                            for (Bitboard b = won; b != 0;) {
                                const Square s = pop_lowest(b);
                                wins.add_earliest(
                                    s, plies_to_mate_ ? next.table->lost_plies(at, s) + 1 : 1);
                            }
                        });
    for_each_step(
        king, men, true, [&](std::size_t stepped, const Men& after, Bitboard possible, bool twice) {
            const WinTable::Place at = table_.place(king, after);
            Bitboard lost = table_.lost(king, after), saved = 0, answered = 0;
            if (twice)
                for_each_en_passant(stepped, after, [&](const Successor& next, const Men& taken) {
                    const Men ordered = next.order(taken);
                    saved |= next.table->open(king, ordered);
                    answered |= next.table->legal(king, ordered);
                });
            // En passant may be the only move: a stalemate becomes a loss, and mate comes later.
            if (answered != 0)
                lost |= turned_back(stuck_[at.index], at.turn) & answered;
            lost &= possible & ~saved;
            if (!plies_) {
                wins.squares |= lost;
                return;
            }
            for (Bitboard b = lost; b != 0;) {
                const Square s = pop_lowest(b);
                const int plies = table_.lost_plies(at, s);
                wins.add_earliest(s, 1 + ((answered & bit(s)) != 0 ? std::max(plies, 1) : plies));
            }
        });
}

void Conversions::find_defence(Square king, const Men& men, Defence& defence) const {
    const auto add = [&](Bitboard legal, Bitboard open, const auto& plies) {
        defence.moves |= legal;
        defence.saved |= open;
        if (plies_)
            for (Bitboard b = legal & ~open; b != 0;) {
                const Square s = pop_lowest(b);
                defence.late.add_latest(s, plies(s));
            }
    };
    for (std::size_t taken = 0; taken < table_.men().size(); ++taken) {
        if (!table_.men()[taken].attacks)
            continue;
        const Successor& next = captures_[taken];
        const Men ordered = next.order(men);
        const Square to = men[taken];
        if ((next.table->legal(king, ordered) & bit(to)) == 0)
            continue;
        const bool open = (next.table->open(king, ordered) & bit(to)) != 0;
        add(king_attacks(to), open ? king_attacks(to) : 0, [&](Square) {
            return plies_to_mate_ ? next.table->won_plies(next.table->place(king, ordered), to) + 1
                                  : given_up_;
        });
    }
    for_each_conversion(
        king, men, false, [&](const Successor& next, Square, const Men& after, Bitboard possible) {
            const Men ordered = next.order(after);
            add(next.table->legal(king, ordered) & possible,
                next.table->open(king, ordered) & possible,
                [&](Square s) {
                    return plies_to_mate_
                               ? next.table->won_plies(next.table->place(king, ordered), s) + 1
                               : given_up_;
                });
        });
    for_each_step(king,
                  men,
                  false,
                  [&](std::size_t stepped, const Men& after, Bitboard possible, bool twice) {
                      Bitboard taken_en_passant = 0;
                      if (twice)
                          for_each_en_passant(
                              stepped, after, [&](const Successor& next, const Men& taken) {
                                  taken_en_passant |= next.table->lost(king, next.order(taken));
                              });
                      const WinTable::Place at = table_.place(king, after);
                      add(table_.legal(king, after) & possible,
                          table_.open(king, after) & possible & ~taken_en_passant,
                          [&](Square s) {
                              const int plies = table_.won_plies(at, s);
                              const bool at_once = (taken_en_passant & bit(s)) != 0;
                              return 1 + (at_once ? 1 : plies);
                          });
                  });
}

}  // namespace engine

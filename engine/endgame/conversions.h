// The results of captures, promotions and pawn moves of a placement, for all squares of the
// defender's king at once.
#pragma once

#include "engine/endgame/win_table.h"

namespace engine {

// Squares of the defender's king, with a number of plies for each.
struct DatedSquares {
    Bitboard squares = 0;
    BySquare<std::uint8_t> plies{};

    void add_earliest(Square s, int n) {
        if ((squares & bit(s)) == 0 || n < plies[s])
            plies[s] = static_cast<std::uint8_t>(n);
        squares |= bit(s);
    }
    void add_latest(Square s, int n) {
        if ((squares & bit(s)) == 0 || n > plies[s])
            plies[s] = static_cast<std::uint8_t>(n);
        squares |= bit(s);
    }
};

struct Defence {
    Bitboard moves = 0;  // there is a legal move
    Bitboard saved = 0;  // one of them does not lose
    DatedSquares late;   // the longest loss by one of them; empty without distances
};

class Conversions {
  public:
    using Men = WinTable::Men;

    // `stuck`: by word of the table, positions solved earlier where the defender, to move, is
    // stalemated; read only if en_passant(). All must outlive the object, and `known` must hold all
    // successors. `given_up`: see solve_wins().
    Conversions(const WinTable& table,
                const WinTables& known,
                const std::vector<Bitboard>& stuck,
                int given_up);

    [[nodiscard]] bool en_passant() const;  // both sides have pawns
    // The squares where the defender's king may stand with the defender to move. Requires men on
    // different squares.
    [[nodiscard]] Bitboard legal_to_defend(Square king, const Men& men) const;
    // Adds the squares where the attacker, to move, has a winning capture, promotion or pawn move.
    void find_wins(Square king, const Men& men, DatedSquares& wins) const;
    // Adds the defender's captures, promotions and pawn moves to `defence`.
    void find_defence(Square king, const Men& men, Defence& defence) const;

  private:
    // The ending after a capture or promotion; its i-th man was man `from[i]` before.
    struct Successor {
        const WinTable* table = nullptr;
        std::array<std::uint8_t, WinMaterial::MaxMen> from{};
        [[nodiscard]] Men order(const Men& men) const;
    };
    static constexpr std::size_t None = WinMaterial::MaxMen;
    using ByMan = std::array<Successor, None + 1>;

    [[nodiscard]] Successor successor(const WinTables& known,
                                      std::size_t promoted,
                                      PieceType type,
                                      std::size_t taken) const;
    template <typename Action>
    void for_each_conversion(Square king, const Men& men, bool attackers, Action action) const;
    template <typename Action>
    void for_each_step(Square king, const Men& men, bool attackers, Action action) const;
    template <typename Action>
    void for_each_en_passant(std::size_t stepped, const Men& men, Action action) const;

    const WinTable& table_;
    const std::vector<Bitboard>& stuck_;
    bool plies_, plies_to_mate_;
    int given_up_;
    ByMan captures_;
    std::array<std::array<ByMan, 5>, None> promotions_;
};

}  // namespace engine

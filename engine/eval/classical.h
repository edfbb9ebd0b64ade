// A hand-written evaluation: material, squares, mobility, pawns, threats and the king's safety,
// each with a middlegame and an endgame value, mixed by the material left.
#pragma once

#include "engine/eval/pawns.h"

namespace engine::classical {

enum class Term {
    Material,
    Squares,
    Pawns,
    Passed,
    Knights,
    Bishops,
    Rooks,
    Queens,
    King,
    Threats,
    Space,
    Count
};
inline constexpr auto TermCount = static_cast<std::size_t>(Term::Count);

struct Terms {
    std::array<std::array<Tapered, 2>, TermCount> value{};  // by colour, each from its own side
    int phase = 0;                                          // 24 with all pieces, 0 with none
    Tapered& of(Term t, Color c) { return value[static_cast<std::size_t>(t)][c]; }
    [[nodiscard]] Tapered total() const {  // for White
        Tapered sum = 0;
        for (const auto& pair : value)
            sum += pair[White] - pair[Black];
        return sum;
    }
};
inline constexpr int FullPhase = 24;

Terms judge(const Position& pos, PawnTable& pawns);

}  // namespace engine::classical

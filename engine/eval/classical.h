// The classical, hand-written evaluation: material, piece-square tables, mobility, pawns, threats,
// king safety. The first network was trained on it. The option EvalFile=- selects it.
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
    std::array<std::array<Tapered, 2>, TermCount> value{};  // by colour, from the side's own view
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

Terms evaluate(const Position& pos, PawnTable& pawns);

}  // namespace engine::classical

#include "engine/endgame/win_table.h"

namespace engine {
namespace {

constexpr std::size_t TriangleSize = 10;
constexpr auto TriangleIndex = [] {
    BySquare<std::size_t> index{};
    std::size_t n = 0;
    for (Square s = 0; s < 64; ++s)
        if (turn_to_triangle(s) == 0)
            index[s] = n++;
    return index;
}();
constexpr auto TurnToTriangle = [] {
    BySquare<Turn> turns{};
    for (Square s = 0; s < 64; ++s)
        turns[s] = turn_to_triangle(s);
    return turns;
}();
constexpr auto Turned = [] {
    std::array<BySquare<std::uint8_t>, 8> squares{};
    for (Turn t = 0; t < 8; ++t)
        for (Square s = 0; s < 64; ++s)
            squares[t][s] = static_cast<std::uint8_t>(turned(s, t));
    return squares;
}();

}  // namespace

int WinMaterial::men() const {
    int sum = 0;
    for (const auto& side : count)
        for (const int n : side)
            sum += n;
    return sum;
}

std::uint64_t WinMaterial::key() const {
    std::uint64_t key = 0;
    for (const auto& side : count)
        for (const int n : side)
            key = key << 4 | static_cast<std::uint64_t>(n);
    return key;
}

std::vector<WinMaterial> WinMaterial::successors() const {
    std::vector<WinMaterial> found;
    const auto add = [&](const WinMaterial& next) {
        if (std::find(found.begin(), found.end(), next) == found.end())
            found.push_back(next);
    };
    const auto captures = [&](const WinMaterial& of, std::size_t side) {
        for (std::size_t type = 0; type < 5; ++type)
            if (of.count[side][type] > 0) {
                WinMaterial next = of;
                --next.count[side][type];
                add(next);
            }
    };
    for (const std::size_t side : {0U, 1U}) {
        captures(*this, side);
        for (const PieceType type : Promotions)
            if (count[side][Pawn] > 0) {
                WinMaterial next = *this;
                --next.count[side][Pawn];
                ++next.count[side][type];
                add(next);
                captures(next, 1 - side);
            }
    }
    return found;
}

WinTable::WinTable(const WinMaterial& material, bool distances) : material_(material) {
    for (const bool pawns : {true, false})
        for (const bool attacks : {true, false})
            for (const PieceType type : {Queen, Rook, Bishop, Knight, Pawn})
                if ((type == Pawn) == pawns)
                    men_.insert(men_.end(),
                                static_cast<std::size_t>(material.count[attacks ? 0 : 1][type]),
                                Man{attacks, type});
    pawns_ = static_cast<std::size_t>(material.pawns());
    std::size_t size = pawns_ == 0 ? TriangleSize : 64;
    for (std::size_t i = 0; i < men_.size(); ++i)
        size *= i >= pawns_ ? 64 : i == 0 ? 24 : 48;
    open_.resize(size);
    lost_.resize(size);
    if (distances) {
        won_plies_.resize(64 * size);
        lost_plies_.resize(64 * size);
    }
}

// The first pawn stands on files a to d; without pawns the attacker's king in a1-d1-d4.
WinTable::Place WinTable::place(Square king, const Men& men) const {
    const Turn turn = pawns_ == 0 ? TurnToTriangle[king] : file_of(men[0]) > 3 ? MirrorFiles : 0;
    const auto& to = Turned[turn];
    std::size_t index = 0;
    if (pawns_ > 0) {
        const auto first = static_cast<std::size_t>(to[men[0]]);
        index = (first / 8 - 1) * 4 + first % 8;
        for (std::size_t i = 1; i < pawns_; ++i)
            index = index * 48 + to[men[i]] - 8;
        index = index * 64 + to[king];
    } else {
        index = TriangleIndex[to[king]];
    }
    for (std::size_t i = pawns_; i < men_.size(); ++i)
        index = index * 64 + to[men[i]];
    return {index, turn};
}

Bitboard WinTable::legal(Square king, const Men& men) const {
    Bitboard occupied = bit(king), attacked = king_attacks(king);
    for (std::size_t i = 0; i < men_.size(); ++i) {
        if ((occupied & bit(men[i])) != 0)
            return 0;
        occupied |= bit(men[i]);
    }
    for (std::size_t i = 0; i < men_.size(); ++i)
        if (men_[i].attacks)
            attacked |= men_[i].type == Pawn ? pawn_attacks(White, men[i])
                                             : attacks(men_[i].type, men[i], occupied);
    return ~(occupied | attacked);
}

}  // namespace engine

#include "engine/level/level.h"

#include "engine/board/attacks.h"
#include "engine/board/zobrist.h"

#include <algorithm>

namespace engine {
namespace {

constexpr int StepElo = 200;  // between two rows
constexpr std::array<LevelParameters, 11> Rows{{
    {97, 430, 86},     // 800
    {150, 374, 75},    // 1000
    {230, 323, 66},    // 1200
    {360, 279, 56},    // 1400
    {560, 235, 47},    // 1600
    {870, 191, 40},    // 1800
    {1'300, 156, 33},  // 2000
    {2'100, 126, 27},  // 2200
    {3'200, 100, 22},  // 2400
    {5'000, 79, 17},   // 2600
    {7'700, 60, 13},   // 2800
}};
static_assert(MinElo + StepElo * (static_cast<int>(Rows.size()) - 1) == MaxElo);

constexpr int QueenSeenElo = 1'400;  // above it, a queen is never left en prise
constexpr int MaxMisjudgment = 300;  // less than half a queen, for the same reason

bool has_bare_king(const Position& pos) {
    return popcount(pos.pieces(White)) == 1 || popcount(pos.pieces(Black)) == 1;
}

// A rough normal distribution: the sum of eight bytes less its mean. Standard deviation 209.
constexpr int Deviation = 209;
constexpr int bell(std::uint64_t bits) {
    int sum = 0;
    for (int i = 0; i < 8; ++i)
        sum += static_cast<int>(bits >> 8 * i & 255);
    return sum - 1'020;
}

int interpolated(int a, int b, int part) {
    return a + (b - a) * part / StepElo;
}

}  // namespace

LevelParameters level_parameters(int elo) {
    const int above = std::clamp(elo, MinElo, MaxElo) - MinElo;
    const auto row = static_cast<std::size_t>(std::min(above, MaxElo - MinElo - 1) / StepElo);
    const int part = above - StepElo * static_cast<int>(row);
    const LevelParameters &low = Rows[row], &high = Rows[row + 1];
    return {interpolated(low.nodes, high.nodes, part),
            interpolated(low.blindness, high.blindness, part),
            interpolated(low.noise, high.noise, part)};
}

int danger(const Position& pos) {
    const Bitboard occupied = pos.pieces();
    int sum = 0;
    for (const Color side : {White, Black}) {
        Bitboard attacked = side == White ? pawn_attacks<White>(pos.pieces(White, Pawn))
                                          : pawn_attacks<Black>(pos.pieces(Black, Pawn));
        for (const PieceType type : {Knight, Bishop, Rook, Queen, King})
            for (Bitboard pieces = pos.pieces(side, type); pieces != 0;)
                attacked |= attacks(type, pop_lowest(pieces), occupied);
        const Bitboard men = pos.pieces(~side) & ~pos.pieces(Pawn);
        sum += 2 * popcount(attacked & men) + popcount(attacked & king_attacks(pos.king(~side)));
    }
    return sum / 2;
}

Level::Level(int elo, std::uint64_t seed)
    : elo_(elo), seed_(splitmix64(seed)), parameters_(level_parameters(elo)) {}

std::uint64_t Level::draw(Key key) const {
    return splitmix64(key ^ seed_);
}

bool Level::overlooks(const Position& pos, Move m, int ply, Move last) const {
    constexpr std::array<int, 6> Far{10, 50, 60, 70, 80, 100};  // percent, by ply
    if (parameters_.blindness == 0 || has_bare_king(pos))
        return false;
    const PieceType victim = pos.captured(m);
    if (victim != NoPieceType && last && m.to() == last.to())
        return false;
    if (victim == Queen && ply <= 1 && elo_ > QueenSeenElo)
        return false;
    const int noticed = victim != NoPieceType || m.kind() == MoveKind::Promotion ? 45 : 100;
    const int length = 60 + 10 * distance(m.from(), m.to());
    const int far = Far[static_cast<std::size_t>(std::min(ply, 5))];
    const int chance = parameters_.blindness * noticed / 100 * length / 100 * far / 100;
    return static_cast<int>(draw(pos.key() + m.raw()) % 1'000) < chance;
}

int Level::misjudgment(const Position& pos) const {
    if (parameters_.noise == 0 || has_bare_king(pos))
        return 0;
    const int deviation = parameters_.noise * (4 + danger(pos)) / 4;
    return std::clamp(
        bell(draw(pos.key())) * deviation / Deviation, -MaxMisjudgment, MaxMisjudgment);
}

int Level::pace(const Position& pos, std::size_t moves) const {
    if (moves <= 1)
        return 5;
    const int mood = static_cast<int>(draw(~pos.key()) % 50);
    return std::min(10 + mood + 3 * danger(pos), 90);
}

}  // namespace engine

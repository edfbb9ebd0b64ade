// The numbers of the classical evaluation, in centipawns: a value for the middlegame and one for
// the endgame each. Squares are seen from White, mirrored so that the own king stands on the king's
// side.
#pragma once

#include "engine/board/types.h"

#include <array>
#include <cstddef>

namespace engine {

// Two values in one number, so that one addition adds both: middlegame low, endgame high.
using Tapered = std::int32_t;
constexpr Tapered tapered(int middlegame, int endgame) {
    return static_cast<Tapered>(static_cast<std::uint32_t>(endgame) << 16) + middlegame;
}
constexpr int middlegame(Tapered t) {
    return static_cast<std::int16_t>(t & 0xFFFF);
}
constexpr int endgame(Tapered t) {
    return static_cast<std::int16_t>(static_cast<std::uint32_t>(t + 0x8000) >> 16);
}
static_assert(middlegame(tapered(-7, 5) * 3) == -21 && endgame(tapered(-7, 5) * 3) == 15);

template <std::size_t n>
using TaperedList = std::array<Tapered, n>;

struct Weights {
    TaperedList<5> material;
    std::array<TaperedList<64>, 6> square;

    TaperedList<9> knight_mobility;
    TaperedList<14> bishop_mobility;
    TaperedList<15> rook_mobility;
    TaperedList<28> queen_mobility;

    // Pawns, by rank seen from their side where there are eight.
    TaperedList<8> passed, connected, phalanx, candidate;
    Tapered isolated, doubled, backward, open_backward;
    // Passed pawns, by rank: each king's distance to the square in front, and the way ahead.
    TaperedList<8> own_king_distance, their_king_distance, free_stop, safe_stop, safe_path;
    Tapered rook_behind, runner;

    Tapered bishop_pair, bishop_blockers, minor_behind_pawn;
    TaperedList<2> knight_outpost, bishop_outpost;  // unsupported by a pawn, supported
    TaperedList<2> rook_file;                       // half open, open
    Tapered rook_on_seventh, long_diagonal;

    // What is attacked, by type: by a pawn, a minor piece, a rook.
    TaperedList<6> by_pawn, by_minor, by_rook;
    Tapered by_king, hanging, push_threat, restricted;

    // Own pawns before the king and enemy pawns coming, by file's distance from the edge and rank.
    std::array<TaperedList<8>, 4> shelter, storm;
    TaperedList<8> blocked_storm;  // an enemy pawn that one of ours stops
    Tapered king_half_open, king_open;
    // King danger: points by attacking piece, square attacked next to the king, weak square,
    // safe check by piece; what no queen takes off. The sum is squared.
    std::array<int, 6> attacker, safe_check;
    int ring_hit, weak_ring, unsafe_check, no_queen, shelter_points, danger_base;

    Tapered space;
    int tempo;
};

// Positional tables before fitting, from simple principles: the centre, the own and the other end.
namespace squares {

constexpr int centre(Square s) {  // 0 in the corners, 6 in the middle
    const int f = file_of(s);
    const int r = rank_of(s);
    return (f < 4 ? f : 7 - f) + (r < 4 ? r : 7 - r);
}

constexpr Tapered value(PieceType t, Square s) {
    const int f = file_of(s);
    const int r = rank_of(s);
    const int c = centre(s);
    const int inner = f < 4 ? f : 7 - f;  // 0 at the edge
    switch (t) {
    case Pawn:
        return tapered((inner == 3   ? 8 + 4 * r
                        : inner == 2 ? 2 * r
                                     : -4) +
                           3 * (r - 1),
                       6 * (r - 1));
    case Knight:
        return tapered(-30 + 8 * c + (r >= 3 && r <= 5 ? 8 : 0) - (r == 0 ? 8 : 0), -24 + 7 * c);
    case Bishop:
        return tapered(-14 + 4 * c - (r == 0 ? 8 : 0), -10 + 3 * c);
    case Rook:
        return tapered(-8 + 4 * inner + (r == 6 ? 12 : 0), r == 6 ? 10 : 0);
    case Queen:
        return tapered(-6 + 2 * c - (r > 4 ? 2 : 0), -18 + 6 * c);
    default:
        return tapered(r == 0 ? (inner == 3   ? -10
                                 : inner == 2 ? 5
                                              : 25)
                              : -20 - 10 * r,
                       -40 + 13 * c);
    }
}

constexpr auto tables() {
    std::array<TaperedList<64>, 6> all{};
    for (std::size_t t = 0; t < 6; ++t)
        for (Square s = 0; s < 64; ++s)
            all[t][static_cast<std::size_t>(s)] = value(static_cast<PieceType>(t), s);
    return all;
}

}  // namespace squares

template <std::size_t n>
constexpr TaperedList<n> rising(int mg0, int mg1, int eg0, int eg1) {
    // From the first value to the last, steeper at the beginning.
    TaperedList<n> list{};
    for (int i = 0; i < static_cast<int>(n); ++i) {
        const int k = static_cast<int>(n) - 1;
        const int part = 2 * k * i - i * i;  // 0 … k * k
        list[static_cast<std::size_t>(i)] =
            tapered(mg0 + (mg1 - mg0) * part / (k * k), eg0 + (eg1 - eg0) * part / (k * k));
    }
    return list;
}

inline constexpr Weights W{
    .material = {tapered(82, 100),
                 tapered(340, 310),
                 tapered(355, 325),
                 tapered(480, 550),
                 tapered(1'020, 980)},
    .square = squares::tables(),
    .knight_mobility = rising<9>(-45, 25, -60, 25),
    .bishop_mobility = rising<14>(-35, 45, -50, 45),
    .rook_mobility = rising<15>(-35, 30, -50, 75),
    .queen_mobility = rising<28>(-25, 50, -40, 80),
    .passed = {0,
               tapered(0, 5),
               tapered(2, 10),
               tapered(0, 25),
               tapered(20, 50),
               tapered(60, 95),
               tapered(110, 160),
               0},
    .connected = {0,
                  tapered(3, 0),
                  tapered(12, 5),
                  tapered(14, 8),
                  tapered(20, 18),
                  tapered(45, 40),
                  tapered(90, 60),
                  0},
    .phalanx = {0,
                tapered(4, 0),
                tapered(8, 3),
                tapered(12, 8),
                tapered(25, 25),
                tapered(50, 50),
                tapered(80, 80),
                0},
    .candidate =
        {0, tapered(0, 4), tapered(0, 6), tapered(5, 12), tapered(10, 25), tapered(20, 40), 0, 0},
    .isolated = tapered(-8, -12),
    .doubled = tapered(-6, -22),
    .backward = tapered(-6, -10),
    .open_backward = tapered(-12, -8),
    .own_king_distance =
        {0, 0, tapered(0, -1), tapered(0, -4), tapered(0, -7), tapered(0, -10), tapered(0, -10), 0},
    .their_king_distance =
        {0, 0, tapered(0, 2), tapered(0, 6), tapered(0, 12), tapered(0, 18), tapered(0, 20), 0},
    .free_stop = {0, 0, 0, tapered(2, 4), tapered(4, 10), tapered(10, 18), tapered(20, 30), 0},
    .safe_stop = {0, 0, 0, tapered(2, 4), tapered(4, 10), tapered(8, 18), tapered(15, 25), 0},
    .safe_path = {0, 0, 0, tapered(4, 8), tapered(8, 18), tapered(12, 35), tapered(20, 45), 0},
    .rook_behind = tapered(4, 14),
    .runner = tapered(0, 300),
    .bishop_pair = tapered(28, 48),
    .bishop_blockers = tapered(-3, -6),
    .minor_behind_pawn = tapered(10, 3),
    .knight_outpost = {tapered(12, 6), tapered(28, 18)},
    .bishop_outpost = {tapered(6, 2), tapered(18, 8)},
    .rook_file = {tapered(14, 6), tapered(30, 12)},
    .rook_on_seventh = tapered(8, 18),
    .long_diagonal = tapered(16, 0),
    .by_pawn = {0, tapered(55, 35), tapered(55, 45), tapered(75, 35), tapered(65, 40), 0},
    .by_minor =
        {tapered(3, 15), tapered(25, 25), tapered(25, 25), tapered(50, 50), tapered(40, 60), 0},
    .by_rook =
        {tapered(0, 15), tapered(20, 25), tapered(25, 25), tapered(5, 20), tapered(50, 40), 0},
    .by_king = tapered(15, 45),
    .hanging = tapered(40, 25),
    .push_threat = tapered(20, 15),
    .restricted = tapered(4, 4),
    .shelter = {TaperedList<8>{tapered(-10, 0),
                               tapered(30, 0),
                               tapered(30, 0),
                               tapered(10, 0),
                               tapered(5, 0),
                               0,
                               0,
                               0},
                TaperedList<8>{tapered(-30, 0),
                               tapered(40, 0),
                               tapered(20, 0),
                               tapered(-15, 0),
                               tapered(-15, 0),
                               0,
                               0,
                               0},
                TaperedList<8>{
                    tapered(-20, 0), tapered(35, 0), tapered(8, 0), tapered(0, 0), 0, 0, 0, 0},
                TaperedList<8>{
                    tapered(-25, 0), tapered(18, 0), tapered(-5, 0), tapered(-10, 0), 0, 0, 0, 0}},
    .storm = {TaperedList<8>{0,
                             tapered(40, 0),
                             tapered(-50, 0),
                             tapered(-35, 0),
                             tapered(-15, 0),
                             tapered(-8, 0),
                             0,
                             0},
              TaperedList<8>{0,
                             tapered(20, 0),
                             tapered(-60, 0),
                             tapered(-25, 0),
                             tapered(-12, 0),
                             tapered(-4, 0),
                             0,
                             0},
              TaperedList<8>{
                  0, tapered(5, 0), tapered(-70, 0), tapered(-25, 0), tapered(-12, 0), 0, 0, 0},
              TaperedList<8>{
                  0, tapered(5, 0), tapered(-40, 0), tapered(-20, 0), tapered(-8, 0), 0, 0, 0}},
    .blocked_storm = {0, 0, tapered(-20, -5), tapered(-5, -3), 0, 0, 0, 0},
    .king_half_open = tapered(-12, 0),
    .king_open = tapered(-18, 0),
    .attacker = {0, 30, 20, 20, 8, 0},
    .safe_check = {0, 55, 45, 70, 55, 0},
    .ring_hit = 20,
    .weak_ring = 45,
    .unsafe_check = 12,
    .no_queen = -180,
    .shelter_points = 2,
    .danger_base = -10,
    .space = tapered(3, 0),
    .tempo = 18,
};

}  // namespace engine

// The weights of the classical evaluation, in centipawns.
#pragma once

#include "engine/eval/squares.h"

#include <array>
#include <cstddef>

namespace engine {

template <std::size_t n>
using TaperedList = std::array<Tapered, n>;

struct Weights {
    TaperedList<5> material;
    std::array<BySquare<Tapered>, 6> square;

    TaperedList<9> knight_mobility;
    TaperedList<14> bishop_mobility;
    TaperedList<15> rook_mobility;
    TaperedList<28> queen_mobility;

    // Pawns, by rank as seen by their side.
    TaperedList<8> passed, connected, phalanx, candidate;
    Tapered isolated, doubled, backward, open_backward;
    // Passed pawns, by rank: kings' distances to the square in front; whether that and the path are
    // free or safe.
    TaperedList<8> own_king_distance, their_king_distance, free_stop, safe_stop, safe_path;
    Tapered rook_behind, runner;

    Tapered bishop_pair, bishop_blockers, minor_behind_pawn;
    TaperedList<2> knight_outpost, bishop_outpost;  // unsupported by a pawn, supported
    TaperedList<2> rook_file;                       // half open, open
    Tapered rook_on_seventh, long_diagonal;

    // Threats by a pawn, a minor piece, a rook, by type of the attacked piece.
    TaperedList<6> by_pawn, by_minor, by_rook;
    Tapered by_king, hanging, push_threat, restricted;

    // Pawn shelter and storm, by distance of the file from the edge and by rank.
    std::array<TaperedList<8>, 4> shelter, storm;
    TaperedList<8> blocked_storm;  // an enemy pawn blocked by one of ours
    Tapered king_half_open, king_open;
    // King danger, in points whose sum is squared: for each attacking piece, attacked square of the
    // king ring, weak square and check, and for an attacker without a queen.
    std::array<int, 6> attacker, safe_check;
    int ring_hit, weak_ring, unsafe_check, no_queen, shelter_points, danger_base;

    Tapered space;
    int tempo;
};

// clang-format off
inline constexpr Weights W{
    .material = {tapered(62, 109), tapered(301, 344), tapered(301, 377), tapered(408, 612),
        tapered(1004, 1022)},
    .square = SquareTables,
    .knight_mobility = {tapered(-35, -6), tapered(-24, -34), tapered(-17, -7), tapered(-8, 10),
        tapered(0, 15), tapered(3, 23), tapered(9, 19), tapered(10, 17), tapered(1, 7)},
    .bishop_mobility = {tapered(-40, 12), tapered(-24, -14), tapered(-7, -3), tapered(-1, 14),
        tapered(5, 16), tapered(10, 24), tapered(14, 29), tapered(11, 35), tapered(17, 34),
        tapered(14, 39), tapered(25, 38), tapered(14, 27), tapered(52, -4), tapered(-11, 22)},
    .rook_mobility = {tapered(-57, -27), tapered(-34, -15), tapered(-15, 1), tapered(-10, 24),
        tapered(-9, 44), tapered(-1, 46), tapered(-1, 45), tapered(7, 41), tapered(11, 53),
        tapered(15, 55), tapered(13, 57), tapered(26, 64), tapered(23, 67), tapered(26, 65),
        tapered(45, 65)},
    .queen_mobility = {tapered(-4, -41), tapered(-13, 7), tapered(-7, -4), tapered(3, -12),
        tapered(7, -16), tapered(16, 3), tapered(15, 21), tapered(19, 1), tapered(22, 35),
        tapered(24, 32), tapered(23, 47), tapered(21, 51), tapered(23, 69), tapered(20, 66),
        tapered(18, 78), tapered(20, 81), tapered(16, 100), tapered(17, 89), tapered(26, 81),
        tapered(8, 88), tapered(27, 62), tapered(28, 25), tapered(38, 28), tapered(36, -13),
        tapered(6, 5), tapered(-10, 4), tapered(36, 63), tapered(26, 45)},
    .passed = {0, tapered(7, 29), tapered(3, 29), tapered(3, 37), tapered(2, 51), tapered(60, 46),
        tapered(112, 127), 0},
    .connected = {0, tapered(3, 0), tapered(13, 6), tapered(14, 7), tapered(19, 21),
        tapered(49, 52), tapered(108, 115), 0},
    .phalanx = {0, tapered(8, -1), tapered(8, -4), tapered(11, 6), tapered(17, 32), tapered(37, 81),
        tapered(70, 104), 0},
    .candidate = {0, tapered(-34, 14), tapered(-8, 21), tapered(-9, 32), tapered(-3, 31),
        tapered(-2, 81), 0, 0},
    .isolated = tapered(-5, -9),
    .doubled = tapered(-5, -28),
    .backward = tapered(-2, -5),
    .open_backward = tapered(-6, -2),
    .own_king_distance = {0, tapered(2, -6), tapered(12, -10), tapered(-4, -15), tapered(0, -18),
        tapered(1, -21), tapered(-2, -34), 0},
    .their_king_distance = {0, tapered(1, -4), tapered(-11, 4), tapered(11, 12), tapered(1, 25),
        tapered(-6, 37), tapered(-12, 54), 0},
    .free_stop = {0, tapered(-23, 13), tapered(-3, 0), tapered(-19, 14), tapered(13, 6),
        tapered(23, 35), tapered(67, 46), 0},
    .safe_stop = {0, tapered(-9, 10), tapered(7, -1), tapered(-6, 13), tapered(-15, 19),
        tapered(8, 34), tapered(60, -14), 0},
    .safe_path = {0, tapered(-34, 9), tapered(17, 18), tapered(5, 15), tapered(11, 27),
        tapered(57, 31), tapered(39, 56), 0},
    .rook_behind = tapered(-1, 29),
    .runner = tapered(-3, 295),
    .bishop_pair = tapered(36, 39),
    .bishop_blockers = tapered(-4, -3),
    .minor_behind_pawn = tapered(5, 12),
    .knight_outpost = {tapered(3, -8), tapered(21, -1)},
    .bishop_outpost = {tapered(1, -19), tapered(17, -5)},
    .rook_file = {tapered(7, 17), tapered(20, 8)},
    .rook_on_seventh = tapered(7, 12),
    .long_diagonal = tapered(22, 15),
    .by_pawn = {0, tapered(63, 27), tapered(63, 49), tapered(78, 1), tapered(43, 26), 0},
    .by_minor = {tapered(5, 19), tapered(14, 33), tapered(32, 32), tapered(52, 13), tapered(46, 39),
        0},
    .by_rook = {tapered(7, 18), tapered(26, 12), tapered(20, 16), tapered(5, 10), tapered(58, 31),
        0},
    .by_king = tapered(30, 34),
    .hanging = tapered(16, 32),
    .push_threat = tapered(19, 15),
    .restricted = tapered(3, 1),
    .shelter = {
        TaperedList<8>{tapered(10, 8), tapered(26, -7), tapered(26, -27), tapered(13, -3),
            tapered(-8, 3), tapered(14, 30), tapered(1, 70), 0},
        TaperedList<8>{tapered(-13, 10), tapered(17, -10), tapered(10, -8), tapered(5, 1),
            tapered(-10, 10), tapered(60, 9), tapered(17, 10), 0},
        TaperedList<8>{tapered(-10, 10), tapered(34, -12), tapered(10, -17), tapered(-12, 7),
            tapered(-24, -15), tapered(18, -4), tapered(32, 36), 0},
        TaperedList<8>{tapered(-11, -7), tapered(2, 10), tapered(-9, 1), tapered(-6, -4),
            tapered(-20, 0), tapered(-29, -5), tapered(37, -15), 0}},
    .storm = {
        TaperedList<8>{tapered(-3, -18), tapered(-70, 184), tapered(-37, 55), tapered(-2, -3),
            tapered(-5, -5), tapered(-7, -12), tapered(-6, -17), 0},
        TaperedList<8>{tapered(-3, -4), tapered(64, -13), tapered(-9, 18), tapered(-4, 8),
            tapered(-1, 7), tapered(-3, 7), tapered(-1, 1), 0},
        TaperedList<8>{tapered(-16, -6), tapered(-38, -13), tapered(0, 21), tapered(-26, -15),
            tapered(-13, -9), tapered(-9, -5), tapered(-17, -15), 0},
        TaperedList<8>{tapered(2, -1), tapered(-4, 25), tapered(-7, -1), tapered(-19, 3),
            tapered(-2, 4), tapered(0, -6), tapered(-2, 7), 0}},
    .blocked_storm = {0, 0, tapered(-20, -7), tapered(5, -7), tapered(-3, -10), tapered(6, -15),
        tapered(-13, -24), 0},
    .king_half_open = tapered(-3, 1),
    .king_open = tapered(-23, -4),
    .attacker = {0, 30, 20, 20, 8, 0},
    .safe_check = {0, 55, 45, 70, 55, 0},
    .ring_hit = 20,
    .weak_ring = 45,
    .unsafe_check = 12,
    .no_queen = -180,
    .shelter_points = 2,
    .danger_base = -10,
    .space = tapered(6, 5),
    .tempo = 18,
};
// clang-format on

}  // namespace engine

// The attack tables, computed at compile time: no start-up work, and no instruction that the
// processor may lack is executed before a slice is chosen. Sources: G. Isenberg and P. Kannan,
// "Magic bitboards", 2006; pext by Intel's BMI2, 2013.
#include "engine/board/attacks.h"

namespace engine::tables {
namespace {

struct Step {
    int file, rank;
};
constexpr std::array<Step, 4> RookSteps{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
constexpr std::array<Step, 4> BishopSteps{{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};
constexpr std::array<Step, 8> KnightSteps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
constexpr std::array<Step, 8> KingSteps{
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

constexpr bool on_board(int file, int rank) {
    return 0 <= file && file < 8 && 0 <= rank && rank < 8;
}

constexpr Bitboard ray(Square s, Step step) {
    Bitboard b = 0;
    int file = file_of(s) + step.file;
    int rank = rank_of(s) + step.rank;
    for (; on_board(file, rank); file += step.file, rank += step.rank)
        b |= bit(make_square(file, rank));
    return b;
}

// The squares of a ray up to and including the first piece. Squares rise along an upward ray.
constexpr Bitboard seen_up(Bitboard ray, Bitboard occupied) {
    const Bitboard hit = occupied & ray;
    return hit != 0 ? ray & (hit ^ (hit - 1)) : ray;
}
constexpr Bitboard seen_down(Bitboard ray, Bitboard occupied) {
    const Bitboard hit = occupied & ray;
    return hit != 0 ? ray & ~(std::bit_floor(hit) - 1) : ray;
}

#ifdef __BMI2__
constexpr BySquare<Bitboard> RookMagics{}, BishopMagics{};  // pext needs none
#else
// clang-format off
constexpr BySquare<Bitboard> RookMagics{{
#include "engine/board/magics_rook.inc"
}};
constexpr BySquare<Bitboard> BishopMagics{{
#include "engine/board/magics_bishop.inc"
}};
// clang-format on
#endif

// The edge squares that never block a slider on s, since there is no square beyond them.
constexpr Bitboard border(Square s) {
    return ((Rank1 | Rank8) & ~rank_bb(rank_of(s))) | ((FileA | FileH) & ~file_bb(file_of(s)));
}

template <std::size_t size>
struct SliderTables {
    BySquare<Slider> sliders{};
    std::array<Bitboard, size> attacks{};
};

// `steps`: two upward directions, then two downward ones.
template <std::size_t size>
constexpr SliderTables<size> make_tables(const std::array<Step, 4>& steps,
                                         const BySquare<Bitboard>& magics) {
    SliderTables<size> t;
    std::uint32_t offset = 0;
    for (Square s = 0; s < 64; ++s) {
        const Bitboard a = ray(s, steps[0]);
        const Bitboard b = ray(s, steps[1]);
        const Bitboard c = ray(s, steps[2]);
        const Bitboard d = ray(s, steps[3]);
        const Bitboard mask = (a | b | c | d) & ~border(s);
        const Bitboard magic = magics[s];
        const auto shift = static_cast<std::uint32_t>(64 - popcount(mask));
        t.sliders[s] = {mask, magic, offset, shift};
        Bitboard occupied = 0;
        std::uint32_t count = 0;
        do {  // all subsets of the mask, in the order of pext
#ifdef __BMI2__
            const std::size_t place = offset + count;
#else
            const std::size_t place = offset + (occupied * magic >> shift);
#endif
            t.attacks[place] = seen_up(a, occupied) | seen_up(b, occupied) |
                               seen_down(c, occupied) | seen_down(d, occupied);
            ++count;
            occupied = (occupied - mask) & mask;
        } while (occupied != 0);
        offset += count;
    }
    return t;
}

constexpr auto Rooks = make_tables<102'400>(RookSteps, RookMagics);
constexpr auto Bishops = make_tables<5'248>(BishopSteps, BishopMagics);

template <std::size_t n>
constexpr BySquare<Bitboard> make_leaper(const std::array<Step, n>& steps) {
    BySquare<Bitboard> table{};
    for (Square s = 0; s < 64; ++s)
        for (const Step& step : steps)
            if (on_board(file_of(s) + step.file, rank_of(s) + step.rank))
                table[s] |= bit(make_square(file_of(s) + step.file, rank_of(s) + step.rank));
    return table;
}

constexpr std::array<BySquare<Bitboard>, 2> make_pawns() {
    std::array<BySquare<Bitboard>, 2> table{};
    for (Square s = 0; s < 64; ++s) {
        table[White][s] = engine::pawn_attacks<White>(bit(s));
        table[Black][s] = engine::pawn_attacks<Black>(bit(s));
    }
    return table;
}

using Pairs = BySquare<BySquare<Bitboard>>;

constexpr Pairs make_between() {
    Pairs table{};
    for (Square a = 0; a < 64; ++a)
        for (const Step& step : KingSteps) {
            Bitboard passed = 0;
            int file = file_of(a) + step.file;
            int rank = rank_of(a) + step.rank;
            for (; on_board(file, rank); file += step.file, rank += step.rank) {
                const Square b = make_square(file, rank);
                table[a][b] = passed;
                passed |= bit(b);
            }
        }
    return table;
}

constexpr Pairs make_line() {
    Pairs table{};
    for (Square a = 0; a < 64; ++a)
        for (const Step& step : KingSteps) {
            const Bitboard ahead = ray(a, step);
            const Bitboard whole = ahead | bit(a) | ray(a, {-step.file, -step.rank});
            for (Bitboard rest = ahead; rest != 0;) {
                const Square b = pop_lowest(rest);
                table[a][b] = whole;
            }
        }
    return table;
}

}  // namespace

constinit const BySquare<Slider> RookSliders = Rooks.sliders;
constinit const BySquare<Slider> BishopSliders = Bishops.sliders;
constinit const std::array<Bitboard, 102'400> RookTable = Rooks.attacks;
constinit const std::array<Bitboard, 5'248> BishopTable = Bishops.attacks;
constinit const Pairs Between = make_between();
constinit const Pairs Line = make_line();
constinit const std::array<BySquare<Bitboard>, 2> PawnAttacks = make_pawns();
constinit const BySquare<Bitboard> KnightAttacks = make_leaper(KnightSteps);
constinit const BySquare<Bitboard> KingAttacks = make_leaper(KingSteps);

}  // namespace engine::tables

// Source: the description of the tables' format by R. de Man, 2013, and probing code in public.
#include "engine/syzygy/layout.h"

#include <functional>

namespace engine {
namespace {

constexpr int PawnCode = 1;
constexpr int Triangle = 10;  // squares a1-d1-d4
constexpr std::uint64_t ThreeNumbers = 31'332, KingPairs = 462;

constexpr std::uint64_t choose(int n, int k) {
    if (k < 0 || n < k)
        return 0;
    std::uint64_t result = 1;
    for (int i = 1; i <= k; ++i)
        result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    return result;
}
constexpr auto Choose = [] {
    std::array<std::array<std::uint64_t, 64>, MaxMen> table{};
    for (int k = 0; k < MaxMen; ++k)
        for (int n = 0; n < 64; ++n)
            table[static_cast<std::size_t>(k)][static_cast<std::size_t>(n)] = choose(n, k);
    return table;
}();
std::uint64_t combinations(int n, int k) {
    return Choose[static_cast<std::size_t>(k)][static_cast<std::size_t>(n)];
}

// Above the diagonal a1-h8: positive; below it: negative.
constexpr int off_diagonal(Square s) {
    return rank_of(s) - file_of(s);
}

// Squares below the diagonal a1-h8, in order: 0..27.
constexpr auto Below = [] {
    BySquare<int> table{};
    int next = 0;
    for (Square s = 0; s < 64; ++s)
        if (off_diagonal(s) < 0)
            table[s] = next++;
    return table;
}();

// The triangle a1-d1-d4: its squares below the diagonal first.
constexpr auto InTriangle = [] {
    BySquare<int> table{};
    int next = 0;
    for (const bool diagonal : {false, true})
        for (Square s = 0; s < 32; ++s)
            if (file_of(s) < 4 && (diagonal ? off_diagonal(s) == 0 : off_diagonal(s) < 0))
                table[s] = next++;
    return table;
}();

// Two kings, the first in the triangle: those with both on the diagonal come last.
constexpr auto Kings = [] {
    std::array<BySquare<int>, Triangle> table{};
    int next = 0;
    for (const bool both_diagonal : {false, true})
        for (int first = 0; first < Triangle; ++first)
            for (Square a = 0; a < 32; ++a) {
                if (file_of(a) > 3 || off_diagonal(a) > 0 || InTriangle[a] != first)
                    continue;
                for (Square b = 0; b < 64; ++b) {
                    const bool on = off_diagonal(a) == 0 && off_diagonal(b) == 0;
                    if (distance(a, b) > 1 && on == both_diagonal &&
                        !(off_diagonal(a) == 0 && off_diagonal(b) > 0))
                        table[static_cast<std::size_t>(first)][b] = next++;
                }
            }
    return table;
}();

// The order of the pawns: file by file from the edges, the pawn nearest to its own side first; the
// highest one leads. a2 is 47, h2 46, a3 45 ….
constexpr auto PawnOrder = [] {
    BySquare<int> table{};
    int next = 47;
    for (int file = 0; file < 4; ++file)
        for (int rank = 1; rank < 7; ++rank) {
            table[make_square(file, rank)] = next--;
            table[make_square(7 - file, rank)] = next--;
        }
    return table;
}();

// For each count of pawns: where the numbers with the leading pawn on a square begin, and how many
// there are with it on a file.
struct Leading {
    std::array<BySquare<std::uint64_t>, MaxMen> begin{};
    std::array<std::array<std::uint64_t, 4>, MaxMen> size{};
};
constexpr Leading Leads = [] {
    Leading table{};
    for (std::size_t count = 1; count < MaxMen; ++count)
        for (int file = 0; file < 4; ++file) {
            std::uint64_t next = 0;
            for (int rank = 1; rank < 7; ++rank) {
                const Square s = make_square(file, rank);
                table.begin[count][s] = next;
                next += choose(PawnOrder[s], static_cast<int>(count) - 1);
            }
            table.size[count][static_cast<std::size_t>(file)] = next;
        }
    return table;
}();

// By insertion: they are few.
template <typename Before>
void sort(Square* first, Square* last, Before before) {
    for (Square* at = first; at != last; ++at)
        for (Square* s = at; s != first && before(*s, *(s - 1)); --s)
            std::swap(*s, *(s - 1));
}

template <typename Change>
void change_all(Squares& squares, int men, Change change) {
    std::transform(squares.begin(), squares.begin() + men, squares.begin(), change);
}

// Of three different pieces, the first in the triangle, and the first one off the diagonal below
// it.
std::uint64_t three_pieces(Square a, Square b, Square c) {
    const int b_left = b - (b > a), c_left = c - (c > a) - (c > b);
    int number = 0;
    if (off_diagonal(a) != 0)
        number = (InTriangle[a] * 63 + b_left) * 62 + c_left;
    else if (off_diagonal(b) != 0)
        number = (6 * 63 + rank_of(a) * 28 + Below[b]) * 62 + c_left;
    else if (off_diagonal(c) != 0)
        number = (6 * 63 + 4 * 28) * 62 + (rank_of(a) * 7 + rank_of(b) - (b > a)) * 28 + Below[c];
    else
        number = (6 * 63 + 4 * 28) * 62 + 4 * 7 * 28 + (rank_of(a) * 7 + rank_of(b) - (b > a)) * 6 +
                 rank_of(c) - (c > a) - (c > b);
    return static_cast<std::uint64_t>(number);
}

}  // namespace

std::optional<Layout> Layout::make(
    const Men& pieces, int men, bool pawns, bool three, std::array<int, 2> order, int file) {
    Layout layout;
    layout.pieces_ = pieces;
    layout.men_ = men;
    layout.pawns_ = pawns;
    layout.three_ = three;
    layout.split();
    layout.second_pawns_ = pawns && layout.piece(layout.group_[0].length) % 8 == PawnCode;
    return layout.multiply(order, file) ? std::optional(layout) : std::nullopt;
}

// A group is a run of equal pieces; without pawns, the first group has two or three different
// pieces.
void Layout::split() {
    const int first = pawns_ ? 1 : three_ ? 3 : 2;
    for (int i = 0; i < men_; ++i) {
        if (i >= first && piece(i) != piece(i - 1))
            ++groups_;
        ++group_[static_cast<std::size_t>(groups_)].length;
    }
    ++groups_;
}

bool Layout::multiply(std::array<int, 2> order, int file) {
    const std::size_t leading = static_cast<std::size_t>(group_[0].length);
    int next = second_pawns_ ? 2 : 1;
    int free = 64 - group_[0].length - (second_pawns_ ? group_[1].length : 0);
    for (int place = 0; place < groups_; ++place) {
        int at = 0;
        std::uint64_t count = 0;
        if (place == order[0]) {
            count = pawns_   ? Leads.size[leading][static_cast<std::size_t>(file)]
                    : three_ ? ThreeNumbers
                             : KingPairs;
        } else if (second_pawns_ && place == order[1]) {
            at = 1;
            count = combinations(48 - group_[0].length, group_[1].length);
        } else if (next < groups_) {
            at = next++;
            const int length = group_[static_cast<std::size_t>(at)].length;
            count = combinations(free, length);
            free -= length;
        } else {
            return false;
        }
        group_[static_cast<std::size_t>(at)].factor = size_;
        size_ *= count;
    }
    return group_[0].factor != 0 && (!second_pawns_ || group_[1].factor != 0);
}

int Layout::lead(Squares& squares, int count) {
    const auto before = [](Square a, Square b) { return PawnOrder[a] < PawnOrder[b]; };
    std::swap(squares[0], *std::max_element(squares.begin(), squares.begin() + count, before));
    return file_of(squares[0]);
}

// Turns and mirrors the board to bring the first group into standard position.
std::uint64_t Layout::first_number(Squares& squares) const {
    const int length = group_[0].length;
    if (file_of(squares[0]) > 3)
        change_all(squares, men_, [](Square s) { return s ^ 7; });
    if (pawns_) {
        sort(squares.data() + 1, squares.data() + length, [](Square a, Square b) {
            return PawnOrder[a] < PawnOrder[b];
        });
        std::uint64_t number = Leads.begin[static_cast<std::size_t>(length)][squares[0]];
        for (int i = 1; i < length; ++i)
            number += combinations(PawnOrder[squares[static_cast<std::size_t>(i)]], i);
        return number;
    }
    if (rank_of(squares[0]) > 3)
        change_all(squares, men_, flip_rank);
    const auto* const off = std::find_if(squares.begin(), squares.begin() + length, off_diagonal);
    if (off != squares.begin() + length && off_diagonal(*off) > 0)
        change_all(squares, men_, [](Square s) { return make_square(rank_of(s), file_of(s)); });
    if (three_)
        return three_pieces(squares[0], squares[1], squares[2]);
    return static_cast<std::uint64_t>(
        Kings[static_cast<std::size_t>(InTriangle[squares[0]])][squares[1]]);
}

std::uint64_t Layout::number(Squares squares) const {
    std::uint64_t result = first_number(squares) * group_[0].factor;
    int begin = group_[0].length;
    for (int g = 1; g < groups_; ++g) {
        const Group& group = group_[static_cast<std::size_t>(g)];
        Square* const first = squares.data() + begin;
        Square* const last = first + group.length;
        sort(first, last, std::less<>());
        // Pawns have 48 squares, the others 64, less those before that are taken.
        const int below = second_pawns_ && g == 1 ? 8 : 0;
        std::uint64_t number = 0;
        for (Square* at = first; at != last; ++at) {
            const auto taken =
                std::count_if(squares.data(), first, [at](Square s) { return s < *at; });
            number += combinations(*at - static_cast<int>(taken) - below,
                                   static_cast<int>(at - first) + 1);
        }
        result += number * group.factor;
        begin += group.length;
    }
    return result;
}

}  // namespace engine

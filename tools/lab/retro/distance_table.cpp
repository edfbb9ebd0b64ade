#include "tools/lab/retro/distance_table.h"

#include "engine/board/notation.h"

#include <fmt/format.h>

namespace tools::retro {
namespace {

using engine::file_of;
using engine::rank_of;

constexpr std::string_view Kind = "Nutcracker retro 2\n";  // the number is the version
constexpr std::string_view Letters = "PNBRQK";
constexpr engine::PieceType FromQueen[] = {
    engine::Queen, engine::Rook, engine::Bishop, engine::Knight, engine::Pawn};

// The white king stands on files a to d; without pawns, too, in the triangle a1-d1-d4.
constexpr std::size_t HalfBoard = 32, Triangle = 10;
constexpr std::array<Square, Triangle> TriangleSquares = {0, 1, 2, 3, 9, 10, 11, 18, 19, 27};
constexpr auto RowInTriangle = [] {
    engine::BySquare<std::size_t> rows{};
    for (std::size_t i = 0; i < Triangle; ++i)
        rows[TriangleSquares[i]] = i;
    return rows;
}();

constexpr Bitboard FilesAToD = 0x0F0F'0F0F'0F0F'0F0F;

// No pawn stands on the first or last rank.
constexpr std::size_t squares_of(const Man& man) {
    return man.type == engine::Pawn ? 48 : 64;
}
constexpr Square first_square(const Man& man) {
    return man.type == engine::Pawn ? 8 : 0;
}

constexpr Square transposed(Square s) {
    return engine::make_square(rank_of(s), file_of(s));
}

// The ending with the colours that its name has: more men first, then the stronger ones.
Ending with_stronger_first(const engine::PieceCounts& counts) {
    const auto strength = [](const std::array<int, 6>& side) {
        int men = 0, order = 0;
        for (const PieceType t : FromQueen) {
            men += side[t];
            order = order * 8 + side[t];
        }
        return std::pair(men, order);
    };
    return Ending(strength(counts.count[0]) < strength(counts.count[1]) ? counts.swapped()
                                                                        : counts);
}

}  // namespace

Ending::Ending(const engine::PieceCounts& counts) : counts_(counts) {
    men_ = {{engine::White, engine::King}, {engine::Black, engine::King}};
    for (const Color c : {engine::White, engine::Black})
        for (const PieceType t : FromQueen)
            men_.insert(men_.end(), static_cast<std::size_t>(counts.count[c][t]), Man{c, t});
    for (const Color c : {engine::White, engine::Black})
        pawns_[c] = counts.count[c][engine::Pawn] > 0;
}

Result<Ending> Ending::from_name(std::string_view name) {
    const auto counts = engine::PieceCounts::from_name(name);
    if (!counts || counts->men() > static_cast<int>(MaxMen))
        return fail(fmt::format("not an ending of three to five men, like KRvK: \"{}\"", name));
    return with_stronger_first(*counts);
}

std::string Ending::name() const {
    std::string text;
    for (const auto& side : counts_.count) {
        text += text.empty() ? "K" : "vK";
        for (const PieceType t : FromQueen)
            text.append(static_cast<std::size_t>(side[t]), Letters[t]);
    }
    return text;
}

std::vector<Ending> Ending::successors() const {
    std::vector<Ending> found;
    const auto add = [&](const engine::PieceCounts& counts) {
        const Ending next = with_stronger_first(counts);
        if (counts.men() > 2 && std::find(found.begin(), found.end(), next) == found.end())
            found.push_back(next);
    };
    for (const Color c : {engine::White, engine::Black})
        for (const PieceType t : FromQueen) {
            if (counts_.count[c][t] == 0)
                continue;
            engine::PieceCounts without = counts_;
            --without.count[c][t];
            add(without);
            if (t != engine::Pawn)
                continue;
            for (const PieceType promoted : FromQueen) {
                engine::PieceCounts with = without;
                ++with.count[c][promoted];
                for (const PieceType taken : FromQueen) {
                    engine::PieceCounts after = with;
                    if (promoted != engine::Pawn && --after.count[~c][taken] >= 0)
                        add(after);
                }
                if (promoted != engine::Pawn)
                    add(with);
            }
        }
    return found;
}

std::vector<Ending> Ending::all() {
    std::vector<Ending> found;
    const auto add = [&](std::string_view name) {
        const Ending next = *from_name(name);
        if (std::find(found.begin(), found.end(), next) == found.end())
            found.push_back(next);
    };
    constexpr std::string_view Pieces = "QRBNP";
    for (const char a : Pieces) {
        add(fmt::format("K{}vK", a));
        for (const char b : Pieces) {
            add(fmt::format("K{}{}vK", a, b));
            add(fmt::format("K{}vK{}", a, b));
        }
    }
    // A capture has fewer men, a promotion fewer pawns.
    std::stable_sort(found.begin(), found.end(), [](const Ending& a, const Ending& b) {
        const auto rank = [](const Ending& e) {
            return std::pair(e.size(), e.counts().count[0][0] + e.counts().count[1][0]);
        };
        return rank(a) < rank(b);
    });
    return found;
}

DistanceTable::DistanceTable(const Ending& ending) : ending_(ending) {
    std::size_t size = ending.has_pawns() ? HalfBoard : Triangle;
    for (std::size_t i = 1; i < ending.size(); ++i)
        size *= squares_of(ending[i]);
    values_.resize(2 * size);
}

std::size_t DistanceTable::index(Color side, Squares squares) const {
    const Square king = squares[0];
    const int mirror =
        (file_of(king) > 3 ? 7 : 0) ^ (!ending_.has_pawns() && rank_of(king) > 3 ? 56 : 0);
    for (Square& s : squares)
        s ^= mirror;
    std::size_t row = static_cast<std::size_t>(4 * rank_of(squares[0]) + file_of(squares[0]));
    if (!ending_.has_pawns()) {
        if (rank_of(squares[0]) > file_of(squares[0]))
            std::transform(squares.begin(), squares.end(), squares.begin(), transposed);
        row = RowInTriangle[squares[0]];
    }
    for (std::size_t i = 1; i < ending_.size(); ++i)
        row = row * squares_of(ending_[i]) +
              static_cast<std::size_t>(squares[i] - first_square(ending_[i]));
    return side == engine::White ? row : row + values_.size() / 2;
}

Bitboard DistanceTable::king_squares() const {
    if (ending_.has_pawns())
        return FilesAToD;
    Bitboard squares = 0;
    for (const Square s : TriangleSquares)
        squares |= engine::bit(s);
    return squares;
}

Squares DistanceTable::first_placement() const {
    Squares squares{};
    for (std::size_t i = 1; i < ending_.size(); ++i)
        squares[i] = first_square(ending_[i]);
    return squares;
}

bool DistanceTable::advance(Squares& squares, std::size_t without) const {
    for (std::size_t i = ending_.size(); --i > 0;) {
        if (i == without)
            continue;
        const Square first = first_square(ending_[i]);
        if (++squares[i] < first + static_cast<Square>(squares_of(ending_[i])))
            return true;
        squares[i] = first;
    }
    if (without == 0)
        return false;
    const Bitboard behind = king_squares() & ~(2 * engine::bit(squares[0]) - 1);
    if (behind == 0)
        return false;
    squares[0] = engine::lowest(behind);
    return true;
}

bool DistanceTable::is_first(const Squares& squares) const {
    const auto sorted = [this](Squares s) {
        for (std::size_t i = 3; i < ending_.size(); ++i)
            for (std::size_t j = i; ending_[j] == ending_[j - 1] && s[j] < s[j - 1]; --j)
                std::swap(s[j], s[j - 1]);
        return s;
    };
    if (sorted(squares) != squares)
        return false;
    if (ending_.has_pawns() || rank_of(squares[0]) != file_of(squares[0]))
        return true;
    Squares other = squares;
    std::transform(other.begin(), other.end(), other.begin(), transposed);
    return squares <= sorted(other);
}

PackedFile DistanceTable::file(const std::string& path) const {
    return {.path = path, .kind = Kind, .ending = ending_.name()};
}

Result<void> DistanceTable::save(const std::string& path) const {
    return save_packed(file(path),
                       {{reinterpret_cast<const char*>(values_.data()), values_.size()}});
}

Result<DistanceTable> DistanceTable::load(const std::string& path, const Ending& ending) {
    DistanceTable table(ending);
    const Result<void> loaded = load_packed(
        table.file(path), {{reinterpret_cast<char*>(table.values_.data()), table.values_.size()}});
    if (!loaded)
        return fail(loaded.error().what);
    return table;
}

std::string fen_of(const Ending& ending, const Squares& squares, Color side, Square ep_square) {
    std::string board(64, '1');
    for (std::size_t i = 0; i < ending.size(); ++i)
        board[static_cast<std::size_t>(engine::flip_rank(squares[i]))] =
            engine::PieceLetters[engine::make_piece(ending[i].color, ending[i].type)];
    std::string fen;
    for (std::size_t rank = 0; rank < 8; ++rank)
        fen += (rank > 0 ? "/" : "") + board.substr(8 * rank, 8);
    const std::string ep = ep_square == engine::NoSquare
                               ? "-"
                               : std::string{static_cast<char>('a' + engine::file_of(ep_square)),
                                             static_cast<char>('1' + engine::rank_of(ep_square))};
    return fen + (side == engine::White ? " w - " : " b - ") + ep + " 0 1";
}

}  // namespace tools::retro

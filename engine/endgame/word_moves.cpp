#include "engine/endgame/word_moves.h"

#include "engine/board/attacks.h"

namespace engine {
namespace {

using Line = std::vector<Square>;

void add_lines(int files, int ranks, std::vector<Line>& lines) {
    const auto is_on_board = [](int file, int rank) {
        return file >= 0 && file < 8 && rank >= 0 && rank < 8;
    };
    for (Square s = 0; s < 64; ++s) {
        int file = file_of(s), rank = rank_of(s);
        if (is_on_board(file - files, rank - ranks))
            continue;
        Line line;
        for (; is_on_board(file, rank); file += files, rank += ranks)
            line.push_back(make_square(file, rank));
        if (line.size() > 1)
            lines.push_back(line);
    }
}

}  // namespace

WordMoves::WordMoves(PieceType type, std::size_t block, std::size_t stride)
    : block_(block), stride_(stride) {
    if (type == Knight)
        for (Square s = 0; s < 64; ++s)
            for (Bitboard to = knight_attacks(s); to != 0;)
                lines_.push_back({pop_lowest(to), s});
    for (const int files : {-1, 0, 1})
        for (const int ranks : {-1, 0, 1})
            if ((files != 0 || ranks != 0) && type != Knight &&
                (type == Queen || (type == Rook) == (files == 0 || ranks == 0)))
                add_lines(files, ranks, lines_);
}

template <std::size_t width>
void WordMoves::add_columns(const Bitboard* wanted,
                            const Bitboard* free,
                            Bitboard* reaching) const {
    for (const Line& line : lines_) {
        std::array<Bitboard, width> ahead{};
        std::size_t to = static_cast<std::size_t>(line[0]) * stride_;
        for (std::size_t i = 1; i < line.size(); ++i) {
            const std::size_t from = static_cast<std::size_t>(line[i]) * stride_;
            for (std::size_t w = 0; w < width; ++w) {
                ahead[w] = wanted[to + w] | (ahead[w] & free[to + w]);
                reaching[from + w] |= ahead[w];
            }
            to = from;
        }
    }
}

void WordMoves::add(std::span<const Bitboard> wanted,
                    std::span<const Bitboard> free,
                    std::span<Bitboard> reaching) const {
    constexpr std::size_t Columns = 64;
    for (std::size_t begin = 0; begin < block_; begin += 64 * stride_)
        for (std::size_t column = 0; column < stride_; column += std::min(stride_, Columns)) {
            const std::size_t at = begin + column;
            if (stride_ == 1)
                add_columns<1>(&wanted[at], &free[at], &reaching[at]);
            else
                add_columns<Columns>(&wanted[at], &free[at], &reaching[at]);
        }
}

}  // namespace engine

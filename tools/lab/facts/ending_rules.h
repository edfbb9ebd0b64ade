// The moves of an ending, and what is known of a position without any evaluation.
#pragma once

#include "tools/lab/facts/facts.h"

#include <functional>
#include <optional>
#include <vector>

namespace tools::facts {

// The value, for the side to move, of what an ending becomes by captures and promotions.
using KnownEndings = std::function<retro::Value(const retro::Placement&, engine::Color)>;

// A legal move.
struct Reply {
    Board after;
    bool converts = false;      // captures or promotes, into a known ending
    int result = 0;             // of such a move: 1, 0 or -1 for the side that makes it,
    int plies = 0;              // and the plies after it; 0 in endings with pawns
    std::optional<int> answer;  // of a double step: the best capture en passant, for its own side
};

class EndingRules {
  public:
    EndingRules(const Ending& ending, KnownEndings known)
        : ending_(ending), known_(std::move(known)) {}

    [[nodiscard]] const Ending& ending() const { return ending_; }
    [[nodiscard]] bool in_check(const Board& board) const {
        return attacked(board, board.side, None);
    }
    // Replaces the replies by those to `board`; a promotion to another piece is another reply.
    void find(const Board& board, std::vector<Reply>& replies) const;

  private:
    static constexpr std::size_t None = MaxMen;

    // The king of the colour `king` is attacked; the man `without` is not on the board.
    [[nodiscard]] bool attacked(const Board& board, engine::Color king, std::size_t without) const;
    [[nodiscard]] engine::Bitboard
    targets(const Board& board, std::size_t man, engine::Bitboard own, engine::Bitboard all) const;
    [[nodiscard]] std::size_t man_on(const Board& board, engine::Square s) const;
    void add(const Board& board, std::size_t man, engine::Square to, std::vector<Reply>&) const;
    [[nodiscard]] Reply
    conversion(const Board& after, std::size_t taken, std::size_t man, engine::PieceType) const;
    // `after` is the board after the double step of `man`.
    [[nodiscard]] std::optional<int> answer_to(const Board& after, std::size_t man) const;

    const Ending& ending_;
    KnownEndings known_;
};

// The target of a position, for the side to move: longest + Offset - d if won in d plies, -(longest
// + Offset - d) if lost in d plies, 0 if drawn.
inline constexpr int Offset = 5;

// The bounds that the rules and the known endings give for the value of a position, for the side to
// move, on the scale of the targets.
struct Bounds {
    double low, high;
    [[nodiscard]] bool decided() const { return low == high; }
};
// From mates, stalemates, captures, promotions, and the rule that a bare king cannot win. Requires
// the replies to `board`.
Bounds bounds_of(const EndingRules& rules,
                 const Board& board,
                 const std::vector<Reply>& replies,
                 int longest);

// The value of a move for the side that makes it, where `after` is the value of the position after
// it for the side to move there, without en passant.
double value_of(const EndingRules& rules, const Reply& reply, double after, int longest);

}  // namespace tools::facts

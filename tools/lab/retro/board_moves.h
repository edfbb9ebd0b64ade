// Moves of an ending, forwards and back, on boards that are only squares.
#pragma once

#include "engine/board/attacks.h"
#include "tools/lab/retro/table_set.h"

namespace tools::retro {

struct Board {
    Squares squares{};
    Color side = engine::White;  // to move
};

// The answer en passant to a double step.
struct StepAnswer {
    bool possible = false;
    int result = 0;  // 1, 0, -1 for the side that captures
};

// What the moves of a position tell without the ending's own table.
struct MoveSummary {
    int moves = 0;       // legal ones
    int open = 0;        // those that stay in the ending and that no capture en passant refutes
    bool draws = false;  // a capture or promotion draws
    std::optional<int> won_in;  // plies, by the fastest one that wins
    int lost_in = 0;            // plies, by the slowest one that loses
};

class BoardMoves {
  public:
    // Both must outlive the object; `known` holds the successors of the ending.
    BoardMoves(const Ending& ending, const TableSet& known) : ending_(ending), known_(known) {}

    // The men are on different squares, no pawn on the first or last rank, and the side not to move
    // is not in check.
    [[nodiscard]] bool is_legal(const Board& board) const;
    [[nodiscard]] bool in_check(const Board& board) const { return attacked(board, board.side); }
    [[nodiscard]] MoveSummary summary(const Board& board) const;

    // Calls action(before, answer) for each position from which the side not to move has come
    // without capture or promotion; it may be illegal.
    template <typename Action>
    void for_each_move_back(const Board& board, Action action) const {
        const Bitboard occupied = occupied_by(board);
        Board before = board;
        before.side = ~board.side;
        for (std::size_t i = 0; i < ending_.size(); ++i) {
            if (ending_[i].color != before.side)
                continue;
            const Square to = board.squares[i];
            for (Bitboard from = sources(ending_[i], to, occupied); from != 0;) {
                before.squares[i] = engine::pop_lowest(from);
                action(before, answer_to(board, i, before.squares[i], to));
            }
            before.squares[i] = to;
        }
    }

  private:
    static constexpr std::size_t None = MostMen;

    [[nodiscard]] Bitboard occupied_by(const Board& board) const;
    // The king of `color` is attacked; the man `taken` is not on the board.
    [[nodiscard]] bool attacked(const Board& board, Color color, std::size_t taken = None) const;
    static Bitboard sources(const Man& man, Square to, Bitboard occupied);
    [[nodiscard]] Bitboard targets(const Board& board, std::size_t man, Bitboard occupied) const;
    [[nodiscard]] std::size_t man_on(const Board& board, Square s) const;
    // The board is the one after the step; nothing but a double step has an answer.
    [[nodiscard]] StepAnswer
    answer_to(const Board& after, std::size_t man, Square from, Square to) const;
    [[nodiscard]] bool has_move(const Board& board) const;
    template <typename Action>
    void for_each_move(const Board& board, Action action) const;
    void add_move(MoveSummary& summary,
                  const Board& after,
                  std::size_t man,
                  Square from,
                  std::size_t taken) const;
    void add_conversion(MoveSummary& summary,
                        const Board& after,
                        std::size_t taken,
                        std::size_t man,
                        PieceType type) const;
    [[nodiscard]] Value value_without(const Board& board,
                                      std::size_t taken,
                                      std::size_t promoted,
                                      PieceType type) const;

    const Ending& ending_;
    const TableSet& known_;
};

}  // namespace tools::retro

#include "tools/lab/retro/move_check.h"

#include "engine/board/movegen.h"

#include <random>

namespace tools::retro {
namespace {

class Check {
  public:
    Check(const Ending& ending, const TableSet& tables) : ending_(ending), tables_(tables) {}
    void board(const Board& board);
    [[nodiscard]] const MoveCheck& found() const { return found_; }

  private:
    [[nodiscard]] Value by_moves(const engine::Position& pos) const;
    [[nodiscard]] Value value(const engine::Position& pos) const;

    const Ending& ending_;
    const TableSet& tables_;
    MoveCheck found_;
};

// The tables know no en passant.
Value Check::value(const engine::Position& pos) const {
    return pos.ep_square() == engine::NoSquare
               ? tables_.value(Placement::of(pos), pos.side_to_move())
               : by_moves(pos);
}

Value Check::by_moves(const engine::Position& pos) const {
    const engine::MoveList moves = engine::legal_moves(pos);
    if (moves.empty())
        return pos.in_check() ? lost_in(0) : Value{0};
    std::optional<int> won, lost;
    bool draws = false;
    for (const engine::Move m : moves) {
        engine::Position next = pos;
        next.make(m);
        const Value v = value(next);
        const bool converts =
            ending_.has_pawns() && (pos.is_capture(m) || m.kind() == engine::MoveKind::Promotion);
        const int distance = v == 0 || converts ? 1 : plies(v) + 1;
        draws = draws || v == 0;
        if (v < 0)
            won = std::min(won.value_or(distance), distance);
        else if (v > 0)
            lost = std::max(lost.value_or(distance), distance);
    }
    return won ? won_in(*won) : draws ? Value{0} : lost_in(*lost);
}

void Check::board(const Board& board) {
    const std::string fen = fen_of(ending_, board.squares, board.side);
    const Value v = tables_.find(ending_.counts())->value(board.side, board.squares);
    const Result<engine::Position> pos = engine::Position::from_fen(fen);
    found_.positions += pos.has_value() ? 1U : 0U;
    if (pos ? by_moves(*pos) == v : v == Illegal)
        return;
    if (found_.wrong++ == 0)
        found_.first_wrong = fen;
}

}  // namespace

MoveCheck check_moves(const Ending& ending, const TableSet& tables, std::uint64_t positions) {
    std::mt19937_64 random;
    Check check(ending, tables);
    while (check.found().positions < positions) {
        Board board;
        Bitboard occupied = 0;
        for (std::size_t i = 0; i < ending.size(); ++i) {
            const bool pawn = ending[i].type == engine::Pawn;
            board.squares[i] = static_cast<Square>(pawn ? 8 + random() % 48 : random() % 64);
            occupied |= engine::bit(board.squares[i]);
        }
        board.side = random() % 2 == 0 ? engine::White : engine::Black;
        if (engine::popcount(occupied) == static_cast<int>(ending.size()))
            check.board(board);
    }
    return check.found();
}

}  // namespace tools::retro

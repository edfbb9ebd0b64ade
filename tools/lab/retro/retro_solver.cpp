#include "tools/lab/retro/retro_solver.h"

#include "tools/common/errors.h"
#include "tools/lab/retro/board_moves.h"

namespace tools::retro {
namespace {

using engine::file_of;
using engine::rank_of;

constexpr int MostPlies = 126;
constexpr std::uint8_t NeverLost = 255;  // as the count of open moves

class Solver {
  public:
    Solver(const Ending& ending, const TableSet& known, const std::function<bool()>& stopped);
    DistanceTable solve();

  private:
    using Index = std::uint32_t;
    struct Scheduled {
        Index index;
        Value value;
    };

    [[nodiscard]] Index index(const Board& board) const;
    [[nodiscard]] Board board_at(Index index) const;
    void look_once(Index index);
    void schedule(Index index, Value v);
    void decide(Index index, Value v);
    void propagate(Index index);
    void reached(const Board& before, Index index, const StepAnswer& answer, Value after);
    void check_stop() const {
        if (stopped_ && stopped_())
            throw Interrupted();
    }

    const Ending& ending_;
    BoardMoves moves_;
    const std::function<bool()>& stopped_;
    // White's king stands on files a to d; without pawns, too, on ranks 1 to 4. No placement is its
    // own mirror image, so each move has exactly one move back.
    Index half_;
    std::vector<Value> values_;       // White to move, then Black
    std::vector<std::uint8_t> open_;  // moves that are not known to lose
    std::vector<Index> next_;         // decided in one ply more than those that are propagated
    std::array<std::vector<Scheduled>, MostPlies + 1> scheduled_;  // by plies
};

Solver::Solver(const Ending& ending, const TableSet& known, const std::function<bool()>& stopped)
    : ending_(ending), moves_(ending, known), stopped_(stopped),
      half_(ending.has_pawns() ? 32 : 16) {
    for (std::size_t i = 1; i < ending.size(); ++i)
        half_ *= 64;
    values_.assign(std::size_t{2} * half_, 0);
    open_.assign(values_.size(), 0);
}

Solver::Index Solver::index(const Board& board) const {
    const Square king = board.squares[0];
    const int mirror =
        (file_of(king) > 3 ? 7 : 0) ^ (!ending_.has_pawns() && rank_of(king) > 3 ? 56 : 0);
    const Square first = king ^ mirror;
    auto index = static_cast<Index>(4 * rank_of(first) + file_of(first));
    for (std::size_t i = 1; i < ending_.size(); ++i)
        index = index * 64 + static_cast<Index>(board.squares[i] ^ mirror);
    return board.side == engine::White ? index : index + half_;
}

Board Solver::board_at(Index index) const {
    Board board;
    board.side = index < half_ ? engine::White : engine::Black;
    index %= half_;
    for (std::size_t i = ending_.size(); --i > 0; index /= 64)
        board.squares[i] = static_cast<Square>(index % 64);
    board.squares[0] =
        engine::make_square(static_cast<int>(index % 4), static_cast<int>(index / 4));
    return board;
}

void Solver::schedule(Index index, Value v) {
    scheduled_.at(static_cast<std::size_t>(plies(v))).push_back({index, v});
}

void Solver::decide(Index index, Value v) {
    values_[index] = v;
    next_.push_back(index);
}

// What a position's own moves tell: mate, stalemate, captures and promotions.
void Solver::look_once(Index index) {
    const Board board = board_at(index);
    if (!moves_.is_legal(board)) {
        values_[index] = Illegal;
        return;
    }
    const MoveSummary summary = moves_.summary(board);
    open_[index] = static_cast<std::uint8_t>(summary.open);
    if (summary.moves == 0 && moves_.in_check(board))
        schedule(index, lost_in(0));
    if (summary.moves == 0 || summary.draws || summary.won_in)
        open_[index] = NeverLost;
    if (summary.won_in)
        schedule(index, won_in(*summary.won_in));
    else if (open_[index] == 0)
        schedule(index, lost_in(summary.lost_in));
}

// The move from `before` leads to a position with the value `after`, or the answer en passant.
void Solver::reached(const Board& before, Index index, const StepAnswer& answer, Value after) {
    if (values_[index] != 0)  // decided, or illegal
        return;
    const int distance = plies(after) + 1;
    if (after < 0) {
        if (answer.possible && answer.result >= 0)
            return;
        if (answer.possible && distance < 2)
            schedule(index, won_in(2));  // the capture ends what would be mate
        else
            decide(index, won_in(distance));
        return;
    }
    if (open_[index] == NeverLost || (answer.possible && answer.result > 0) || --open_[index] > 0)
        return;
    const int lost = std::max(distance, moves_.summary(before).lost_in);
    if (lost == distance)
        decide(index, lost_in(distance));
    else
        schedule(index, lost_in(lost));
}

void Solver::propagate(Index index) {
    const Value after = values_[index];
    moves_.for_each_move_back(board_at(index), [&](const Board& before, const StepAnswer& answer) {
        reached(before, this->index(before), answer, after);
    });
}

DistanceTable Solver::solve() {
    constexpr Index Chunk = 1 << 16;
    for (Index i = 0; i < values_.size(); ++i) {
        if (i % Chunk == 0)
            check_stop();
        look_once(i);
    }
    for (std::size_t plies = 0; plies <= MostPlies; ++plies) {
        // Those that their own moves decide at this distance, and those that others do.
        std::vector<Index> decided = std::exchange(next_, {});
        for (const Scheduled& s : std::exchange(scheduled_[plies], {}))
            if (values_[s.index] == 0) {
                values_[s.index] = s.value;
                decided.push_back(s.index);
            }
        for (const Index i : decided)
            propagate(i);
        check_stop();
    }
    if (!next_.empty())
        throw Failure(ending_.name() + " has wins too long for the file format");
    DistanceTable table(ending_);
    table.for_each([&](Color side, const Squares& squares) {
        table.set(side, squares, values_[index({squares, side})]);
    });
    return table;
}

}  // namespace

DistanceTable
solve(const Ending& ending, const TableSet& known, const std::function<bool()>& stopped) {
    return Solver(ending, known, stopped).solve();
}

}  // namespace tools::retro

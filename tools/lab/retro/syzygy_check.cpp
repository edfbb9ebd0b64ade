#include "tools/lab/retro/syzygy_check.h"

#include "tools/lab/retro/retro_run.h"

namespace tools::retro {
namespace {

class Check {
  public:
    Check(const TableSet& tables, const engine::Syzygy& syzygy)
        : tables_(tables), syzygy_(syzygy) {}

    void position(const std::string& fen, bool en_passant) {
        const Result<engine::Position> pos = engine::Position::from_fen(fen);
        if (!pos || (en_passant && pos->ep_square() == engine::NoSquare))
            return;
        ++found_.positions;
        found_.en_passant += en_passant;
        const std::optional<engine::Wdl> theirs = syzygy_.wdl(*pos);
        if (!theirs) {
            ++found_.missing;
        } else if (sign(static_cast<int>(*theirs)) != tables_.result(*pos)) {
            if (found_.different++ == 0)
                found_.first_different = fen;
        }
    }
    [[nodiscard]] const Comparison& found() const { return found_; }

  private:
    const TableSet& tables_;
    const engine::Syzygy& syzygy_;
    Comparison found_;
};

}  // namespace

Comparison compare(const Ending& ending, const TableSet& tables, const engine::Syzygy& syzygy) {
    Check check(tables, syzygy);
    const DistanceTable& table = *tables.find(ending.counts());
    table.for_each([&](Color side, const Squares& squares) {
        if (table.value(side, squares) == Illegal || !table.is_first(squares))
            return;
        check.position(fen_of(ending, squares, side), false);
        for (std::size_t i = 2; ending.both_have_pawns() && i < ending.size(); ++i)
            if (ending[i].color != side && ending[i].type == engine::Pawn &&
                engine::relative_rank(~side, squares[i]) == 3) {
                const Square behind = squares[i] + (side == engine::White ? 8 : -8);
                const Square from = squares[i] + (side == engine::White ? 16 : -16);
                if (std::find(squares.begin(), squares.end(), behind) == squares.end() &&
                    std::find(squares.begin(), squares.end(), from) == squares.end())
                    check.position(fen_of(ending, squares, side, behind), true);
            }
    });
    return check.found();
}

}  // namespace tools::retro

#include "engine/endgame/solved_ending.h"

#include "engine/board/movegen.h"

#include <new>
#include <optional>

namespace engine {
namespace {

constexpr int MaxHalfmoves = 100;

}  // namespace

std::shared_ptr<const SolvedEnding> SolvedEnding::solve(const Position& pos,
                                                        const std::function<bool()>& stopped) {
    if (popcount(pos.pieces()) > MaxMen || pos.castling_rights() != 0)
        return nullptr;
    try {
        auto solved = std::make_shared<SolvedEnding>();
        solved->material_ = material_of(pos, White);
        if (!solve_ending(pos, true, solved->tables_, stopped))
            return nullptr;
        return solved;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

bool SolvedEnding::covers(const Position& pos) const {
    return pos.castling_rights() == 0 &&
           (material_of(pos, White) == material_ || material_of(pos, Black) == material_);
}

SolvedEnding::Choice SolvedEnding::choose(const Position& root, const MoveList& moves) const {
    Choice choice;
    std::optional<WinValue> best;
    for (const Move m : moves) {
        const WinValue found = probe_move(tables_, root, m);
        if (!best || found.rank() > best->rank()) {
            choice.moves.clear();
            best = found;
        }
        if (found.rank() == best->rank())
            choice.moves.add(m);
    }
    choice.result = best->result;
    choice.plies = best->result == 0 || root.pieces(Pawn) != 0 ? 0 : best->plies;
    return choice;
}

bool SolvedEnding::comes_in_time(const Position& root, const Choice& choice) const {
    if (root.pieces(Pawn) == 0 && choice.plies + root.halfmove_clock() <= MaxHalfmoves)
        return true;
    Position pos = root;
    Choice best = choice;
    do {  // a mate, capture or pawn move comes before the claim of a draw
        pos.make(best.moves[0]);
        if (pos.halfmove_clock() == 0)
            return true;
        const MoveList moves = legal_moves(pos);
        if (moves.size() == 0)
            return true;
        best = choose(pos, moves);
    } while (pos.halfmove_clock() < MaxHalfmoves);
    return false;
}

}  // namespace engine

// The move picker: the moves of a node one at a time, in stages and best first, since most nodes
// end before the quiet moves are needed.
#pragma once

#include "engine/board/attacks.h"
#include "engine/board/checks.h"
#include "engine/board/movegen.h"
#include "engine/search/history.h"

#include <limits>
#include <optional>

namespace engine {

// A capture or a queen promotion: what the generator calls Captures.
inline bool is_noisy(const Position& pos, Move m) {
    return pos.is_capture(m) || (m.kind() == MoveKind::Promotion && m.promoted() == Queen);
}

// What one side attacks, by the value of its attackers.
struct Threats {
    Bitboard by_pawn = 0;
    Bitboard by_minor = 0;  // or by a pawn
    Bitboard by_rook = 0;   // or by a lesser piece
    Bitboard all = 0;

    Threats() = default;
    Threats(const Position& pos, Color by) {
        const auto attacked_by = [&](PieceType type) {
            Bitboard squares = 0;
            for (Bitboard left = pos.pieces(by, type); left != 0;)
                squares |= attacks(type, pop_lowest(left), pos.pieces());
            return squares;
        };
        by_pawn = by == White ? pawn_attacks<White>(pos.pieces(White, Pawn))
                              : pawn_attacks<Black>(pos.pieces(Black, Pawn));
        by_minor = by_pawn | attacked_by(Knight) | attacked_by(Bishop);
        by_rook = by_minor | attacked_by(Rook);
        all = by_rook | attacked_by(Queen) | king_attacks(pos.king(by));
    }
};

// Continuation history: how good moves were as answers to earlier moves. Points into Histories.
struct ContinuationHistory {
    PieceTo* one_ply;    // after the opponent's last move
    PieceTo* two_plies;  // after our last move
    PieceTo* four_plies;

    [[nodiscard]] int of(Piece p, Square to) const {
        return (*one_ply)[p][to] + (*two_plies)[p][to] + (*four_plies)[p][to] / 2;
    }
};

class MovePicker {
  public:
    // All moves of a node. `tt_move` and `killer` need not be legal here. `threats`: of the
    // opponent. `ply`: from the root.
    MovePicker(const Position& pos,
               Histories& histories,
               const ContinuationHistory& continuation,
               const Threats& threats,
               Move tt_move,
               Move killer,
               int ply);
    // For quiescence: captures and queen promotions, or all evasions in check.
    MovePicker(const Position& pos,
               Histories& histories,
               const ContinuationHistory& continuation,
               Move tt_move);
    // For ProbCut: captures whose static exchange evaluation is at least `threshold`.
    MovePicker(const Position& pos, Histories& histories, Move tt_move, int threshold);

    // The next legal move; NoMove when there is none left.
    Move next();
    // From now on next() returns no quiet moves.
    void skip_quiets() { skip_quiets_ = true; }
    // Requires the position of the constructor.
    [[nodiscard]] bool gives_check(Move m) { return checks().by(pos_, m); }

  private:
    enum class Stage {
        TtMove,
        GenerateCaptures,
        GoodCaptures,
        Killer,
        GenerateQuiets,
        Quiets,
        BadCaptures,
        Done
    };
    enum class Kind { Main, Captures, Evasions, ProbCut };
    // A sort key: the move's score, and its index in moves_ in the low 8 bits. Small integers in an
    // array of their own, so that the compiler can vectorise the search for the best.
    using SortKey = std::int32_t;
    static constexpr SortKey Returned = std::numeric_limits<SortKey>::min();
    void set_score(std::size_t i, int score) { keys_[i] = score * 256 + static_cast<SortKey>(i); }
    static std::size_t index_of(SortKey key) { return static_cast<std::size_t>(key & 255); }
    static int score_of(SortKey key) { return key >> 8; }

    [[nodiscard]] bool is_good(Move m, int score) const;
    void score_captures();
    void score_quiets();
    // The key of the best move of [begin, end) that was not returned yet; else Returned.
    SortKey select_best(std::size_t begin, std::size_t end);
    const Checks& checks() { return checks_ ? *checks_ : checks_.emplace(pos_); }

    const Position& pos_;
    Histories& histories_;
    const ContinuationHistory* continuation_ = nullptr;
    Move tt_move_, killer_ = NoMove;
    Kind kind_;
    int threshold_ = 0;
    int ply_ = MaxPly;
    Stage stage_ = Stage::TtMove;
    bool skip_quiets_ = false;
    Threats threats_;
    std::optional<Checks> checks_;         // once they are asked for
    std::size_t captures_ = 0;             // they come first in moves_
    std::size_t bad_ = 0, bad_given_ = 0;  // bad captures found, and returned
    MoveList moves_;
    std::array<SortKey, 256> keys_;               // no position has more than 218 moves
    std::array<std::uint8_t, 256> bad_captures_;  // indices in moves_
};

}  // namespace engine

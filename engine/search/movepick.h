// The moves of a node, one at a time, the most promising first; generated in stages, since most
// nodes end before the quiet moves are needed.
#pragma once

#include "engine/board/movegen.h"
#include "engine/search/history.h"

namespace engine {

// A capture or a queen promotion: what the generator calls Captures.
inline bool is_tactical(const Position& pos, Move m) {
    return pos.is_capture(m) || (m.kind() == MoveKind::Promotion && m.promoted() == Queen);
}

// What earlier moves say of the quiet moves here; nothing is owned.
struct QuietContext {
    PieceTo* one;   // answers to the last move
    PieceTo* two;   // follow-ups of our last move
    PieceTo* four;  // and of the one before
    PieceTo* pawn;  // with this pawn structure

    [[nodiscard]] int continuation(Piece p, Square to) const {
        const auto square = static_cast<std::size_t>(to);
        return (*one)[p][square] + (*two)[p][square] + (*four)[p][square] / 2;
    }
};

class MovePicker {
  public:
    // All moves of a node. `tt_move` and `killer` need not be legal here.
    MovePicker(const Position& pos,
               Histories& histories,
               const QuietContext& context,
               Move tt_move,
               Move killer);
    // For quiescence: captures and queen promotions, or every evasion when in check.
    MovePicker(const Position& pos,
               Histories& histories,
               const QuietContext& context,
               Move tt_move);
    // For cut attempts: captures that win at least `threshold` by exchange.
    MovePicker(const Position& pos, Histories& histories, Move tt_move, int threshold);

    // The next legal move; NoMove when there is none left.
    Move next();
    // From now on no quiet moves but those already given out.
    void skip_quiets() { skip_quiets_ = true; }

  private:
    enum class Stage {
        TtMove,
        MakeCaptures,
        GoodCaptures,
        Killer,
        MakeQuiets,
        Quiets,
        BadCaptures,
        Done
    };
    enum class Kind { Main, Captures, Evasions, Cut };
    // A move in the low 16 bits under its score, so that one comparison orders both.
    using Scored = std::int64_t;
    static Scored scored(Move m, int score) { return Scored{score} * 65'536 + m.raw(); }
    static Move move_of(Scored s) { return Move::from_raw(static_cast<std::uint16_t>(s)); }
    static int score_of(Scored s) { return static_cast<int>(s >> 16); }

    [[nodiscard]] bool good(Scored s) const;
    void make_captures();
    void make_quiets();
    Move best_of_rest(std::size_t end);

    const Position& pos_;
    Histories& histories_;
    const QuietContext* context_ = nullptr;
    Move tt_move_, killer_ = NoMove;
    Kind kind_;
    int threshold_ = 0;
    Stage stage_ = Stage::TtMove;
    bool skip_quiets_ = false;
    std::size_t at_ = 0, end_ = 0, bad_ = 0, captures_ = 0;
    std::array<Scored, 256> moves_;  // bad captures first, then those not yet given out
};

}  // namespace engine

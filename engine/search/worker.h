// One search thread: its position, its histories and the search itself. The workers of one engine
// share the transposition table and the Control, nothing else.
#pragma once

#include "engine/eval/evaluate.h"
#include "engine/level/level.h"
#include "engine/search/control.h"
#include "engine/search/history.h"
#include "engine/search/movepick.h"
#include "engine/search/searcher.h"
#include "engine/search/tt.h"
#include "engine/syzygy/syzygy.h"

namespace engine {

struct RootMove {
    Move move;
    Score score = -Infinite;           // of this iteration; -Infinite if not a new best move
    Score previous_score = -Infinite;  // of the last iteration
    std::uint64_t nodes = 0;           // spent on the move in this search
    int seldepth = 0;
    std::vector<Move> pv;  // begins with the move

    [[nodiscard]] Score known_score() const { return score != -Infinite ? score : previous_score; }
};

// Written by the worker while it runs, read by any thread.
struct alignas(64) WorkerStats {
    std::atomic<std::uint64_t> nodes{0}, tbhits{0};
    std::atomic<int> depth{0}, moves_left{0}, moves{0};
    std::atomic<std::uint16_t> current_move{0};
};

// The position to search, with the game that led to it.
struct Root {
    Position position;
    std::vector<Key> keys;  // of the game's positions, oldest first, the root's own at the end
    MoveList moves;         // to consider
    int lines = 1;          // to search, each without the root moves before it
    const Syzygy* tables = nullptr;  // to probe below the root; null: none
    const Level* level = nullptr;    // whose mistakes are made; null: none
};

class Worker {
  public:
    using NodeSum = std::function<std::uint64_t()>;

    // `is_main`: this worker watches the limits. The references must outlive the worker. `net`: as
    // for Evaluator.
    Worker(TranspositionTable& tt,
           Control& control,
           bool is_main,
           std::shared_ptr<const Network> net = built_in_network());

    // Sets the position to search; the histories stay. Requires that the worker does not run.
    void prepare(const Root& root);
    // Iterative deepening until the Control ends it. Only the main worker calls `on_info`.
    // `all_nodes` returns the nodes of all workers.
    void run(const OnInfo& on_info, const NodeSum& all_nodes);
    void clear();  // forgets the histories
    void set_network(std::shared_ptr<const Network> net) { evaluator_ = Evaluator(std::move(net)); }

    // The results, after run(). The best move comes first; empty if there was none to consider.
    [[nodiscard]] const std::vector<RootMove>& root_moves() const { return root_moves_; }
    [[nodiscard]] int finished_depth() const { return finished_depth_; }
    [[nodiscard]] SearchInfo info() const { return info_of(root_moves_[0]); }  // requires one

    [[nodiscard]] const WorkerStats& stats() const { return stats_; }

  private:
    enum class Node { Root, Pv, Other };

    // What the search keeps for each ply.
    struct Frame {
        PieceTo* continuation = nullptr;  // continuation history of answers to `move`
        Move move = NoMove;               // the one being searched; NoMove for a null move
        Move excluded_move = NoMove;      // left out by a singular search
        Move killer = NoMove;
        Piece piece = NoPiece;        // the one that moves
        bool noisy = false;           // `move` is a capture or a queen promotion
        bool tt_pv = false;           // the node is, or was by its table entry, a PV node
        Score static_eval = NoScore;  // corrected; NoScore in check
        int history = 0;              // of `move`
        int move_count = 0;           // `move` is the first, second, … of the node
        Bitboard attacked = 0;        // by the side that is not to move
        int double_extensions = 0;    // between the root and this node
        int reduction = 0;            // plies by which the search of `move` is reduced
        int cutoff_count = 0;         // beta cutoffs at this ply, below the node two plies up
    };
    struct NodeState {
        Score alpha, beta;
        Score raw_eval, eval;  // before correction; corrected and refined by the table's score
        int depth;
        bool improving;  // see set_static_eval()
        bool cut_node;
        int correction = 0;                      // of the correction history
        Score low = -Infinite, high = Infinite;  // bounds that endgame tables know
        TtEntry tt{};
    };
    // The moves searched before the best one, for the histories.
    struct SearchedMoves {
        MoveList quiets, captures;
    };
    struct Best {
        Score score = -Infinite;
        Move move = NoMove;  // the last one to raise alpha
    };
    // What a search of a position in a game found.
    struct GameScore {
        Key start = 0;  // of the game
        std::size_t ply = 0;
        Score white = NoScore;  // White's score
    };
    struct QNodeState {
        Score alpha, beta;
        Score raw_eval, futility_base;  // before correction; static evaluation plus a margin
        TtEntry tt;
        Best best;
    };

    // iterate.cpp: the root.
    bool search_lines(int depth);
    bool aspiration_search(int depth);
    void sort_root_moves();
    void set_current_move(Move m, int move_count);
    void update_root_move(Move m, Score score, bool best, std::uint64_t nodes);
    [[nodiscard]] bool is_root_move(Move m) const;
    // True if the move is excluded from the line being searched at the root.
    [[nodiscard]] bool is_left_out(Move m) const {
        return (restricted_ || line_ > 0) && !is_root_move(m);
    }
    void report_pv(Bound bound, std::size_t line = 0);
    [[nodiscard]] SearchInfo info_of(const RootMove& rm) const;
    [[nodiscard]] Confidence confidence() const;
    [[nodiscard]] Score score_for_white(Score s) const {
        return pos_.side_to_move() == White ? s : -s;
    }

    // search.cpp: the main search.
    template <Node node>
    Score search(int ply, Score alpha, Score beta, int depth, bool cut_node);
    bool tt_cutoff(int ply, const NodeState& s);
    // True if endgame tables decide the node; their score becomes s.tt.score.
    bool table_cutoff(int ply, NodeState& s) {
        return popcount(pos_.pieces()) <= table_men_ && probe_tables(ply, s);
    }
    bool probe_tables(int ply, NodeState& s);
    void set_static_eval(int ply, NodeState& s);
    void hindsight_depth(int ply, NodeState& s);
    std::optional<Score> prune_node(int ply, const NodeState& s);
    std::optional<Score> null_move_pruning(int ply, const NodeState& s);
    std::optional<Score> probcut(int ply, const NodeState& s);
    template <Node node>
    Score search_moves(int ply, NodeState& s);
    [[nodiscard]] bool prune_at_shallow_depth(
        int ply, const NodeState& s, Move m, int move_count, bool quiet, MovePicker& picker) const;
    [[nodiscard]] bool is_futile_capture(
        int ply, const NodeState& s, Move m, int move_count, MovePicker& picker) const;
    [[nodiscard]] Score score_without_moves(int ply) const;
    std::optional<Score> singular_extension(int ply, const NodeState& s, bool pv, int& extension);
    // True if the move may be reduced.
    [[nodiscard]] static bool is_late(int ply, const NodeState& s, int move_count) {
        return s.depth >= 2 && move_count > (ply == 0 ? 2 : 1);
    }
    [[nodiscard]] int late_move_reduction(int ply,
                                          const NodeState& s,
                                          Move m,
                                          int move_count,
                                          bool quiet,
                                          bool pv,
                                          MovePicker& picker) const;
    template <Node node>
    Score
    search_child(int ply, const NodeState& s, int move_count, Score best, int depth, int reduction);
    // True if the move fails high: a beta cutoff.
    template <bool pv>
    bool update_best(int ply, Move m, Score score, Score& alpha, Score beta, Best& best) {
        best.score = std::max(best.score, score);
        if (score <= alpha)
            return false;
        best.move = m;
        if constexpr (pv)
            update_pv(ply, m);
        if (score >= beta)
            return true;
        alpha = score;
        return false;
    }
    Score finish_node(
        int ply, const NodeState& s, const SearchedMoves& searched, Best best, Score old_alpha);

    // quiesce.cpp
    template <bool pv>
    Score quiesce(int ply, Score alpha, Score beta);
    bool stand_pat(int ply, QNodeState& s);
    template <bool pv>
    bool search_captures(int ply, QNodeState& s);

    // worker.cpp: moves on the board, histories and the rest that all of the above share.
    void make(int ply, Move m, Undo& undo);
    void unmake(Move m, const Undo& undo) {
        pos_.unmake(m, undo);
        evaluator_.pop();
    }
    void make_null(int ply, Undo& undo);
    void unmake_null(const Undo& undo) { pos_.unmake_null(undo); }
    void count_node();
    [[nodiscard]] bool stopped() const { return control_.stopped() && !needs_first_iteration(); }
    // True if stop() was called before there was a good move.
    [[nodiscard]] bool needs_first_iteration() const {
        return is_main_ && finished_depth_ == 0 && nodes_ < FirstIterationNodes &&
               !control_.limit_reached();
    }
    [[nodiscard]] bool is_draw(int ply) const;
    // True where the 50-move rule is near: the table's scores know nothing of it.
    [[nodiscard]] bool near_move_rule() const { return pos_.halfmove_clock() >= 90; }
    // Alpha, or the score of a draw if that is better and a move leads back to an earlier position
    // of the tree: an upcoming repetition.
    [[nodiscard]] Score raised_by_repetition(int ply, Score alpha) const;
    // -1 or +1 by the node count, so that the search does not see all draws as equal.
    [[nodiscard]] Score draw_score() const { return Draw + static_cast<int>(nodes_ & 2) - 1; }
    // With the misjudgment of a level.
    Score evaluate();
    // True if a level does not see the move. In check all moves are seen.
    [[nodiscard]] bool overlooks(int ply, Move m) const {
        return level_ != nullptr && !pos_.in_check() &&
               level_->overlooks(pos_, m, ply, frame(ply - 1).move);
    }
    // Of the position on the board. `correction`: what the correction history adds.
    [[nodiscard]] Score with_correction(Score raw_eval, int correction) const;
    [[nodiscard]] Score corrected_eval(int ply, Score raw_eval) const {
        return with_correction(raw_eval,
                               correction_history_->correction(pos_, last_two_moves(ply)));
    }
    [[nodiscard]] std::optional<std::size_t> last_two_moves(int ply) const;
    ContinuationHistory continuation_history(int ply) {
        return {
            frame(ply - 1).continuation, frame(ply - 2).continuation, frame(ply - 4).continuation};
    }
    [[nodiscard]] int
    history_of(Move m, bool quiet, const ContinuationHistory& continuation, Bitboard attacked) {
        if (!quiet)
            return histories_->capture_of(pos_, m);
        const Piece p = pos_.piece_on(m.from());
        return histories_->quiet_of(pos_.side_to_move(), m, attacked) + continuation.of(p, m.to()) +
               histories_->pawn_of(pos_)[p][m.to()] / 2;
    }
    void update_histories(int ply, const NodeState& s, Move best, const SearchedMoves& searched);
    void reward_evaluation_gain(int ply);
    void update_histories_at_end(int ply,
                                 const NodeState& s,
                                 const SearchedMoves& searched,
                                 const Best& best);
    void update_continuation_histories(int ply, Piece p, Square to, int bonus);
    void update_pv(int ply, Move m);
    Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply) + FramesBefore]; }
    [[nodiscard]] const Frame& frame(int ply) const {
        return frames_[static_cast<std::size_t>(ply) + FramesBefore];
    }

    static constexpr std::size_t FramesBefore = 6;  // the root, so that looking back needs no test
    using Pv = std::array<Move, MaxPly + 2>;

    TranspositionTable& tt_;
    Control& control_;
    bool is_main_;
    Evaluator evaluator_;
    std::shared_ptr<Histories> histories_;
    std::shared_ptr<CorrectionHistory> correction_history_;

    const Syzygy* tables_ = nullptr;
    const Level* level_ = nullptr;
    int table_men_ = 0;  // of the largest endgame table; 0: there is none
    Position pos_;
    std::size_t root_at_ = 0;      // index of the root in the next two
    std::vector<Key> keys_;        // the game's and the tree's
    std::vector<int> reversible_;  // for each key: plies since the last irreversible move
    std::vector<RootMove> root_moves_;
    std::array<Frame, MaxPly + FramesBefore + 4> frames_;
    std::vector<Pv> pvs_;  // the principal variation from each ply on
    std::array<int, MaxPly + 4> pv_length_{};

    NodeSum all_nodes_;
    OnInfo on_info_;
    WorkerStats stats_;
    std::size_t lines_ = 1;  // to search; at most one for each root move
    std::size_t line_ = 0;   // being searched: its root moves begin at this index
    std::uint64_t nodes_ = 0;
    int until_poll_ = 1;
    int root_depth_ = 0, finished_depth_ = 0, seldepth_ = 0;
    Score root_window_ = 1;  // beta - alpha at the root
    int null_from_ply_ = 0;  // no null moves before this ply, while one is verified
    int stable_iterations_ = 0;
    bool restricted_ = false;  // not all moves of the root are to be considered
    Score last_iteration_score_ = 0;
    GameScore last_score_;      // of the last search
    GameScore previous_score_;  // of the last search before this move of the game
};

}  // namespace engine

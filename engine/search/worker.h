// One search thread's mind: its position, histories and the search itself. Workers of one search
// share the transposition table and the control, nothing else.
#pragma once

#include "engine/eval/evaluate.h"
#include "engine/search/control.h"
#include "engine/search/history.h"
#include "engine/search/movepick.h"
#include "engine/search/searcher.h"
#include "engine/search/tt.h"

namespace engine {

struct RootMove {
    Move move;
    Score score = -Infinite;     // of this iteration; -Infinite if not better than another
    Score previous = -Infinite;  // of the last one
    std::uint64_t nodes = 0;     // spent under the move in this search
    int seldepth = 0;
    std::vector<Move> line;  // begins with the move

    [[nodiscard]] Score known_score() const { return score != -Infinite ? score : previous; }
};

// What one worker tells others while it runs; atomics, written by the worker alone.
struct alignas(64) Telltale {
    std::atomic<std::uint64_t> nodes{0};
    std::atomic<int> depth{0}, moves_left{0}, moves{0};
    std::atomic<std::uint16_t> current{0};
};

// The position to search, with the game behind it.
struct Root {
    Position position;
    std::vector<Key> keys;  // of the game's positions, oldest first, the root's own at the end
    MoveList moves;         // to consider
};

class Worker {
  public:
    // Reports of the first worker, from its thread.
    using Report = std::function<void(const SearchInfo&)>;
    using NodeSum = std::function<std::uint64_t()>;

    // `first`: this worker watches the clock. References must outlive the worker.
    // The network is that of Evaluator.
    Worker(TranspositionTable& tt,
           Control& control,
           bool first,
           std::shared_ptr<const Network> net = built_in_network());

    // Takes over a new position; histories stay. Requires that it does not run.
    void prepare(const Root& root);
    // Iterative deepening until the control ends it. `all_nodes` counts the nodes of all workers.
    void run(const Report& report, const NodeSum& all_nodes);
    void clear();  // forgets the histories
    void use(std::shared_ptr<const Network> net) { evaluator_ = Evaluator(std::move(net)); }

    // Results, once run() is over. The best move comes first; empty if there was none to consider.
    [[nodiscard]] const std::vector<RootMove>& root_moves() const { return root_moves_; }
    [[nodiscard]] int finished_depth() const { return finished_depth_; }
    [[nodiscard]] SearchInfo thought() const;  // requires root moves

    [[nodiscard]] const Telltale& telltale() const { return telltale_; }

  private:
    enum class Node { Root, Pv, Other };

    // What the search keeps for each ply.
    struct Frame {
        PieceTo* continuation = nullptr;  // answers to the move made here
        Move move = NoMove;               // the one being searched; NoMove for a null move
        Move excluded = NoMove;           // left out to see whether it is singular
        Move killer = NoMove;
        Piece piece = NoPiece;  // the one that moves
        bool tactical = false;  // what moves is a capture or a queen promotion
        bool tt_pv = false;     // here or in the table part of a principal variation
        Score eval = NoScore;   // static, corrected; NoScore in check
        int history = 0;        // of the move being searched
        int doubles = 0;        // double extensions on the way here
        int reduced = 0;        // plies that the move being searched is reduced by
        int cutoffs = 0;        // fail-highs at this ply below the grandparent
    };
    // What pruning and reduction in one node need to know of it.
    struct Situation {
        Score alpha, beta;
        Score raw, eval;  // static: as evaluated, and improved by the table's bound
        int depth;
        bool improving, cut_node;
        TtEntry tt;
    };
    // The moves tried before the best one, to be remembered as failures.
    struct Tried {
        MoveList quiets, captures;
    };

    // The best so far.
    struct Found {
        Score best = -Infinite;
        Move move = NoMove;  // the last to raise alpha
    };

    // What a node of the quiescence search knows of itself.
    struct Calm {
        Score alpha, beta;
        Score raw, futile;  // static, and what a capture's victim is added to
        TtEntry tt;
        Found found;
    };

    // iterate.cpp: the root.
    bool deepen(int depth);
    void sort_root_moves();
    void announce(Move m, int count);
    void note_root_move(Move m, Score score, bool best, std::uint64_t nodes);
    void post(Bound bound);
    [[nodiscard]] Confidence confidence() const;
    [[nodiscard]] Score seen_by_white(Score s) const {
        return pos_.side_to_move() == White ? s : -s;
    }

    // search.cpp: the tree.
    template <Node node>
    Score search(int ply, Score alpha, Score beta, int depth, bool cut_node);
    bool table_decides(int ply, const Situation& s);
    void evaluate_node(int ply, Situation& s);
    void reconsider_depth(int ply, Situation& s);
    std::optional<Score> prune_node(int ply, const Situation& s);
    std::optional<Score> try_null_move(int ply, const Situation& s);
    std::optional<Score> try_probcut(int ply, const Situation& s);
    template <Node node>
    Score search_moves(int ply, Situation& s);
    [[nodiscard]] bool prune_move(
        int ply, const Situation& s, Move m, int count, bool quiet, MovePicker& picker) const;
    std::optional<Score> test_singular(int ply, const Situation& s, bool pv, int& extension);
    [[nodiscard]] int
    reduction(int ply, const Situation& s, Move m, int count, bool quiet, bool pv) const;
    template <Node node>
    Score search_child(int ply, const Situation& s, int count, Score best, int depth, int late);
    [[nodiscard]] bool is_root_move(Move m) const;
    // Notes what a move was worth; true if it refutes the opponent's last one.
    template <bool pv>
    bool take(int ply, Move m, Score score, Score& alpha, Score beta, Found& found) {
        found.best = std::max(found.best, score);
        if (score <= alpha)
            return false;
        found.move = m;
        if constexpr (pv)
            extend_line(ply, m);
        if (score >= beta)
            return true;
        alpha = score;
        return false;
    }
    void finish_node(
        int ply, const Situation& s, const Tried& tried, const Found& found, Score old_alpha);
    void reward(int ply, const Situation& s, Move best, const Tried& tried);
    void reward_continuation(int ply, Piece p, Square to, int bonus);
    [[nodiscard]] int quiet_history(const QuietContext& quiets, Move m) const;
    QuietContext context(int ply);

    // quiesce.cpp
    template <bool pv>
    Score quiesce(int ply, Score alpha, Score beta);
    bool stand_pat(int ply, Calm& c);
    template <bool pv>
    bool try_captures(int ply, Calm& c);

    // Moves on the board, with keys, counters and prefetching.
    void make(int ply, Move m, Undo& undo);
    void unmake(Move m, const Undo& undo);
    void make_null(int ply, Undo& undo);
    void unmake_null(const Undo& undo) { pos_.unmake_null(undo); }
    void count_node();
    [[nodiscard]] bool stopped() const { return control_.stopped(); }
    [[nodiscard]] bool is_draw(int ply) const;
    [[nodiscard]] Score draw_score() const { return Draw + static_cast<int>(nodes_ & 2) - 1; }
    [[nodiscard]] Score corrected(int ply, Score raw) const;
    [[nodiscard]] std::optional<std::size_t> last_moves(int ply) const;
    Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply + Before)]; }
    [[nodiscard]] const Frame& frame(int ply) const {
        return frames_[static_cast<std::size_t>(ply + Before)];
    }
    void extend_line(int ply, Move m);

    static constexpr int Before = 6;  // frames before the root, for looking back
    using Line = std::array<Move, MaxPly + 2>;

    TranspositionTable& tt_;
    Control& control_;
    bool first_;
    Evaluator evaluator_;
    std::unique_ptr<Histories> histories_;
    std::unique_ptr<Corrections> corrections_;

    Position pos_;
    std::size_t root_at_ = 0;      // index of the root in the next two
    std::vector<Key> keys_;        // the game's and the tree's
    std::vector<int> reversible_;  // for each key: plies since the last irreversible move
    std::vector<RootMove> root_moves_;
    std::array<Frame, MaxPly + Before + 4> frames_;
    std::vector<Line> lines_;  // principal variation from each ply
    std::array<int, MaxPly + 4> line_length_{};

    NodeSum all_nodes_;
    Report report_;
    Telltale telltale_;
    std::uint64_t nodes_ = 0;
    int until_poll_ = 1;
    int root_depth_ = 0, finished_depth_ = 0, seldepth_ = 0;
    int null_from_ply_ = 0;  // null moves are off before this ply, while one is verified
    int stable_iterations_ = 0;
    bool restricted_ = false;  // not all moves of the root are to be considered
    Score last_iteration_score_ = 0;
    Score previous_white_ = NoScore;  // of the last search, White's; it may have been their move
};

}  // namespace engine

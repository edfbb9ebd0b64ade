#include "tools/pruning/methods.h"

#include "engine/board/movegen.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tools::pruning {
namespace {

using engine::Bound;
using engine::Move;
using engine::Position;
using engine::Score;

constexpr Score Mated = -engine::KnownWin;
constexpr std::array<Score, 6> PieceValue = {100, 320, 330, 500, 900, 0};
constexpr std::size_t TableEntries = 1 << 20;
constexpr std::size_t MaxDepth = 64;

// 0 in the corner, 6 in the centre.
constexpr int centre(engine::Square s) {
    const int file = engine::file_of(s), rank = engine::rank_of(s);
    return std::min(file, 7 - file) + std::min(rank, 7 - rank);
}

// Material; pawns are better in front, the other pieces in the centre.
Score evaluate(const Position& pos) {
    Score white = 0;
    for (engine::Bitboard left = pos.pieces(); left != 0;) {
        const engine::Square s = engine::pop_lowest(left);
        const engine::Piece piece = pos.piece_on(s);
        const engine::PieceType type = engine::type_of(piece);
        const engine::Color color = engine::color_of(piece);
        const Score place = type == engine::Pawn   ? 5 * engine::relative_rank(color, s) + centre(s)
                            : type == engine::King ? 0
                                                   : 4 * centre(s);
        const Score value = PieceValue[type] + place;
        white += color == engine::White ? value : -value;
    }
    return pos.side_to_move() == engine::White ? white : -white;
}

struct Entry {
    engine::Key key = 0;
    Move move{};
    std::int16_t depth = -1;
    Bound bound = Bound::None;
    Score value = 0;
};

struct TooManyNodes {};

class Search {
  public:
    Search(Method method, std::uint64_t max_nodes) : method_(method), max_nodes_(max_nodes) {
        if (has(Method::Table))
            table_.resize(TableEntries);
    }

    Count run(const Position& root, int depth) {
        const auto start = std::chrono::steady_clock::now();
        for (int d = has(Method::Table) ? 1 : depth; d <= depth; ++d)
            count_.value = value(root, d, 0, -engine::Infinite, engine::Infinite);
        count_.spent = std::chrono::steady_clock::now() - start;
        return count_;
    }

  private:
    [[nodiscard]] bool has(Method m) const { return method_ >= m; }

    Score value(const Position& pos, int depth, std::size_t ply, Score alpha, Score beta);
    Score quiesce(const Position& pos, Score alpha, Score beta);
    Score after(const Position& pos, Move m, int depth, std::size_t ply, Score alpha, Score beta) {
        if (++count_.nodes > max_nodes_)
            throw TooManyNodes();
        Position next = pos;
        next.make(m);
        return depth < 0 ? -quiesce(next, -beta, -alpha)
                         : -value(next, depth, ply + 1, -beta, -alpha);
    }
    // The most promising first: the table's move, captures, killers, then the others by history.
    void order(const Position& pos, std::vector<Move>& moves, std::size_t ply, Move best) const;
    void reward(const Position& pos, Move m, int depth, std::size_t ply);
    void store(const Position& pos, const Entry& entry) {
        if (has(Method::Table))
            table_[pos.key() % TableEntries] = entry;
    }

    Method method_;
    std::uint64_t max_nodes_;
    Count count_;
    std::vector<Entry> table_;
    std::array<std::array<Move, 2>, MaxDepth> killers_{};
    std::array<std::array<int, 64 * 64>, 2> history_{};
};

void Search::order(const Position& pos,
                   std::vector<Move>& moves,
                   std::size_t ply,
                   Move best) const {
    const auto promise = [&](Move m) {
        if (m == best)
            return 1'000'000'000;
        if (pos.is_capture(m) || m.kind() == engine::MoveKind::Promotion) {
            const Score taken = pos.is_capture(m) ? PieceValue[pos.captured(m)] : 0;
            const Score gained =
                m.kind() == engine::MoveKind::Promotion ? PieceValue[m.promoted()] : 0;
            return 900'000'000 + 10 * (taken + gained) - engine::type_of(pos.piece_on(m.from()));
        }
        if (ply < MaxDepth && (m == killers_[ply][0] || m == killers_[ply][1]))
            return 800'000'000;
        return history_[pos.side_to_move()][static_cast<std::size_t>(m.from() * 64 + m.to())];
    };
    std::stable_sort(
        moves.begin(), moves.end(), [&](Move a, Move b) { return promise(a) > promise(b); });
}

void Search::reward(const Position& pos, Move m, int depth, std::size_t ply) {
    if (pos.is_capture(m))
        return;
    if (killers_[ply][0] != m)
        killers_[ply] = {m, killers_[ply][0]};
    int& gained = history_[pos.side_to_move()][static_cast<std::size_t>(m.from() * 64 + m.to())];
    gained = std::min(gained + depth * depth, 700'000'000);
}

// Fail-soft negamax. Minimax is the same without the cut.
Score Search::value(const Position& pos, int depth, std::size_t ply, Score alpha, Score beta) {
    if (depth == 0) {
        ++count_.leaves;
        return has(Method::Quiescence) ? quiesce(pos, alpha, beta) : evaluate(pos);
    }
    Entry found;
    if (has(Method::Table) && table_[pos.key() % TableEntries].key == pos.key()) {
        found = table_[pos.key() % TableEntries];
        if (ply > 0 && found.depth == depth &&
            (found.bound == Bound::Exact || (found.bound == Bound::Lower && found.value >= beta) ||
             (found.bound == Bound::Upper && found.value <= alpha)))
            return found.value;
    }
    const engine::MoveList generated = engine::legal_moves(pos);
    if (generated.empty())
        return pos.in_check() ? Mated - depth : engine::Draw;
    std::vector<Move> moves(generated.begin(), generated.end());
    if (has(Method::Ordered))
        order(pos, moves, ply, found.move);

    const Score lowest = alpha;
    Score best = -engine::Infinite;
    Move best_move;
    for (const Move m : moves) {
        const Score v = after(pos, m, depth - 1, ply, alpha, beta);
        if (v > best) {
            best = v;
            best_move = m;
        }
        if (!has(Method::AlphaBeta))
            continue;
        alpha = std::max(alpha, v);
        if (alpha >= beta) {
            if (has(Method::Ordered))
                reward(pos, m, depth, ply);
            break;
        }
    }
    const Bound bound = best >= beta ? Bound::Lower : best > lowest ? Bound::Exact : Bound::Upper;
    store(pos, {pos.key(), best_move, static_cast<std::int16_t>(depth), bound, best});
    return best;
}

// Captures and queen promotions only, unless in check; the side to move may also stop here.
Score Search::quiesce(const Position& pos, Score alpha, Score beta) {
    engine::MoveList generated;
    Score best = Mated;
    if (pos.in_check()) {
        generated = engine::legal_moves(pos);
    } else {
        best = evaluate(pos);
        if (best >= beta)
            return best;
        engine::generate<engine::Moves::Captures>(pos, generated);
    }
    std::vector<Move> moves(generated.begin(), generated.end());
    order(pos, moves, MaxDepth, engine::NoMove);
    for (const Move m : moves) {
        alpha = std::max(alpha, best);
        if (alpha >= beta)
            break;
        best = std::max(best, after(pos, m, -1, MaxDepth, alpha, beta));
    }
    return best;
}

}  // namespace

Result<Position> position_to_search(const std::string& fen) {
    Result<Position> pos = Position::from_fen(fen);
    if (pos && !engine::has_legal_move(*pos))
        return fail("no legal move in \"" + fen + '"');
    return pos;
}

std::string_view name(Method m) {
    constexpr std::array<std::string_view, AllMethods.size()> Names = {
        "minimax", "alpha-beta", "+ ordered moves", "+ hash table", "+ quiescence"};
    return Names[static_cast<std::size_t>(m)];
}

std::optional<Count>
count_nodes(Method method, const Position& pos, int depth, std::uint64_t max_nodes) {
    try {
        return Search(method, max_nodes).run(pos, depth);
    } catch (const TooManyNodes&) {
        return std::nullopt;
    }
}

double least_leaves(double branching, int depth) {
    return std::pow(branching, (depth + 1) / 2) + std::pow(branching, depth / 2) - 1;
}

double mean_branching(std::uint64_t leaves, int depth) {
    return std::pow(static_cast<double>(leaves), 1.0 / depth);
}

}  // namespace tools::pruning

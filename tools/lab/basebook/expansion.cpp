#include "tools/lab/basebook/expansion.h"

#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "tools/common/errors.h"
#include "tools/lab/basebook/play_policy.h"
#include "tools/lab/basebook/task_runner.h"

#include <algorithm>

#include <fmt/format.h>

namespace tools::basebook {
namespace {

using engine::Move;

constexpr double MinShare = 0.05, MinEarlyShare = 0.01;  // of masters' games
constexpr int MinGames = 20;
constexpr std::size_t MaxMastersMoves = 3, MaxEarlyMoves = 7;  // besides the best move
constexpr int NearDeviation = 15, MaxDeviations = 2;           // cp; candidates made of deviations
constexpr int FarBehind = 40;                                  // cp
constexpr double NearReply = 20;                               // cp

// The start and the positions after the four usual first moves.
bool is_early(const engine::Position& pos) {
    static const std::vector<engine::Key> Keys = [] {
        std::vector<engine::Key> keys{engine::Position().key()};
        for (const char* const move : {"e4", "d4", "Nf3", "c4"}) {
            engine::Position after;
            after.make(*engine::parse_move(after, move));
            keys.push_back(after.key());
        }
        return keys;
    }();
    return std::find(Keys.begin(), Keys.end(), pos.key()) != Keys.end();
}

}  // namespace

std::string partial_name(const std::vector<Move>& excluded, std::uint64_t nodes) {
    return fmt::format("{} {}", to_text(excluded), nodes);
}

void Expansion::store(const Task& task, const TaskResult& result) {
    Node& node = graph_.nodes[graph_.node_of(task.position)];
    const auto move = engine::parse_move(node.position, result.move);
    if (!move)
        throw Failure(
            fmt::format("the log has the move {} in {}", result.move, node.position.fen()));
    const Leaf leaf{
        .move = *move, .cp = result.cp, .depth = result.depth, .nodes = task.name.nodes};
    if (!task.excluded.empty()) {
        node.partial[partial_name(task.excluded, task.name.nodes)] = leaf;
        return;
    }
    const auto place = std::find_if(node.whole.begin(), node.whole.end(), [&](const Leaf& other) {
        return other.nodes >= leaf.nodes;
    });
    if (place == node.whole.end() || place->nodes != leaf.nodes)
        node.whole.insert(place, leaf);
}

void Expansion::require_whole(std::size_t node,
                              std::uint64_t nodes,
                              std::vector<Task>& missing) const {
    const Node& n = graph_.nodes[node];
    if ((n.whole.empty() || n.whole.back().nodes < nodes) && engine::has_legal_move(n.position))
        missing.push_back(make_task(n.position, {}, nodes));
}

std::vector<Task> Expansion::advance(std::size_t node) {
    std::vector<Task> missing;
    const std::uint64_t nodes = std::max(graph_.nodes[node].ours, graph_.nodes[node].theirs);
    require_whole(node, nodes, missing);
    if (!missing.empty())
        return missing;
    if (!engine::has_legal_move(graph_.nodes[node].position)) {
        graph_.nodes[node].ours_done = graph_.nodes[node].theirs_done = true;
        return missing;
    }
    if (graph_.nodes[node].ours > 0)
        graph_.nodes[node].ours_done = advance_ours(node, missing) || graph_.nodes[node].ours_done;
    if (graph_.nodes[node].theirs > 0)
        finish_theirs(node);
    return missing;
}

std::vector<Move> Expansion::masters_moves(std::size_t node, Move best) const {
    const engine::Position& pos = graph_.nodes[node].position;
    const bool early = is_early(pos);
    const int games = counts_.games(pos.key());
    std::vector<Move> moves;
    for (const CountedMove& m : counts_.moves(pos.key()))
        if (m.move != best && m.games >= MinGames &&
            m.games >= (early ? MinEarlyShare : MinShare) * games &&
            moves.size() < (early ? MaxEarlyMoves : MaxMastersMoves))
            moves.push_back(m.move);
    return moves;
}

// Searches for the best move outside `excluded`; while it is nearly as good as the best one it
// becomes a candidate. False if searches are missing.
bool Expansion::find_deviation(std::size_t node,
                               std::vector<Move>& excluded,
                               Leaf& deviation,
                               std::vector<Task>& missing) {
    const std::size_t legal = engine::legal_moves(graph_.nodes[node].position).size();
    int best = -MaxCentipawns;
    for (const Move m : excluded) {
        const Leaf leaf = leaf_of(graph_, graph_.edge_of(node, m));
        if (leaf.nodes > 0)
            best = std::max(best, leaf.cp);
    }
    for (int added = 0; excluded.size() < legal; ++added) {
        const Node& n = graph_.nodes[node];
        const auto found = n.partial.find(partial_name(excluded, n.ours));
        if (found == n.partial.end())
            missing.push_back(make_task(n.position, excluded, n.ours));
        if (!missing.empty())
            return false;
        if (found->second.cp < best - NearDeviation || added == MaxDeviations) {
            deviation = found->second;
            return true;
        }
        best = std::max(best, found->second.cp);
        excluded.push_back(found->second.move);
        graph_.edge_of(node, found->second.move).direct = found->second;
    }
    return true;
}

bool Expansion::advance_ours(std::size_t node, std::vector<Task>& missing) {
    std::vector<Move> candidates;
    const auto add = [&candidates](Move m) {
        if (std::find(candidates.begin(), candidates.end(), m) == candidates.end())
            candidates.push_back(m);
    };
    const std::vector<Leaf> whole = graph_.nodes[node].whole;  // edge_of() may move the nodes
    for (const Leaf& search : whole) {
        add(search.move);
        graph_.edge_of(node, search.move).direct = search;
    }
    const std::uint64_t nodes = graph_.nodes[node].ours;
    for (const Move m : masters_moves(node, whole.back().move)) {
        add(m);
        const Edge& edge = graph_.edge_of(node, m);
        // Moves that proved to be bad are not searched again with more nodes.
        const Leaf known = leaf_of(graph_, edge);
        if (known.nodes == 0 || known.cp >= whole.back().cp - FarBehind)
            require_whole(edge.child, nodes, missing);
    }
    const std::vector<Move> promoted = graph_.nodes[node].promoted;
    for (const Move m : promoted)
        add(m);
    Leaf deviation;
    if (!find_deviation(node, candidates, deviation, missing))
        return false;
    for (Edge& edge : graph_.nodes[node].edges)
        edge.deviation = false;
    if (deviation.nodes > 0) {
        Edge& edge = graph_.edge_of(node, deviation.move);
        edge.direct = deviation;
        edge.deviation = true;
    }
    Node& done = graph_.nodes[node];
    int best = -MaxCentipawns;
    for (const Edge& edge : done.edges)
        best = std::max(best, leaf_of(graph_, edge).nodes > 0 ? leaf_of(graph_, edge).cp : best);
    for (Edge& edge : done.edges) {
        const Leaf leaf = leaf_of(graph_, edge);
        edge.games = counts_.games(done.position.key(), edge.move);
        edge.walked =
            edge.walked || (!edge.deviation && leaf.nodes > 0 && leaf.cp >= best - BookMargin);
    }
    return true;
}

void Expansion::finish_theirs(std::size_t node) {
    const Leaf best = graph_.nodes[node].whole.back();
    const engine::Key key = graph_.nodes[node].position.key();
    const auto list = [&](Move m) {
        Edge& edge = graph_.edge_of(node, m);
        edge.games = counts_.games(key, m);
        edge.deviation = false;
        edge.walked = true;
    };
    Edge& edge = graph_.edge_of(node, best.move);
    if (edge.direct.nodes < best.nodes)
        edge.direct = best;
    list(best.move);
    for (const CountedMove& m : counts_.moves(key))
        list(m.move);
    graph_.nodes[node].theirs_done = true;
    add_known_replies(node);
}

void Expansion::add_known_replies(std::size_t node) {
    const engine::Position pos = graph_.nodes[node].position;
    const Leaf best = graph_.nodes[node].whole.back();
    for (const Move m : engine::legal_moves(pos)) {
        engine::Position after = pos;
        after.make(m);
        const auto child = graph_.find(after);
        if (!child || !graph_.nodes[*child].ours_done || !graph_.nodes[*child].valued ||
            -graph_.nodes[*child].value < best.cp - NearReply)
            continue;
        Edge& edge = graph_.edge_of(node, m);
        edge.games = counts_.games(pos.key(), m);
        edge.deviation = false;
        edge.walked = true;
    }
}

}  // namespace tools::basebook

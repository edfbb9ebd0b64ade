#include "tools/lab/basebook/book_graph.h"

#include "book/model/key.h"
#include "engine/board/movegen.h"
#include "tools/common/errors.h"
#include "tools/lab/basebook/task_runner.h"

#include <fmt/format.h>

namespace tools::basebook {

engine::Position without_clocks(const engine::Position& pos) {
    const std::string fen = pos.fen();
    std::size_t end = 0;
    for (int field = 0; field < 4; ++field)
        end = fen.find(' ', end + 1);
    return value_or_throw(engine::Position::from_fen(fen.substr(0, end)));
}

BookGraph::BookGraph() {
    node_of(engine::Position());
}

std::optional<std::size_t> BookGraph::find(const engine::Position& pos) const {
    const auto found = index_.find(pos.key());
    if (found == index_.end())
        return std::nullopt;
    if (nodes[found->second].bits != book::check_bits(pos))
        throw Failure(fmt::format("two positions have one key: {}", pos.fen()));
    return found->second;
}

std::size_t BookGraph::node_of(const engine::Position& pos) {
    if (const auto known = find(pos))
        return *known;
    index_[pos.key()] = nodes.size();
    Node node;
    node.position = without_clocks(pos);
    node.bits = book::check_bits(pos);
    node.ply = Unreached;
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
}

Edge& BookGraph::edge_of(std::size_t node, engine::Move move) {
    for (Edge& edge : nodes[node].edges)
        if (edge.move == move)
            return edge;
    engine::Position after = nodes[node].position;
    after.make(move);
    Edge edge;
    edge.move = move;
    edge.child = node_of(after);
    if (!engine::has_legal_move(after))  // no search is needed
        edge.direct = {
            .move = move, .cp = after.in_check() ? MaxCentipawns : 0, .depth = 1, .nodes = 1};
    nodes[node].edges.push_back(edge);
    return nodes[node].edges.back();
}

Leaf leaf_of(const BookGraph& graph, const Edge& edge) {
    const Leaf* const below = graph.nodes[edge.child].deepest();
    if (below == nullptr || below->nodes <= edge.direct.nodes)
        return edge.direct;
    return {.move = edge.move, .cp = -below->cp, .depth = below->depth + 1, .nodes = below->nodes};
}

}  // namespace tools::basebook

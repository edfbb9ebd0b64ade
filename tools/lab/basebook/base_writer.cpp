#include "tools/lab/basebook/base_writer.h"

#include "engine/board/notation.h"
#include "tools/lab/basebook/play_policy.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tools::basebook {
namespace {

class Writer {
  public:
    explicit Writer(const BookGraph& graph) : graph_(graph), written_(graph.nodes.size(), false) {}

    std::vector<BaseMove> write() {
        write_node(0);
        return std::move(moves_);
    }

  private:
    void write_node(std::size_t index) {
        const Node& node = graph_.nodes[index];
        written_[index] = true;
        std::vector<const Edge*> edges;
        for (const Edge& edge : node.edges)
            if (edge.valued)
                edges.push_back(&edge);
        std::stable_sort(edges.begin(), edges.end(), [](const Edge* a, const Edge* b) {
            return a->value > b->value;
        });
        for (const Edge* edge : edges) {
            const Node& child = graph_.nodes[edge->child];
            const bool forward = edge->walked && !edge->back;
            // A move back, or one found in this round, leads to another ply.
            const bool opens = forward && child.ply == node.ply + 1 && child.expanded() &&
                               child.valued && has_moves(child);
            BaseMove& m = moves_.emplace_back();
            m.ply = node.ply + 1;
            m.before = node.position;
            m.move = edge->move;
            m.cp = static_cast<int>(std::lround(edge->value));
            m.kind = opens || (forward && is_near(*edge, *edges.front())) ? letter(node) : 'x';
            m.depth = edge->depth;
            m.effort = power_of_two(edge->effort);
            m.games = std::min(games_digit(edge->games), MaxGamesDigit);
            m.deviation = edge->deviation;
            m.transposition = opens && written_[edge->child];
            if (opens && !m.transposition)
                write_node(edge->child);
        }
    }

    static bool has_moves(const Node& node) {
        return std::any_of(
            node.edges.begin(), node.edges.end(), [](const Edge& e) { return e.valued; });
    }
    static bool is_near(const Edge& edge, const Edge& best) {
        return edge.value >= best.value - BookMargin;
    }
    static char letter(const Node& node) {
        const Class ours = node.ours_done ? node.ours_class : Class::C;
        const Class theirs = node.theirs_done ? node.theirs_class : Class::C;
        return static_cast<char>('A' + static_cast<int>(std::min(ours, theirs)));
    }

    static constexpr int MaxGamesDigit = 16;  // 2^15 games
    const BookGraph& graph_;
    std::vector<bool> written_;
    std::vector<BaseMove> moves_;
};

}  // namespace

std::vector<BaseMove> moves_of(const BookGraph& graph) {
    return Writer(graph).write();
}

namespace {

struct OurMove {
    double reach;
    std::size_t node;
    const Edge* edge;
};

// "1.e4 c5 2.Nf3": the first way to each node, by ply.
std::vector<std::string> lines_of(const BookGraph& graph) {
    std::vector<std::string> lines(graph.nodes.size());
    std::vector<std::size_t> order{0};
    for (std::size_t at = 0; at < order.size(); ++at) {
        const Node& node = graph.nodes[order[at]];
        for (const Edge& edge : node.edges) {
            std::string& line = lines[edge.child];
            if (!edge.walked || edge.back || !line.empty() || edge.child == 0)
                continue;
            const bool white = node.ply % 2 == 0;
            line = fmt::format("{}{}{}{}",
                               lines[order[at]],
                               node.ply == 0 ? "" : " ",
                               white ? fmt::format("{}.", node.ply / 2 + 1) : "",
                               engine::to_san(node.position, edge.move));
            order.push_back(edge.child);
        }
    }
    return lines;
}

std::string line_about(const BookGraph& graph, const OurMove& move, const std::string& line) {
    const Node& node = graph.nodes[move.node];
    const Edge* second = nullptr;
    int games = 0;
    for (const Edge& edge : node.edges) {
        games += edge.games;
        if (edge.valued && &edge != move.edge && !edge.deviation &&
            (second == nullptr || edge.value > second->value))
            second = &edge;
    }
    const std::string other =
        second == nullptr
            ? "-"
            : fmt::format("{} {:.0f}", engine::to_san(node.position, second->move), second->value);
    return fmt::format("{}\t{:.4f}\t{} -> {}\t{:.0f}\t{}\t{:.0f} %\n",
                       node.position.side_to_move() == engine::White ? "white" : "black",
                       move.reach,
                       line,
                       engine::to_san(node.position, move.edge->move),
                       move.edge->value,
                       other,
                       games > 0 ? 100.0 * move.edge->games / games : 0.0);
}

}  // namespace

std::string most_reached(const BookGraph& graph, std::size_t count) {
    std::vector<OurMove> moves;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const Edge& edge : graph.nodes[i].edges)
            if (graph.nodes[i].ours_done && edge.share > 0)
                moves.push_back(
                    {graph.nodes[i].reach.at(graph.nodes[i].position.side_to_move()) * edge.share,
                     i,
                     &edge});
    std::stable_sort(moves.begin(), moves.end(), [](const OurMove& a, const OurMove& b) {
        return a.reach > b.reach;
    });
    moves.resize(std::min(moves.size(), count));
    const std::vector<std::string> lines = lines_of(graph);
    std::string text = "colour\treach\tline\tcp\tsecond\tmasters\n";
    for (const OurMove& move : moves)
        text += line_about(graph, move, lines[move.node]);
    return text;
}

}  // namespace tools::basebook

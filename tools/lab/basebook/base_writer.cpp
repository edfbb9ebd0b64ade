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
            const bool opens = forward && child.expanded() && child.valued && has_moves(child);
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

}  // namespace tools::basebook

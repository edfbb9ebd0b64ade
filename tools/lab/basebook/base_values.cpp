// Values, effort and reach of the positions of the book. Sources: M. Buro, "Toward Opening Book
// Learning", 1999 (the best deviation is scored at every node); T. Lincke, "Strategies for the
// Automatic Construction of Opening Books", 2000 (positions reached at low cost come first).
#include "tools/lab/basebook/book_graph.h"
#include "tools/lab/basebook/play_policy.h"

#include <algorithm>
#include <cmath>

namespace tools::basebook {
namespace {

// The mean of moves near the best is blended into the maximum: the best of several scores with
// errors is too high.
constexpr double MaxWeight = 0.75, NearBest = 20;
constexpr double DeviationPenalty = 5;  // cp
// Errors of two searches of one line are correlated: combined they err less, but not as little as
// independent ones.
constexpr double Likeness = 1.5, MinError = 6;

class Evaluation {
  public:
    explicit Evaluation(BookGraph& graph) : graph_(graph), nodes_(graph.nodes) {}

    void run() {
        find_plies();
        std::vector<int> parents(nodes_.size(), 0);
        for (const std::size_t i : order_)
            for (const Edge& edge : nodes_[i].edges)
                if (is_forward(nodes_[i], edge))
                    ++parents[edge.child];
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (nodes_[i].ply == Unreached)
                value_leaf(nodes_[i]);
        for (auto i = order_.rbegin(); i != order_.rend(); ++i)
            value(nodes_[*i], parents);
        find_reach();
    }

  private:
    // Breadth first over the moves of the book, then over all others, so that a line that was given
    // up keeps its values; `order_` has the nodes by ply.
    void find_plies() {
        for (Node& node : nodes_)
            node.ply = Unreached;
        nodes_[0].ply = 0;
        order_ = {0};
        extend(true);
        extend(false);
        std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
            return nodes_[a].ply < nodes_[b].ply;
        });
    }

    void extend(bool walked_only) {
        for (std::size_t at = 0; at < order_.size(); ++at) {
            const Node& node = nodes_[order_[at]];
            if (!node.expanded())
                continue;
            for (const Edge& edge : node.edges) {
                Node& child = nodes_[edge.child];
                if (child.ply != Unreached || (walked_only && !edge.walked))
                    continue;
                child.ply = node.ply + 1;
                order_.push_back(edge.child);
            }
        }
    }

    [[nodiscard]] bool is_forward(const Node& node, const Edge& edge) const {
        return nodes_[edge.child].ply > node.ply;
    }

    static void value_leaf(Node& node) {
        const Leaf* const leaf = node.deepest();
        node.valued = leaf != nullptr;
        node.value = node.valued ? leaf->cp : 0;
        node.error = node.valued ? leaf_error(leaf->nodes) : leaf_error(0);
        node.depth = node.valued ? leaf->depth : 0;
        node.effort = 0;
        for (const Leaf& search : node.whole)
            node.effort += static_cast<double>(search.nodes);
        for (const auto& [name, search] : node.partial)
            node.effort += static_cast<double>(search.nodes);
    }

    void value_edge(const Node& node, Edge& edge) const {
        const Leaf leaf = leaf_of(graph_, edge);
        const Node& child = nodes_[edge.child];
        edge.back = !is_forward(node, edge);
        edge.valued = leaf.nodes > 0;
        edge.effort = child.effort + static_cast<double>(edge.direct.nodes);
        if (!edge.valued)
            return;
        edge.value = leaf.cp;
        edge.error = leaf_error(leaf.nodes);
        edge.depth = leaf.depth;
        if (edge.back) {
            // A cycle is a draw at best.
            edge.value = std::min(edge.value, 0.0);
        } else if (!edge.deviation && child.expanded() && child.valued && child.ply != Unreached) {
            const double below = child.error * child.error, here = edge.error * edge.error;
            const double weight = below / (below + here);
            edge.value = weight * leaf.cp - (1 - weight) * child.value;
            edge.error = std::max(MinError, std::sqrt(Likeness / (1 / below + 1 / here)));
            edge.depth = std::max(edge.depth, child.depth + 1);
        }
    }

    void value(Node& node, const std::vector<int>& parents) const {
        value_leaf(node);
        if (!node.expanded())
            return;
        struct Scored {
            double value;
            const Edge* edge;
        };
        std::vector<Scored> moves;
        for (Edge& edge : node.edges) {
            value_edge(node, edge);
            if (edge.valued)
                moves.push_back({edge.value - (edge.deviation ? DeviationPenalty : 0), &edge});
            if (is_forward(node, edge))
                node.effort += nodes_[edge.child].effort / parents[edge.child];
        }
        if (moves.empty())
            return;
        std::stable_sort(moves.begin(), moves.end(), [](const Scored& a, const Scored& b) {
            return a.value > b.value;
        });
        double sum = 0, weights = 0;
        for (std::size_t i = 0; i < moves.size() && moves[i].value >= moves[0].value - NearBest;
             ++i) {
            sum += moves[i].value / static_cast<double>(i + 1);
            weights += 1 / static_cast<double>(i + 1);
        }
        node.valued = true;
        node.value = MaxWeight * moves[0].value + (1 - MaxWeight) * sum / weights;
        node.error = moves[0].edge->error;
        node.depth = moves[0].edge->depth;
        for (Edge& edge : node.edges)
            edge.walked =
                !edge.deviation &&
                (node.theirs_done || (edge.valued && edge.value >= moves[0].value - BookMargin));
    }

    void find_reach() {
        for (Node& node : nodes_)
            node.reach = {}, node.estimate = node.value;
        nodes_[0].reach = {1, 1};
        for (const std::size_t i : order_) {
            Node& node = nodes_[i];
            if (!node.expanded())
                continue;
            const int us = node.position.side_to_move();
            const auto spread = [&](int colour,
                                    const std::vector<Edge*>& moves,
                                    const std::vector<double>& shares) {
                for (std::size_t k = 0; k < moves.size(); ++k) {
                    Node& child = nodes_[moves[k]->child];
                    child.reach.at(static_cast<std::size_t>(colour)) +=
                        node.reach.at(static_cast<std::size_t>(colour)) * shares[k];
                    child.estimate = child.valued       ? child.value
                                     : moves[k]->valued ? -moves[k]->value
                                                        : -node.value;
                }
            };
            std::vector<Edge*> moves;
            std::vector<Option> options;
            int games = 0;
            for (Edge& edge : node.edges) {
                edge.share = 0;
                games += edge.games;
                if (!edge.walked || edge.back)
                    continue;
                moves.push_back(&edge);
                options.push_back({.cp = edge.valued ? std::optional(edge.value) : std::nullopt,
                                   .games = edge.games});
            }
            if (node.ours_done) {
                const std::vector<double> shares = our_policy(options, node.ply / 2 + 1);
                spread(us, moves, shares);
                for (std::size_t k = 0; k < moves.size(); ++k)
                    moves[k]->share = shares[k];
            }
            if (node.theirs_done)
                spread(1 - us, moves, their_policy(options, games));
        }
    }

    BookGraph& graph_;
    std::vector<Node>& nodes_;
    std::vector<std::size_t> order_;
};

}  // namespace

void evaluate(BookGraph& graph) {
    Evaluation(graph).run();
}

}  // namespace tools::basebook

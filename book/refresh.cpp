#include "book/refresh.h"

#include <cmath>
#include <map>
#include <unordered_map>

namespace book {

Own own_of(const Node& node, const Aging& aging, std::int64_t now) {
    const double fade = 1 / aging.growth(now);
    Own own{.exits = static_cast<double>(node.exits),
            .weight = node.s0 * fade,
            .score = node.s1 * fade,
            .exit_score = std::nullopt,
            .value = node.v,
            .evidence = node.e * aging.growth(node.t) * fade};
    if (node.cp)
        own.exit_score = score_from_centipawns(*node.cp);
    return own;
}

Results results_for(const Edge& e, Color side) {
    const auto ours = static_cast<double>(side == engine::White ? e.white : e.black);
    const auto theirs = static_cast<double>(side == engine::White ? e.black : e.white);
    return {.wins = ours, .draws = static_cast<double>(e.draws), .losses = theirs};
}

double analysed_score(const Analysis& a, Color side) {
    const double score = score_from_centipawns(a.cp);
    return mover(a.move) == side ? score : 1 - score;
}

namespace {

struct Known {  // what is known of one move, while a value is computed
    Results imported{};
    double imported_games = 0;
    std::optional<double> analysed;
    const Visit* visit = nullptr;
};

// Recomputes one position; true if its value or evidence changed.
Result<bool>
recompute(Store& store, const Model& model, const Aging& aging, const NodeName& name, Node& node) {
    Tree& tree = *store.tree;
    const Result<std::vector<Visit>> visits = tree.visits(name);
    if (!visits)
        return tl::unexpected<Error>(visits.error());
    const Result<std::vector<Edge>> edges = tree.edges(name.key);
    if (!edges)
        return tl::unexpected<Error>(edges.error());
    const Result<std::vector<Analysis>> analyses = tree.analyses(name.key);
    if (!analyses)
        return tl::unexpected<Error>(analyses.error());

    std::map<StoredMove, Known> moves;  // sorted, so that sums do not depend on chance
    for (const Visit& v : *visits)
        if (v.n > 0)
            moves[v.move].visit = &v;
    for (const Edge& e : *edges) {
        moves[e.move].imported = results_for(e, name.side);
        moves[e.move].imported_games = static_cast<double>(e.games());
    }
    for (const Analysis& a : *analyses)
        if (const auto known = moves.find(a.move); known != moves.end())
            known->second.analysed = analysed_score(a, name.side);

    std::vector<Child> children;
    for (const auto& [move, known] : moves) {
        const bool ours = mover(move) == name.side;
        Child child{.belief = prior(model, known.imported, known.analysed)};
        if (known.visit) {
            const Result<std::optional<Node>> to =
                tree.node({.key = known.visit->child, .side = name.side, .time = name.time});
            if (!to)
                return tl::unexpected<Error>(to.error());
            if (*to &&
                (*to)->rank > node.rank)  // else a way back, which would feed a value to itself
                child.belief = posterior(model, child.belief, own_of(**to, aging, (*to)->t));
            child.visited = true;
            child.frequency = static_cast<double>(known.visit->n);
        }
        if (!ours)
            child.frequency += model.imported_replies * std::sqrt(known.imported_games);
        if (child.frequency > 0)
            children.push_back(child);
    }
    const Backed backed = back_up(model, children, own_of(node, aging, node.t));
    const bool changed = backed.value != node.v || backed.evidence != node.e;
    node.v = backed.value;
    node.e = backed.evidence;
    return changed;
}

struct NodeHash {
    std::size_t operator()(const NodeName& n) const {
        return static_cast<std::size_t>(n.key ^ static_cast<Key>(n.side) << 8 ^
                                        static_cast<Key>(n.time));
    }
};

// Positions waiting for their value, the highest rank first: a child always before its parents.
class Waiting {
  public:
    explicit Waiting(Tree& tree) : tree_(tree) {}
    Result<void> add(const NodeName& name, int below) {
        const Result<std::optional<Node>> node = tree_.node(name);
        if (!node)
            return tl::unexpected<Error>(node.error());
        if (*node && (*node)->rank < below && ranks_.try_emplace(name, (*node)->rank).second)
            by_rank_.emplace((*node)->rank, name);
        return {};
    }
    std::optional<NodeName> take() {
        if (by_rank_.empty())
            return std::nullopt;
        const auto last = std::prev(by_rank_.end());
        const NodeName name = last->second;
        by_rank_.erase(last);
        ranks_.erase(name);
        return name;
    }

  private:
    Tree& tree_;
    std::multimap<int, NodeName> by_rank_;
    std::unordered_map<NodeName, int, NodeHash> ranks_;
};

constexpr int AnyRank = 1 << 30;

}  // namespace

Result<void>
refresh(Store& store, const Model& model, const Aging& aging, const std::vector<NodeName>& names) {
    Tree& tree = *store.tree;
    Waiting waiting(tree);
    for (const NodeName& name : names)
        if (const Result<void> added = waiting.add(name, AnyRank); !added)
            return added;
    std::unordered_map<NodeName, bool, NodeHash>
        given;  // their parents must look again in any case
    for (const NodeName& name : names)
        given[name] = true;
    while (const std::optional<NodeName> name = waiting.take()) {
        const Result<std::optional<Node>> known = tree.node(*name);
        if (!known)
            return tl::unexpected<Error>(known.error());
        Node node = **known;
        const Result<bool> changed = recompute(store, model, aging, *name, node);
        if (!changed)
            return tl::unexpected<Error>(changed.error());
        if (*changed)
            if (const Result<void> put = tree.put(*name, node); !put)
                return put;
        if (!*changed && !given.contains(*name))
            continue;
        const Result<std::vector<Key>> parents = tree.parents(*name);
        if (!parents)
            return tl::unexpected<Error>(parents.error());
        for (const Key parent : *parents) {
            const NodeName above{.key = parent, .side = name->side, .time = name->time};
            if (const Result<void> added = waiting.add(above, node.rank); !added)
                return added;
        }
    }
    return {};
}

Result<void> refresh_all(Store& store, const Model& model, const Aging& aging) {
    std::vector<std::pair<NodeName, Node>> nodes;
    const Result<void> read = store.tree->each_node(
        [&nodes](const NodeName& name, const Node& node) { nodes.emplace_back(name, node); });
    if (!read)
        return read;
    for (auto& [name, node] : nodes) {  // highest rank first
        const Result<bool> changed = recompute(store, model, aging, name, node);
        if (!changed)
            return tl::unexpected<Error>(changed.error());
        if (*changed)
            if (const Result<void> put = store.tree->put(name, node); !put)
                return put;
    }
    return {};
}

}  // namespace book

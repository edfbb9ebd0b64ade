#include "book/learn/backup.h"

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

struct NodeHash {
    std::size_t operator()(const NodeKey& n) const {
        return static_cast<std::size_t>(n.key ^ static_cast<Key>(n.side) << 8 ^
                                        static_cast<Key>(n.time));
    }
};

// The nodes of one refresh, each read once: a position is looked at from all its parents.
class Nodes {
  public:
    explicit Nodes(Positions& tree) : tree_(tree) {}
    // Null, if there is none of the name. Stays valid.
    Result<Node*> get(const NodeKey& name) {
        const auto known = nodes_.find(name);
        if (known != nodes_.end())
            return known->second ? &*known->second : nullptr;
        const Result<std::optional<Node>> read = tree_.node(name);
        if (!read)
            return tl::unexpected<Error>(read.error());
        std::optional<Node>& kept = nodes_[name] = *read;
        return kept ? &*kept : nullptr;
    }
    void keep(const NodeKey& name, const Node& node) { nodes_[name] = node; }

  private:
    Positions& tree_;
    std::unordered_map<NodeKey, std::optional<Node>, NodeHash> nodes_;
};

struct Known {  // what is known of one move, while a value is computed
    Results imported{};
    double imported_games = 0;
    std::optional<double> analysed;
    const Visit* visit = nullptr;
};

// Recomputes one position and stores it if its value or evidence changed: then true.
Result<bool> recompute(Positions& tree,
                       const Model& model,
                       const Aging& aging,
                       Nodes& nodes,
                       const NodeKey& name,
                       Node& node) {
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
        Child child;
        Own own;
        if (known.visit) {
            const Result<Node*> to =
                nodes.get({.key = known.visit->child, .side = name.side, .time = name.time});
            if (!to)
                return tl::unexpected<Error>(to.error());
            if (*to &&
                (*to)->rank > node.rank)  // else a way back, which would feed a value to itself
                own = own_of(**to, aging, (*to)->t);
            child.visited = true;
            child.frequency = static_cast<double>(known.visit->n);
        }
        child.belief = posterior(model, prior(model, known.imported, known.analysed, own), own);
        if (!ours)
            child.frequency += model.imported_replies * std::sqrt(known.imported_games);
        if (child.frequency > 0)
            children.push_back(child);
    }
    const Backed backed = back_up(model, children, own_of(node, aging, node.t));
    if (backed.value == node.v && backed.evidence == node.e)
        return false;
    node.v = backed.value;
    node.e = backed.evidence;
    if (const Result<void> put = tree.put(name, node); !put)
        return tl::unexpected<Error>(put.error());
    return true;
}

// Positions waiting for their value, the highest rank first: a child always before its parents.
class Waiting {
  public:
    explicit Waiting(Nodes& nodes) : nodes_(nodes) {}
    Result<void> add(const NodeKey& name, int below) {
        const Result<Node*> node = nodes_.get(name);
        if (!node)
            return tl::unexpected<Error>(node.error());
        if (*node && (*node)->rank < below && ranks_.try_emplace(name, (*node)->rank).second)
            by_rank_.emplace((*node)->rank, name);
        return {};
    }
    std::optional<NodeKey> take() {
        if (by_rank_.empty())
            return std::nullopt;
        const auto last = std::prev(by_rank_.end());
        const NodeKey name = last->second;
        by_rank_.erase(last);
        ranks_.erase(name);
        return name;
    }

  private:
    Nodes& nodes_;
    std::multimap<int, NodeKey> by_rank_;
    std::unordered_map<NodeKey, int, NodeHash> ranks_;
};

constexpr int AnyRank = 1 << 30;

}  // namespace

Result<void>
back_up(Store& store, const Model& model, const Aging& aging, const std::vector<NodeKey>& names) {
    Positions& tree = *store.positions;
    Nodes nodes(tree);
    Waiting waiting(nodes);
    for (const NodeKey& name : names)
        if (const Result<void> added = waiting.add(name, AnyRank); !added)
            return added;
    std::unordered_map<NodeKey, bool, NodeHash> given;  // their parents must look again in any case
    for (const NodeKey& name : names)
        given[name] = true;
    while (const std::optional<NodeKey> name = waiting.take()) {
        const Result<Node*> known = nodes.get(*name);
        if (!known)
            return tl::unexpected<Error>(known.error());
        Node& node = **known;
        const Result<bool> changed = recompute(tree, model, aging, nodes, *name, node);
        if (!changed)
            return tl::unexpected<Error>(changed.error());
        if (!*changed && !given.contains(*name))
            continue;
        const Result<std::vector<Key>> parents = tree.parents(*name);
        if (!parents)
            return tl::unexpected<Error>(parents.error());
        for (const Key parent : *parents) {
            const NodeKey above{.key = parent, .side = name->side, .time = name->time};
            if (const Result<void> added = waiting.add(above, node.rank); !added)
                return added;
        }
    }
    return {};
}

Result<void> back_up_all(Store& store, const Model& model, const Aging& aging) {
    Nodes nodes(*store.positions);
    std::vector<NodeKey> names;
    const Result<void> read =
        store.positions->each_node([&](const NodeKey& name, const Node& node) {
            nodes.keep(name, node);
            names.push_back(name);
        });
    if (!read)
        return read;
    for (const NodeKey& name : names) {  // highest rank first
        const Result<Node*> node = nodes.get(name);
        const Result<bool> changed = recompute(*store.positions, model, aging, nodes, name, **node);
        if (!changed)
            return tl::unexpected<Error>(changed.error());
    }
    return {};
}

}  // namespace book

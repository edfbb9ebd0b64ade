#include "book/learn/backup.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace book {

Own own_of(const Node& node, const Aging& aging, std::int64_t now) {
    const double fade = 1 / aging.growth(now);
    Own own{.exits = node.exit_weight * fade,
            .weight = node.weight_sum * fade,
            .score = node.score_sum * fade,
            .exit_score = std::nullopt,
            .value = node.value,
            .evidence = node.evidence * aging.growth(node.clock) * fade};
    if (node.cp)
        own.exit_score = score_from_centipawns(*node.cp);
    return own;
}

Results results_for(const Edge& e, Color side) {
    const auto ours = static_cast<double>(side == engine::White ? e.white : e.black);
    const auto theirs = static_cast<double>(side == engine::White ? e.black : e.white);
    return {.wins = ours, .draws = static_cast<double>(e.draws), .losses = theirs};
}

SearchScore analysed_score(const Analysis& a, Color side) {
    const double score = score_from_centipawns(a.cp);
    return {.score = mover(a.move) == side ? score : 1 - score, .deep = a.nodes >= DeepNodes};
}

void sum_up_exits(
    Store& store, const Model& model, const Aging& aging, const NodeKey& key, Node& node) {
    const std::vector<OpponentExit> exits = store.opponents.exits(key);
    std::int64_t latest = 0;
    for (const OpponentExit& e : exits)
        latest = std::max(latest, e.clock);
    const double most = model.opponent_cap * aging.growth(latest);
    node.weight_sum = node.score_sum = 0;
    for (const OpponentExit& e : exits) {
        const double weight = std::min(e.sums.weight, most);
        const double share = e.sums.weight > 0 ? weight / e.sums.weight : 0;
        node.weight_sum += weight;
        node.score_sum += share * e.sums.score - weight * e.advantage;
    }
}

namespace {

struct NodeHash {
    std::size_t operator()(const NodeKey& n) const {
        return static_cast<std::size_t>(n.key ^ static_cast<Key>(n.side) << 8 ^
                                        static_cast<Key>(n.time));
    }
};

// What is known of one move of a position.
struct MoveEvidence {
    Results imported{};
    std::int64_t imported_games = 0;
    std::optional<SearchScore> analysed;
    const Visit* visit = nullptr;
};
using MoveEvidences = std::map<StoredMove, MoveEvidence>;  // sorted: sums need a fixed order

// One backup. Caches nodes, since a position is read from each of its parents.
class Backup {
  public:
    Backup(Store& store, const Model& model, const Aging& aging)
        : store_(store), model_(model), aging_(aging) {}

    // Null if there is none. Stays valid.
    Node* node(const NodeKey& key) {
        auto known = nodes_.find(key);
        if (known == nodes_.end())
            known = nodes_.emplace(key, store_.positions.node(key)).first;
        return known->second ? &*known->second : nullptr;
    }
    // Recomputes a position and stores it if its value or evidence changed: then returns true.
    bool recompute(const NodeKey& key, Node& node);
    std::vector<NodeKey> read_all();

  private:
    Child
    child_of(const NodeKey& parent, const Node& at, StoredMove move, const MoveEvidence& known);

    Store& store_;
    const Model& model_;
    const Aging& aging_;
    std::unordered_map<NodeKey, std::optional<Node>, NodeHash> nodes_;
};

// Reads all nodes; returns their keys, the highest rank first.
std::vector<NodeKey> Backup::read_all() {
    std::vector<NodeKey> keys;
    store_.positions.each_node([&](const NodeKey& key, const Node& node) {
        nodes_[key] = node;
        keys.push_back(key);
    });
    return keys;
}

Child Backup::child_of(const NodeKey& parent,
                       const Node& at,
                       StoredMove move,
                       const MoveEvidence& known) {
    Child child;
    Own own;
    if (known.visit) {
        const Node* to =
            node({.key = known.visit->child, .side = parent.side, .time = parent.time});
        // Ages a child to the latest game through the parent, even if it was not visited since.
        if (to && to->rank > at.rank)  // else the move leads back: a cycle
            own = own_of(*to, aging_, std::max(at.clock, to->clock));
        child.frequency = known.visit->weight / aging_.growth(at.clock);
    }
    const Belief before = prior(model_, known.imported, known.analysed, own);
    child.belief = posterior(model_, before, own);
    child.gained = child.belief.evidence - before.evidence;
    if (mover(move) != parent.side)
        child.frequency +=
            model_.imported_replies * std::sqrt(static_cast<double>(known.imported_games));
    return child;
}

bool Backup::recompute(const NodeKey& key, Node& node) {
    const std::vector<Visit> visits = store_.positions.visits(key);
    MoveEvidences moves;
    for (const Visit& v : visits)
        if (v.visits > 0)
            moves[v.move].visit = &v;
    std::int64_t most = 0;
    for (const Edge& e : store_.imported(key.key)) {
        moves[e.move].imported = results_for(e, key.side);
        moves[e.move].imported_games = e.games();
        most = std::max(most, e.games());
    }
    for (auto& [move, known] : moves)
        if (mover(move) == key.side)
            known.imported.rarity = rarity(known.imported_games, most);
    for (const Analysis& a : store_.positions.analyses(key.key))
        if (const auto known = moves.find(a.move); known != moves.end())
            known->second.analysed = analysed_score(a, key.side);

    std::vector<Child> children;
    for (const auto& [move, known] : moves)
        if (const Child child = child_of(key, node, move, known); child.frequency > 0)
            children.push_back(child);
    const Backed backed = back_up(model_, children, own_of(node, aging_, node.clock));
    if (backed.value == node.value && backed.evidence == node.evidence)
        return false;
    node.value = backed.value;
    node.evidence = backed.evidence;
    store_.positions.put_node(key, node);
    return true;
}

// Positions waiting for their backup, the highest rank first: a child always before its parents.
class RankQueue {
  public:
    void add(const NodeKey& key, int rank) {
        if (queued_.insert(key).second)
            by_rank_.emplace(rank, key);
    }
    std::optional<NodeKey> take() {
        if (by_rank_.empty())
            return std::nullopt;
        const auto last = std::prev(by_rank_.end());
        const NodeKey key = last->second;
        by_rank_.erase(last);
        queued_.erase(key);
        return key;
    }

  private:
    std::multimap<int, NodeKey> by_rank_;
    std::unordered_set<NodeKey, NodeHash> queued_;
};

}  // namespace

void back_up(Store& store,
             const Model& model,
             const Aging& aging,
             const std::vector<NodeKey>& keys) {
    Backup backup(store, model, aging);
    RankQueue queue;
    for (const NodeKey& key : keys)
        if (const Node* node = backup.node(key))
            queue.add(key, node->rank);
    // The parents of these are recomputed in any case: their visits may have changed.
    const std::unordered_set<NodeKey, NodeHash> given(keys.begin(), keys.end());
    while (const std::optional<NodeKey> key = queue.take()) {
        Node& node = *backup.node(*key);
        if (!backup.recompute(*key, node) && !given.contains(*key))
            continue;
        for (const Key parent : store.positions.parents(*key)) {
            const NodeKey above{.key = parent, .side = key->side, .time = key->time};
            if (const Node* known = backup.node(above); known && known->rank < node.rank)
                queue.add(above, known->rank);
        }
    }
}

void back_up_all(Store& store, const Model& model, const Aging& aging) {
    Backup backup(store, model, aging);
    for (const NodeKey& key : backup.read_all()) {
        Node* const node = backup.node(key);
        if (node == nullptr)
            continue;
        if (node->exits > 0) {
            const Node before = *node;
            sum_up_exits(store, model, aging, key, *node);
            if (node->weight_sum != before.weight_sum || node->score_sum != before.score_sum)
                store.positions.put_node(key, *node);
        }
        backup.recompute(key, *node);
    }
}

}  // namespace book

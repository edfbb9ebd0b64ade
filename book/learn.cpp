#include "book/learn.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace book {
namespace {

constexpr double MostHalvings = 400;  // of weight between the reference and now, before it is moved

// Which search score a position keeps: the deeper, then the newer, then the higher.
void keep_score(Node& node, const Track& track) {
    if (!track.cp)
        return;
    const auto rank = [](int depth, std::int64_t at, int cp) { return std::tuple(depth, at, cp); };
    if (!node.cp ||
        rank(node.cp_depth, node.cp_at, *node.cp) < rank(track.cp_depth, track.cp_at, *track.cp)) {
        node.cp = track.cp;
        node.cp_depth = track.cp_depth;
        node.cp_at = track.cp_at;
    }
}

Result<void> touch(Tree& tree,
                   const Track& track,
                   const Step& step,
                   std::int64_t clock,
                   const std::function<void(Node&)>& change) {
    const NodeName name{.key = step.key, .side = track.side, .time = track.time};
    const Result<std::optional<Node>> known = tree.node(name);
    if (!known)
        return tl::unexpected<Error>(known.error());
    Node node = known->value_or(Node{.bits = step.bits});
    node.rank = std::max(node.rank, step.rank);
    node.t = std::max(node.t, clock);
    change(node);
    return tree.put(name, node);
}

}  // namespace

Result<void>
add(Store& store, const Track& track, const Share& share, std::int64_t clock, const Aging& aging) {
    Tree& tree = *store.tree;
    const int visits = share.visits ? 1 : 0;
    Visit visit;
    if (share.score) {
        visit.wins = *share.score > 0.75 ? 1 : 0;
        visit.losses = *share.score < 0.25 ? 1 : 0;
        visit.draws = 1 - visit.wins - visit.losses;
    }
    for (std::size_t i = 0; i < track.steps.size(); ++i) {
        const Step& step = track.steps[i];
        const auto passed = [visits](Node& node) { node.n += visits; };
        if (const Result<void> done = touch(tree, track, step, clock, passed); !done)
            return done;
        visit.move = step.move;
        visit.child = i + 1 < track.steps.size() ? track.steps[i + 1].key : track.exit.key;
        visit.n = visits;
        const NodeName from{.key = step.key, .side = track.side, .time = track.time};
        if (const Result<void> done = tree.add_visit(from, visit); !done)
            return done;
    }
    const auto left = [&](Node& node) {
        node.n += visits;
        node.exits += visits;
        if (share.visits)
            keep_score(node, track);
        if (share.score) {
            const double weight = share.evidence.weight * aging.growth(clock);
            node.s0 += weight;
            node.s1 += weight * share.evidence.result;
        }
    };
    if (const Result<void> done = touch(tree, track, track.exit, clock, left); !done)
        return done;
    if (track.exit.move == 0 || !share.score)  // a pending game may not have played it yet
        return {};
    visit.move = track.exit.move;
    visit.child = track.after_exit;
    visit.n = 0;
    visit.exits = 1;
    return tree.add_visit({.key = track.exit.key, .side = track.side, .time = track.time}, visit);
}

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

namespace {

// The positions after our last two moves inside the book.
std::vector<Key> guarded_lines(const Track& track) {
    std::vector<Key> keys;
    for (std::size_t i = track.steps.size(); i-- > 0 && keys.size() < 2;)
        if (mover(track.steps[i].move) == track.side)
            keys.push_back(i + 1 < track.steps.size() ? track.steps[i + 1].key : track.exit.key);
    return keys;
}

int rating_difference(const GameRecord& game) {
    return game.our_rating > 0 && game.opponent.rating > 0 ? game.our_rating - game.opponent.rating
                                                           : 0;
}

// Our score above what the ratings and the position at the exit, as known before, let us expect.
Result<double> surprise(Store& store,
                        const Model& model,
                        const Aging& aging,
                        const GameRecord& game,
                        const Track& track) {
    double mean = 0.5;
    const Result<std::optional<Node>> exit =
        store.tree->node({.key = track.exit.key, .side = track.side, .time = track.time});
    if (!exit)
        return tl::unexpected<Error>(exit.error());
    if (*exit && ((*exit)->s0 > 0 || (*exit)->e > 0)) {
        const Belief b =
            posterior(model, prior(model, {}, std::nullopt), own_of(**exit, aging, (*exit)->t));
        mean = b.mean(model, 0.5);
    }
    return game.score - expected_score(rating_difference(game)) - (mean - 0.5);
}

// What a row of the log adds; nothing for those that teach nothing.
Share share_of(const LoggedGame& g) {
    Share share{.visits = true};
    if (g.state == GameState::Applied) {
        share.score = g.record.score;
        share.evidence = g.evidence;
    }
    return share;
}

Result<void>
count_for_opponent(Store& store, const LoggedGame& g, const std::optional<Track>& track) {
    const bool finished = g.state == GameState::Applied || g.state == GameState::Rejected;
    if (g.opponent_id == 0 || !finished || g.record.term == Term::Aborted)
        return {};
    // Only what counts for the opening moves the guard.
    const bool counts = g.state == GameState::Applied && track;
    return store.opponents->add_game(g.opponent_id,
                                     g.record.opponent.rating,
                                     g.record.score,
                                     counts ? g.surprise : 0,
                                     g.record.played,
                                     counts ? guarded_lines(*track) : std::vector<Key>());
}

}  // namespace

Result<void> make_anew(Store& store) {
    const Result<std::int64_t> clock = store.clock();
    if (!clock)
        return tl::unexpected<Error>(clock.error());
    const Result<Model> model = store.model();
    if (!model)
        return tl::unexpected<Error>(model.error());
    const Aging aging{.half_life = model->half_life, .reference = *clock};
    if (const Result<void> set = store.db->set_number(ReferenceName, static_cast<double>(*clock));
        !set)
        return set;
    if (const Result<void> done = store.tree->forget_own(); !done)
        return done;
    if (const Result<void> done = store.opponents->forget_games(); !done)
        return done;
    const Result<void> counted = store.games->each({}, [&](LoggedGame& g) -> Result<void> {
        if (g.state == GameState::Unlearned)
            return {};
        const std::optional<Track> track = track_of(g.record, g.state != GameState::Pending);
        if (track)
            if (const Result<void> added = add(store, *track, share_of(g), g.clock, aging); !added)
                return added;
        return count_for_opponent(store, g, track);
    });
    return counted ? refresh_all(store, *model, aging) : counted;
}

namespace {

Result<std::int64_t> next_clock(Store& store) {
    const Result<std::int64_t> clock = store.clock();
    if (!clock)
        return clock;
    const Result<void> set = store.db->set_number(ClockName, static_cast<double>(*clock + 1));
    if (!set)
        return tl::unexpected<Error>(set.error());
    return *clock + 1;
}

}  // namespace

Result<TakenIn> take_in(Store& store, const GameRecord& record, bool finished, std::int64_t epoch) {
    const Result<std::optional<LoggedGame>> known = store.games->find(record.uid);
    if (!known)
        return tl::unexpected<Error>(known.error());
    if (*known && ((*known)->state != GameState::Pending))
        return TakenIn{.counted = false, .id = (*known)->id};
    std::optional<Track> track = track_of(record, finished);
    std::optional<Track> earlier;
    if (*known) {
        if (track)
            track->cp_at = (*known)->record.played;  // the note's time stays that of the score
        earlier = track_of((*known)->record, false);
        const bool nothing_new = track && earlier && same_way(*track, *earlier);
        if (!finished && nothing_new)
            return TakenIn{.counted = false, .id = (*known)->id};
    } else if (!finished && !track) {
        return TakenIn{};
    }

    const Result<Model> model = store.model();
    const Result<std::int64_t> opponent = store.opponents->identify(record.opponent);
    const Result<std::int64_t> clock = next_clock(store);
    if (!model || !opponent || !clock)
        return tl::unexpected<Error>(!model      ? model.error()
                                     : !opponent ? opponent.error()
                                                 : clock.error());
    const Result<Aging> aging = store.aging(*model);
    if (!aging)
        return tl::unexpected<Error>(aging.error());

    LoggedGame game{.id = *known ? (*known)->id : 0,
                    .clock = *clock,
                    .epoch = epoch,
                    .state = finished ? GameState::Rejected : GameState::Pending,
                    .opponent_id = *opponent,
                    .record = record};
    if (*known)
        game.record.played = (*known)->record.played;
    if (finished && track) {
        game.evidence =
            evidence(record.score, rating_difference(record), record.term, record.game.ply());
        if (game.evidence.weight > 0)
            game.state = GameState::Applied;
        const Result<double> s = surprise(store, *model, *aging, record, *track);
        if (!s)
            return tl::unexpected<Error>(s.error());
        game.surprise = *s;
    }
    if (const Result<void> put = store.games->put(game); !put)
        return tl::unexpected<Error>(put.error());

    TakenIn taken{.counted = game.state == GameState::Applied, .id = game.id};
    const bool aged = model->half_life > 0 && static_cast<double>(*clock - aging->reference) >
                                                  MostHalvings * model->half_life;
    if (aged || (earlier && !(track && same_way(*track, *earlier)))) {
        taken.replaced = true;
        const Result<void> anew = make_anew(store);
        if (!anew)
            return tl::unexpected<Error>(anew.error());
        return taken;
    }
    Share share = share_of(game);
    share.visits = !earlier;
    if (track) {
        if (const Result<void> added = add(store, *track, share, *clock, *aging); !added)
            return tl::unexpected<Error>(added.error());
        if (const Result<void> done = refresh(store, *model, *aging, names_of(*track)); !done)
            return tl::unexpected<Error>(done.error());
    }
    if (const Result<void> done = count_for_opponent(store, game, track); !done)
        return tl::unexpected<Error>(done.error());
    return taken;
}

}  // namespace book

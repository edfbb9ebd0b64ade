#include "book/learn/learn.h"

#include "book/learn/backup.h"
#include "book/learn/calibration.h"

#include <algorithm>

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

Result<void> touch(Positions& tree,
                   const Track& track,
                   const Step& step,
                   std::int64_t clock,
                   const std::function<void(Node&)>& change) {
    const NodeKey name{.key = step.key, .side = track.side, .time = track.time};
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
    Positions& tree = *store.positions;
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
        const NodeKey from{.key = step.key, .side = track.side, .time = track.time};
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
Result<double> overperformance(Store& store,
                               const Model& model,
                               const Aging& aging,
                               const GameRecord& game,
                               const Track& track) {
    double mean = 0.5;
    const Result<std::optional<Node>> exit =
        store.positions->node({.key = track.exit.key, .side = track.side, .time = track.time});
    if (!exit)
        return tl::unexpected<Error>(exit.error());
    if (*exit && ((*exit)->s0 > 0 || (*exit)->e > 0)) {
        const Belief b =
            posterior(model, prior(model, {}, std::nullopt), own_of(**exit, aging, (*exit)->t));
        mean = b.mean(model, 0.5);
    }
    return game.score - expected_score(rating_difference(game)) - (mean - 0.5);
}

// What an analysis said of our last move inside the book, ours.
Result<std::optional<int>> last_analysis(Positions& tree, const Track& track) {
    const auto ours = [&track](const Step& step) { return mover(step.move) == track.side; };
    const auto last = std::find_if(track.steps.rbegin(), track.steps.rend(), ours);
    if (last == track.steps.rend())
        return std::optional<int>();
    const Result<std::vector<Analysis>> known = tree.analyses(last->key);
    if (!known)
        return tl::unexpected<Error>(known.error());
    for (const Analysis& a : *known)
        if (a.move == last->move)
            return std::optional<int>(a.cp);
    return std::optional<int>();
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
    if (g.opponent_id == 0 || !finished || g.record.termination == Termination::Aborted)
        return {};
    // Only what counts for the opening moves the guard.
    const bool counts = g.state == GameState::Applied && track;
    return store.opponents->add_game(g.opponent_id,
                                     g.record.opponent.rating,
                                     g.record.score,
                                     counts ? g.overperformance : 0,
                                     g.record.played,
                                     counts ? guarded_lines(*track) : std::vector<Key>());
}

}  // namespace

Result<void> rebuild_derived(Store& store) {
    const Result<std::int64_t> clock = store.clock();
    if (!clock)
        return tl::unexpected<Error>(clock.error());
    if (const Result<bool> measured = calibrate(store); !measured)
        return tl::unexpected<Error>(measured.error());
    const Result<Model> model = store.model();
    if (!model)
        return tl::unexpected<Error>(model.error());
    const Aging aging{.half_life = model->half_life, .reference = *clock};
    if (const Result<void> set = store.db->set_number(ReferenceName, static_cast<double>(*clock));
        !set)
        return set;
    if (const Result<void> done = store.positions->forget_own(); !done)
        return done;
    if (const Result<void> done = store.opponents->forget_games(); !done)
        return done;
    const Result<void> counted = store.games->each({}, [&](LoggedGame& g) -> Result<void> {
        if (g.state == GameState::Unlearned)
            return {};
        const std::optional<Track> track = store.track(g.record, g.state != GameState::Pending);
        if (track)
            if (const Result<void> added = add(store, *track, share_of(g), g.clock, aging); !added)
                return added;
        return count_for_opponent(store, g, track);
    });
    return counted ? back_up_all(store, *model, aging) : counted;
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

// What a finished game is worth as evidence, and what is known of the way it took.
Result<void>
weigh(Store& store, const Model& model, const Aging& aging, const Track& track, LoggedGame& game) {
    const GameRecord& record = game.record;
    game.evidence =
        evidence(record.score, rating_difference(record), record.termination, record.game.ply());
    if (game.evidence.weight > 0)
        game.state = GameState::Applied;
    const Result<double> unexpected = overperformance(store, model, aging, record, track);
    if (!unexpected)
        return tl::unexpected<Error>(unexpected.error());
    const Result<std::optional<int>> analysed = last_analysis(*store.positions, track);
    if (!analysed)
        return tl::unexpected<Error>(analysed.error());
    game.overperformance = *unexpected;
    game.exit_key = track.exit.key;
    game.analysed_cp = *analysed;
    return {};
}

// The values after a game that counts: those above it, or all if the constants changed.
Result<void> settle(
    Store& store, const Model& model, const Aging& aging, const Track& track, std::int64_t played) {
    const Result<bool> changed = calibrate_with(store, played);
    if (!changed)
        return tl::unexpected<Error>(changed.error());
    if (!*changed)
        return back_up(store, model, aging, names_of(track));
    const Result<Model> measured = store.model();
    return measured ? back_up_all(store, *measured, aging)
                    : tl::unexpected<Error>(measured.error());
}

// A game that comes in, beside what the log has of it.
struct LogComparison {
    std::optional<LoggedGame> before;     // as the log has it
    std::optional<Track> track, earlier;  // its way now, and the note's
    bool news = false;                    // there is something to write

    [[nodiscard]] bool same_as_noted() const {
        return track && earlier && same_way(*track, *earlier);
    }
};

Result<LogComparison> compare_with_log(Store& store, const GameRecord& record, bool finished) {
    Result<std::optional<LoggedGame>> known = store.games->find(record.uid);
    if (!known)
        return tl::unexpected<Error>(known.error());
    LogComparison arrival{.before = std::move(*known), .track = {}, .earlier = {}};
    const std::optional<LoggedGame>& before = arrival.before;
    if (before && before->state != GameState::Pending)
        return arrival;
    arrival.track = store.track(record, finished);
    if (before) {
        // The note's time stays that of the score.
        if (arrival.track)
            arrival.track->cp_at = before->record.played;
        arrival.earlier = store.track(before->record, false);
    }
    arrival.news = finished || (before ? !arrival.same_as_noted() : arrival.track.has_value());
    return arrival;
}

// Carries what the game adds back through the positions of its way.
Result<void> spread(Store& store,
                    const Model& model,
                    const Aging& aging,
                    const Track& track,
                    const LoggedGame& game,
                    bool first_time) {
    Share share = share_of(game);
    share.visits = first_time;
    if (const Result<void> added = add(store, track, share, game.clock, aging); !added)
        return added;
    return game.state == GameState::Applied ? settle(store, model, aging, track, game.record.played)
                                            : back_up(store, model, aging, names_of(track));
}

}  // namespace

Result<LearnOutcome>
learn_game(Store& store, const GameRecord& record, bool finished, std::int64_t epoch) {
    const Result<LogComparison> arrival = compare_with_log(store, record, finished);
    if (!arrival)
        return tl::unexpected<Error>(arrival.error());
    if (!arrival->news)
        return LearnOutcome{};
    const auto& [before, track, earlier, news] = *arrival;

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

    LoggedGame game{.id = before ? before->id : 0,
                    .clock = *clock,
                    .epoch = epoch,
                    .state = finished ? GameState::Rejected : GameState::Pending,
                    .opponent_id = *opponent,
                    .record = record};
    if (before)
        game.record.played = before->record.played;
    if (finished && track)
        if (const Result<void> weighed = weigh(store, *model, *aging, *track, game); !weighed)
            return tl::unexpected<Error>(weighed.error());
    if (const Result<void> put = store.games->put(game); !put)
        return tl::unexpected<Error>(put.error());

    const bool aged = model->half_life > 0 && static_cast<double>(*clock - aging->reference) >
                                                  MostHalvings * model->half_life;
    Result<void> done;
    if (aged || (earlier && !arrival->same_as_noted())) {
        done = rebuild_derived(store);
    } else {
        if (track)
            done = spread(store, *model, *aging, *track, game, !earlier);
        if (done)
            done = count_for_opponent(store, game, track);
    }
    if (!done)
        return tl::unexpected<Error>(done.error());
    return LearnOutcome{.counted = game.state == GameState::Applied};
}

}  // namespace book

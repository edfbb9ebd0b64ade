#include "book/learn/learn.h"

#include "book/learn/backup.h"
#include "book/learn/calibration.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace book {
namespace {

constexpr double MaxHalfLives = 400;  // since the reference, before new weights grow too large
// After that time no server continues an adjourned game: seconds.
constexpr std::int64_t PendingTime = 30 * 86'400;

// Keeps the deepest search score of a position; among equals the latest, then the highest.
void keep_score(Node& node, const Track& track) {
    if (track.cp && (!node.cp || std::tuple(node.cp_depth, node.cp_at, *node.cp) <
                                     std::tuple(track.cp_depth, track.cp_at, *track.cp))) {
        node.cp = track.cp;
        node.cp_depth = track.cp_depth;
        node.cp_at = track.cp_at;
    }
}

NodeKey key_on(const Track& track, const Step& step) {
    return {.key = step.key, .side = track.side, .time = track.time};
}

// The node of a step, or a new one, brought up to date with the step.
Node node_at(Store& store, const Track& track, const Step& step, std::int64_t clock) {
    Node node = store.positions.node(key_on(track, step)).value_or(Node{.bits = step.bits});
    node.rank = std::max(node.rank, step.rank);
    node.clock = std::max(node.clock, clock);
    return node;
}

// The position that move i of the track leads to.
Key child_of(const Track& track, std::size_t i) {
    return i + 1 < track.steps.size() ? track.steps[i + 1].key : track.exit.key;
}

// Adds the part of a result that counts for all opponents to the exit, and the part that counts for
// this opponent only to the positions after our moves.
void add_result(Store& store,
                const Track& track,
                const Contribution& contribution,
                std::int64_t clock,
                const Aging& aging) {
    const double weight = contribution.evidence.weight * aging.growth(clock);
    const double share = 1 / static_cast<double>(contribution.repetition);
    const auto sums = [&](double part) {
        return ResultSums{.weight = part * weight,
                          .score = part * weight * contribution.evidence.result};
    };
    store.opponents.add_exit({.exit = key_on(track, track.exit),
                              .opponent = contribution.opponent,
                              .sums = sums(share),
                              .clock = clock});
    if (contribution.repetition == 1)
        return;
    const auto add_repeat = [&](StoredMove move, Key child) {
        if (move != 0 && mover(move) == track.side)
            store.opponents.add_repeat(
                {.opponent = contribution.opponent,
                 .position = {.key = child, .side = track.side, .time = track.time},
                 .sums = sums(1 - share)});
    };
    for (std::size_t i = 0; i < track.steps.size(); ++i)
        add_repeat(track.steps[i].move, child_of(track, i));
    add_repeat(track.exit.move, track.after_exit);
}

}  // namespace

void add_contribution(Store& store,
                      const Model& model,
                      const Track& track,
                      const Contribution& contribution,
                      std::int64_t clock,
                      const Aging& aging) {
    const std::optional<double>& score = contribution.score;
    Visit visit{.visits = contribution.visits ? 1 : 0, .weight = contribution.visit_weight};
    if (score)
        *by_outcome(*score, &visit.wins, &visit.draws, &visit.losses) = 1;
    for (std::size_t i = 0; i < track.steps.size(); ++i) {
        const Step& step = track.steps[i];
        Node node = node_at(store, track, step, clock);
        node.visits += visit.visits;
        store.positions.put_node(key_on(track, step), node);
        visit.move = step.move;
        visit.child = child_of(track, i);
        store.positions.add_visit(key_on(track, step), visit);
    }
    Node exit = node_at(store, track, track.exit, clock);
    exit.visits += visit.visits;
    exit.exits += visit.visits;
    exit.exit_weight += visit.weight;
    if (contribution.visits)
        keep_score(exit, track);
    if (score) {
        add_result(store, track, contribution, clock, aging);
        sum_up_exits(store, model, aging, key_on(track, track.exit), exit);
    }
    store.positions.put_node(key_on(track, track.exit), exit);
    if (track.exit.move == 0 || !score)  // a pending game may not have played the move yet
        return;
    visit.move = track.exit.move;
    visit.child = track.after_exit;
    visit.visits = 0;
    visit.weight = 0;
    visit.exits = 1;
    store.positions.add_visit(key_on(track, track.exit), visit);
}

namespace {

// The positions after our last two moves inside the book.
std::vector<Key> last_own_lines(const Track& track) {
    std::vector<Key> keys;
    for (std::size_t i = track.steps.size(); i-- > 0 && keys.size() < 2;)
        if (mover(track.steps[i].move) == track.side)
            keys.push_back(child_of(track, i));
    return keys;
}

// Our score minus the score expected from the ratings and from what was known of the exit.
double overperformance(Store& store,
                       const Model& model,
                       const Aging& aging,
                       const GameRecord& game,
                       const Track& track) {
    double mean = 0.5;
    const std::optional<Node> exit = store.positions.node(key_on(track, track.exit));
    if (exit && (exit->weight_sum > 0 || exit->evidence > 0))
        mean = posterior(model, prior(model, {}, std::nullopt), own_of(*exit, aging, exit->clock))
                   .mean(0.5);
    return game.score - expected_score(game.rating_difference()) - (mean - 0.5);
}

// The analysis of our last move inside the book.
std::optional<Analysis> last_analysis(Positions& positions, const Track& track) {
    const auto ours = [&track](const Step& step) { return mover(step.move) == track.side; };
    const auto last = std::find_if(track.steps.rbegin(), track.steps.rend(), ours);
    if (last != track.steps.rend())
        for (const Analysis& a : positions.analyses(last->key))
            if (a.move == last->move)
                return a;
    return std::nullopt;
}

Contribution contribution_of(const LoggedGame& g, std::int64_t repetition, const Aging& aging) {
    Contribution contribution{.visits = true,
                              .visit_weight =
                                  aging.growth(g.clock) / static_cast<double>(repetition),
                              .repetition = repetition,
                              .opponent = g.opponent_id};
    if (g.state == GameState::Applied) {
        contribution.score = g.record.score;
        contribution.evidence = g.evidence;
    }
    return contribution;
}

void count_for_opponent(Store& store, const LoggedGame& g, const std::optional<Track>& track) {
    const bool finished = g.state == GameState::Applied || g.state == GameState::Rejected;
    if (g.opponent_id == 0 || !finished || g.record.termination == Termination::Aborted)
        return;
    const bool counts = g.state == GameState::Applied && track;
    store.opponents.add_game(g.opponent_id,
                             g.record.opponent.rating,
                             g.record.score,
                             counts ? g.overperformance : 0,
                             g.record.played,
                             counts ? last_own_lines(*track) : std::vector<Key>(),
                             counts ? std::optional(track->exit.key) : std::nullopt);
}

}  // namespace

void rebuild_derived(Store& store) {
    const std::int64_t clock = store.clock();
    calibrate(store);
    const Model model = store.model();
    const Aging aging{.half_life = model.half_life, .reference = clock};
    store.db.set_number(ReferenceName, static_cast<double>(clock));
    store.positions.clear_own_games();
    store.opponents.clear_games();
    const std::unordered_map<std::int64_t, std::int64_t> repetitions = store.games.repetitions();
    store.games.each({}, [&](const LoggedGame& g) {
        if (g.state == GameState::Unlearned)
            return;
        const std::optional<Track> track = store.track(g.record, g.state != GameState::Pending);
        const auto repeated = repetitions.find(g.id);
        const std::int64_t repetition = repeated == repetitions.end() ? 1 : repeated->second;
        if (track)
            add_contribution(
                store, model, *track, contribution_of(g, repetition, aging), g.clock, aging);
        count_for_opponent(store, g, track);
    });
    back_up_all(store, model, aging);
}

namespace {

std::int64_t advance_clock(Store& store) {
    const std::int64_t clock = store.clock() + 1;
    store.db.set_number(ClockName, static_cast<double>(clock));
    return clock;
}

// Fills in the evidence of a finished game, and what was known of its track before.
void weigh(
    Store& store, const Model& model, const Aging& aging, const Track& track, LoggedGame& game) {
    const GameRecord& record = game.record;
    game.evidence =
        evidence(record.score, record.rating_difference(), record.termination, record.game.ply());
    if (game.evidence.weight > 0)
        game.state = GameState::Applied;
    game.overperformance = overperformance(store, model, aging, record, track);
    game.exit_key = track.exit.key;
    if (const std::optional<Analysis> analysis = last_analysis(store.positions, track)) {
        game.analysed_cp = analysis->cp;
        game.analysed_nodes = analysis->nodes;
    }
}

// An arriving game and its row in the log.
struct LogComparison {
    std::optional<LoggedGame> before;     // its row in the log
    std::optional<Track> track, earlier;  // of the game, and of the row
    bool changed = false;                 // there is something to write

    [[nodiscard]] bool same_as_noted() const {
        return track && earlier && same_path(*track, *earlier);
    }
};

LogComparison compare_with_log(Store& store, const GameRecord& record, bool finished) {
    LogComparison arrival{.before = store.games.find(record.uid), .track = {}, .earlier = {}};
    const std::optional<LoggedGame>& before = arrival.before;
    if (before && before->state != GameState::Pending)
        return arrival;
    arrival.track = store.track(record, finished);
    if (before) {
        if (arrival.track)  // the score at the exit keeps its time
            arrival.track->cp_at = before->record.played;
        arrival.earlier = store.track(before->record, false);
    }
    // A game that was adjourned in the book has no track yet.
    const bool in_book = !record.exit_ply;
    arrival.changed =
        finished || (before ? !arrival.same_as_noted() : in_book || arrival.track.has_value());
    return arrival;
}

// Backs up the values above a game that was added, or all if it changed the constants.
void back_up_track(Store& store,
                   const Model& model,
                   const Aging& aging,
                   const Track& track,
                   const LoggedGame& game) {
    if (game.state == GameState::Applied && calibrate_after(store, game.record.played))
        back_up_all(store, store.model(), aging);
    else
        back_up(store, model, aging, node_keys(track));
}

// A finished game takes a step of the clock; its note, which may stay alone, does not.
std::int64_t clock_for(Store& store, bool finished) {
    return finished ? advance_clock(store) : store.clock();
}

// Fills empty fields from the note of the game: a server may not repeat the ratings when it resumes
// it.
void keep_noted(GameRecord& game, const GameRecord& noted) {
    const auto keep = [](auto& value, const auto& known) {
        if (value == std::decay_t<decltype(value)>{})
            value = known;
    };
    game.played = noted.played;
    keep(game.our_rating, noted.our_rating);
    keep(game.opponent.rating, noted.opponent.rating);
    keep(game.time_control, noted.time_control);
    keep(game.event, noted.event);
}

}  // namespace

bool complete_from_note(Store& store, GameRecord& game) {
    if (!game.resumed)
        return true;
    const std::optional<OpponentRecord> known = store.opponents.find(game.opponent);
    if (!known && !game.opponent.name.empty())
        return false;
    const std::int64_t opponent = known ? known->id : 0;
    const auto copies = store.games.with_content(content_hash(game));
    if (std::any_of(copies.begin(), copies.end(), [&](const LoggedGame& copy) {
            return copy.state != GameState::Pending && copy.record.our_side == game.our_side &&
                   copy.opponent_id == opponent;
        }))
        return false;
    const std::optional<LoggedGame> pending =
        store.games.find_pending(game.game, game.our_side, opponent);
    if (!pending)
        return false;
    const GameRecord& noted = pending->record;
    game.resumed = false;
    game.resume(noted);
    if (!noted.time_control.empty())
        game.time_control = noted.time_control;  // not the time left at the resumption
    // Servers may not repeat ratings and event when they resume a game.
    if (game.our_rating == 0)
        game.our_rating = noted.our_rating;
    if (game.opponent.rating == 0)
        game.opponent.rating = noted.opponent.rating;
    if (game.event.empty())
        game.event = noted.event;
    return true;
}

LearnOutcome learn_game(Store& store, const GameRecord& record, bool finished, std::int64_t epoch) {
    if (finished && record.termination == Termination::Aborted) {
        if (store.games.remove_pending(record.uid) > 0)
            rebuild_derived(store);
        return LearnOutcome::Ignored;
    }
    const LogComparison arrival = compare_with_log(store, record, finished);
    if (!arrival.changed)
        return LearnOutcome::Ignored;
    const auto& [before, track, earlier, changed] = arrival;
    const Model model = store.model();
    const Aging aging = store.aging(model);
    LoggedGame game{.id = before ? before->id : 0,
                    .clock = clock_for(store, finished),
                    .epoch = epoch,
                    .state = finished ? GameState::Rejected : GameState::Pending,
                    .opponent_id = store.opponents.identify(record.opponent),
                    .record = record};
    if (before)
        keep_noted(game.record, before->record);
    if (finished && track)
        weigh(store, model, aging, *track, game);
    store.games.put(game);

    const bool expired =
        finished && store.games.remove_pending_before(game.record.played - PendingTime) > 0;
    const bool aged = model.half_life > 0 && static_cast<double>(game.clock - aging.reference) >
                                                 MaxHalfLives * model.half_life;
    // If an equal game in the log was played later than this one, its repetition number changes.
    const Games::Repetition repetition =
        game.state == GameState::Applied ? store.games.repetition(game) : Games::Repetition();
    if (aged || expired || !repetition.last || (earlier && !arrival.same_as_noted())) {
        rebuild_derived(store);
    } else {
        if (track) {
            Contribution contribution = contribution_of(game, repetition.number, aging);
            if (earlier) {  // counted with the note
                contribution.visits = false;
                contribution.visit_weight -= aging.growth(before->clock);
            }
            add_contribution(store, model, *track, contribution, game.clock, aging);
            back_up_track(store, model, aging, *track, game);
        }
        count_for_opponent(store, game, track);
    }
    return game.state == GameState::Applied ? LearnOutcome::Counted : LearnOutcome::Ignored;
}

}  // namespace book

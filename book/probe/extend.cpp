#include "book/probe/extend.h"

#include "book/learn/backup.h"
#include "book/model/choice.h"
#include "engine/board/movegen.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_set>

namespace book {
namespace {

using engine::Position;

// Costs in the order of work by distance. Source: P. Osterlund, Texel, bookbuild.
constexpr double PerPly = 100, PerOwnError = 200, PerTheirError = 50;  // errors in centipawns
constexpr int MostPlies = 60;
constexpr std::size_t MostCandidates = 8;     // of one position, the best first
constexpr std::size_t MostPositions = 4'000;  // looked at for one plan
constexpr std::size_t PlanSize = 16;
constexpr std::uint64_t Draws = 32;  // that stand for the probabilities of our own moves
constexpr double LeastReach = 1e-4;
constexpr int MostCentipawns = 2'000;

double centipawns(double score) {
    const double s = std::clamp(score, 0.001, 0.999);
    return 400 * std::log10(s / (1 - s));
}

// A position on the way through the book.
struct Place {
    Position position;
    int plies = 0;
    double rank = 0;  // the highest comes next: the reach, or the cost with its sign turned
};
struct Later {
    bool operator()(const Place& a, const Place& b) const { return a.rank < b.rank; }
};

// How far each move of a position leads away, or how probably it is played.
class Ways {
  public:
    Ways(const Model& model, Priority priority) : model_(model), priority_(priority) {}

    [[nodiscard]] std::vector<double>
    ranks(const Place& from, const PositionView& view, bool ours) const {
        return priority_ == Priority::Distance ? by_distance(from, view, ours)
                                               : by_reach(from, view, ours);
    }

  private:
    [[nodiscard]] static std::vector<double>
    by_distance(const Place& from, const PositionView& view, bool ours) {
        double best = ours ? -1e9 : 1e9;
        for (const BookMove& s : view.moves)
            best = ours ? std::max(best, s.mean) : std::min(best, s.mean);
        std::vector<double> ranks;
        for (const BookMove& s : view.moves) {
            const double error = std::abs(centipawns(best) - centipawns(s.mean));
            ranks.push_back(from.rank - PerPly - (ours ? PerOwnError : PerTheirError) * error);
        }
        return ranks;
    }

    [[nodiscard]] std::vector<double>
    by_reach(const Place& from, const PositionView& view, bool ours) const {
        std::vector<double> ranks(view.moves.size(), 0);
        if (!ours) {
            double sum = 0;
            for (std::size_t i = 0; i < ranks.size(); ++i) {
                const BookMove& s = view.moves[i];
                ranks[i] =
                    static_cast<double>(s.visits) +
                    model_.imported_replies * std::sqrt(static_cast<double>(s.imported_games));
                sum += ranks[i];
            }
            for (double& r : ranks)
                r *= sum > 0 ? from.rank / sum : 0;
            return ranks;
        }
        std::vector<Candidate> draw;
        const std::vector<const BookMove*> moves = candidates(view, 1);
        for (const BookMove* s : moves)
            draw.push_back({.move = s->move,
                            .mean = s->mean,
                            .evidence = s->belief.evidence,
                            .guard = 0,
                            .flags = s->flags});
        const ChoiceRule rule = rule_of(model_, false, 0);
        for (std::uint64_t seed = 1; seed <= Draws; ++seed)
            if (const auto chosen = decide(rule, draw, seed).chosen)
                ranks[static_cast<std::size_t>(moves[*chosen] - view.moves.data())] +=
                    from.rank / static_cast<double>(Draws);
        return ranks;
    }

    const Model& model_;
    Priority priority_;
};

// Deviation of what is believed of a position: little where many games or searches are behind it.
double width_of(const Model& model, const PositionView& view) {
    double evidence = model.parent;
    for (const BookMove& s : view.moves)
        evidence += s.belief.evidence - model.parent;
    return model.sigma / std::sqrt(evidence);
}

bool enough(const BookMove& s, std::int64_t search_nodes) {
    return s.analysed && s.analysis.nodes >= search_nodes / 2;
}

bool more_useful(const Work& a, const Work& b) {
    return a.priority > b.priority;
}

// Walks the ways of one colour, the most useful first, and gathers work.
Result<void> gather(const Layers& layers,
                    const Model& model,
                    const WorkOptions& options,
                    Color side,
                    std::size_t most,
                    std::vector<Work>& found) {
    const Ways ways(model, options.priority);
    const bool by_reach = options.priority == Priority::Reach;
    std::priority_queue<Place, std::vector<Place>, Later> waiting;
    waiting.push({.position = Position(), .rank = by_reach ? 1.0 : 0.0});
    std::unordered_set<Key> seen;
    std::vector<Work> mine;
    const double widest = model.sigma / std::sqrt(model.parent);
    while (!waiting.empty() && seen.size() < MostPositions) {
        const Place place = waiting.top();
        waiting.pop();
        if (mine.size() >= most) {  // nothing further on can be better than the last of these
            std::nth_element(mine.begin(),
                             mine.begin() + static_cast<std::ptrdiff_t>(most - 1),
                             mine.end(),
                             more_useful);
            if (mine[most - 1].priority >= place.rank * (by_reach ? widest : 1))
                break;
        }
        if (!seen.insert(place.position.key()).second)
            continue;
        const Result<PositionView> looked =
            view(layers, model, query_of(place.position, side, options.time));
        if (!looked)
            return tl::unexpected<Error>(looked.error());
        if (looked->foreign)
            continue;
        const bool ours = place.position.side_to_move() == side;
        if (ours)
            if (std::optional<Work> work = work_at(place.position, *looked, options.nodes)) {
                work->priority = by_reach ? place.rank * width_of(model, *looked) : place.rank;
                mine.push_back(std::move(*work));
            }
        const std::vector<double> ranks = ways.ranks(place, *looked, ours);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const BookMove& s = looked->moves[i];
            if ((s.flags & Never) != 0 || place.plies + 1 >= MostPlies ||
                (by_reach && ranks[i] < LeastReach))
                continue;
            Place next{.position = place.position, .plies = place.plies + 1, .rank = ranks[i]};
            next.position.make(stored_move(s.move));
            waiting.push(std::move(next));
        }
    }
    std::move(mine.begin(), mine.end(), std::back_inserter(found));
    return {};
}

}  // namespace

std::optional<Work>
work_at(const Position& pos, const PositionView& view, std::int64_t search_nodes) {
    Work work{.position = pos};
    bool has_deviation = false;
    for (const BookMove& s : view.moves) {
        work.known.push_back(stored_move(s.move));
        if ((s.flags & Never) != 0)
            continue;
        const bool searched = enough(s, search_nodes);
        // Found by a search, and never played since.
        if (s.imported_games == 0 && s.visits == 0 && s.exits == 0 && searched)
            has_deviation = true;
        if (!searched && work.candidates.size() < MostCandidates)
            work.candidates.push_back(stored_move(s.move));
    }
    const auto legal = static_cast<std::size_t>(engine::count_legal_moves(pos));
    work.deviation = !has_deviation && work.known.size() < legal;
    if (!work.deviation && work.candidates.empty())
        return std::nullopt;
    return work;
}

Result<std::vector<Work>>
plan_work(const Layers& layers, const Model& model, const WorkOptions& options, std::size_t most) {
    std::vector<Work> found;
    for (const Color side : {engine::White, engine::Black})
        if (const Result<void> done = gather(layers, model, options, side, most, found); !done)
            return tl::unexpected<Error>(done.error());
    std::stable_sort(found.begin(), found.end(), more_useful);
    if (found.size() > most)
        found.erase(found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
    return found;
}

// Takes the lease of the first planned position that still needs work and is free.
Result<std::optional<Work>> Extension::lease_from_plan(const WorkOptions& options,
                                                       std::int64_t now) {
    Store& store = *layers_.experience;
    const Result<std::unique_ptr<Leases>> leases = Leases::on(*store.db);
    const Result<Model> model = store.model();
    if (!leases || !model)
        return tl::unexpected<Error>(!leases ? leases.error() : model.error());
    while (!plan_.empty()) {
        Work planned = std::move(plan_.back());
        plan_.pop_back();
        const Position& pos = planned.position;
        Result<Transaction> transaction = begin_writing(*store.db);
        if (!transaction)
            return tl::unexpected<Error>(transaction.error());
        const Result<PositionView> seen =
            view(layers_, *model, query_of(pos, pos.side_to_move(), options.time));
        if (!seen)
            return tl::unexpected<Error>(seen.error());
        std::optional<Work> work = work_at(pos, *seen, options.nodes);
        if (!work)
            continue;  // another process has done it since
        work->priority = planned.priority;
        work->owner = owner_;
        const Result<bool> taken = (*leases)->take({.key = pos.key(),
                                                    .fen = pos.fen(),
                                                    .priority = planned.priority,
                                                    .owner = owner_,
                                                    .until = now + options.lease.count()},
                                                   now);
        if (!taken)
            return tl::unexpected<Error>(taken.error());
        if (!*taken)
            continue;
        if (const Result<void> committed = transaction->commit(); !committed)
            return tl::unexpected<Error>(committed.error());
        return work;
    }
    return std::optional<Work>();
}

Result<std::optional<Work>> Extension::next(const WorkOptions& options, std::int64_t now) {
    Store& store = *layers_.experience;
    const Result<std::int64_t> clock = store.clock();
    const Result<Model> model = store.model();
    if (!clock || !model)
        return tl::unexpected<Error>(!clock ? clock.error() : model.error());
    if (*clock != plan_clock_)
        plan_.clear();  // games have moved the values
    if (!plan_.empty()) {
        Result<std::optional<Work>> work = lease_from_plan(options, now);
        if (!work || *work)
            return work;
    }
    const Result<std::unique_ptr<Leases>> leases = Leases::on(*store.db);
    if (!leases)
        return tl::unexpected<Error>(leases.error());
    const Result<std::set<Key>> taken = (*leases)->taken(owner_, now);
    if (!taken)
        return tl::unexpected<Error>(taken.error());
    Result<std::vector<Work>> plan = plan_work(layers_, *model, options, PlanSize + taken->size());
    if (!plan)
        return tl::unexpected<Error>(plan.error());
    std::erase_if(*plan, [&taken](const Work& w) { return taken->contains(w.position.key()); });
    std::reverse(plan->begin(), plan->end());
    plan_ = std::move(*plan);
    plan_clock_ = *clock;
    return lease_from_plan(options, now);
}

Result<void> Extension::finish(const Work& work,
                               const std::vector<Finding>& findings,
                               const std::string& engine,
                               std::int64_t now) {
    Store& store = *layers_.experience;
    const Key key = work.position.key();
    const Result<std::unique_ptr<Leases>> leases = Leases::on(*store.db);
    const Result<Model> model = store.model();
    if (!leases || !model)
        return tl::unexpected<Error>(!leases ? leases.error() : model.error());
    Result<Transaction> transaction = begin_writing(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    for (const Finding& f : findings) {
        if (!work.position.is_legal(f.move))
            return fail("a finding for a move that cannot be played");
        const Analysis analysis{.move = book::store(f.move, work.position.side_to_move()),
                                .cp = std::clamp(f.cp, -MostCentipawns, MostCentipawns),
                                .depth = f.depth,
                                .nodes = f.nodes,
                                .at = now,
                                .engine = engine};
        if (Result<void> set = store.positions->set_analysis(key, analysis); !set)
            return set;
    }
    const Result<Aging> aging = store.aging(*model);
    if (!aging)
        return tl::unexpected<Error>(aging.error());
    std::vector<NodeKey> names;
    for (const Color side : {engine::White, engine::Black}) {
        const Result<std::vector<std::pair<TimeClass, Node>>> nodes =
            store.positions->nodes(key, side);
        if (!nodes)
            return tl::unexpected<Error>(nodes.error());
        for (const auto& [time, node] : *nodes)
            names.push_back({.key = key, .side = side, .time = time});
    }
    Result<void> done = back_up(store, *model, *aging, names);
    if (done)
        done = (*leases)->give_back(key, work.owner);
    return done ? transaction->commit() : done;
}

}  // namespace book

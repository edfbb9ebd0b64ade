#include "book/probe/extend.h"

#include "book/store/failure.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_set>

namespace book {
namespace {

using engine::Position;

// Costs of Priority::Distance. Source: P. Osterlund, Texel, bookbuild.
constexpr double PerPly = 100, PerOwnError = 200, PerTheirError = 50;  // errors in centipawns
constexpr int MaxPlies = 60;
constexpr std::size_t MaxCandidates = 8;     // of one position, the best first
constexpr std::size_t MaxPositions = 4'000;  // visited for one plan and colour
constexpr std::size_t PlanSize = 16;
constexpr double MinReach = 1e-4;
constexpr int MaxCentipawns = 2'000;

double centipawns(double score) {
    const double s = std::clamp(score, 0.001, 0.999);
    return 400 * std::log10(s / (1 - s));
}

// A position on the walk through the book.
struct Visited {
    Position position;
    int plies = 0;
    double rank = 0;  // the highest is visited next: the probability of reach, or minus the cost
    friend bool operator<(const Visited& a, const Visited& b) { return a.rank < b.rank; }
};

// Ranks after the moves of a view by Priority::Distance: minus the cost of the way there.
std::vector<double> ranks_by_distance(const Visited& from, const PositionView& view, bool ours) {
    double best = ours ? -1e9 : 1e9;
    for (const BookMove& move : view.moves)
        best = ours ? std::max(best, move.mean) : std::min(best, move.mean);
    std::vector<double> ranks;
    for (const BookMove& move : view.moves) {
        const double error = std::abs(centipawns(best) - centipawns(move.mean));
        ranks.push_back(from.rank - PerPly - (ours ? PerOwnError : PerTheirError) * error);
    }
    return ranks;
}

// Ranks by Priority::Reach: how probably games come there.
std::vector<double> ranks_by_reach(const Visited& from, const PositionView& view) {
    std::vector<double> ranks;
    for (const BookMove& move : view.moves)
        ranks.push_back(from.rank * move.probability);
    return ranks;
}

// Standard deviation of a position's value: low after many games or searches.
double width_of(const Model& model, const PositionView& view) {
    double evidence = model.parent;
    for (const BookMove& move : view.moves)
        evidence += move.belief.evidence - model.parent;
    return model.sigma / std::sqrt(evidence);
}

bool is_searched(const BookMove& move, std::int64_t search_nodes) {
    return move.analysed && move.analysis.nodes >= search_nodes / 2;
}

bool more_useful(const Work& a, const Work& b) {
    return a.priority > b.priority;
}

// Best-first walk through the book for one colour.
class WorkFinder {
  public:
    WorkFinder(const Layers& layers, const Model& model, const WorkOptions& options, Color side)
        : layers_(layers), model_(model), options_(options), side_(side),
          by_reach_(options.priority == Priority::Reach) {}

    // Returns, in any order, at least the `max` most useful items of work, or all there are.
    std::vector<Work> run(std::size_t max) {
        waiting_.push({.position = Position(), .rank = by_reach_ ? 1.0 : 0.0});
        while (!waiting_.empty() && seen_.size() < MaxPositions) {
            const Visited next = waiting_.top();
            waiting_.pop();
            if (is_done(max, next.rank))
                break;
            if (seen_.insert(next.position.key()).second)
                visit(next);
        }
        return std::move(found_);
    }

  private:
    // True if no position from here on can have a higher priority than the first `max` found.
    bool is_done(std::size_t max, double rank) {
        if (found_.size() < max)
            return false;
        const auto last = found_.begin() + static_cast<std::ptrdiff_t>(max - 1);
        std::nth_element(found_.begin(), last, found_.end(), more_useful);
        const double max_width = model_.sigma / std::sqrt(model_.parent);
        return last->priority >= rank * (by_reach_ ? max_width : 1);
    }

    void visit(const Visited& from) {
        PositionView seen = view(layers_, model_, query_of(from.position, side_, options_.time));
        if (seen.foreign)
            return;
        const bool ours = from.position.side_to_move() == side_;
        if (ours)
            if (std::optional<Work> work = work_at(from.position, seen, options_.nodes)) {
                work->priority = by_reach_ ? from.rank * width_of(model_, seen) : from.rank;
                found_.push_back(std::move(*work));
            }
        if (from.plies + 1 >= MaxPlies)
            return;
        if (by_reach_)
            add_probabilities(model_, ours, {.ply = from.plies}, seen);
        const std::vector<double> ranks =
            by_reach_ ? ranks_by_reach(from, seen) : ranks_by_distance(from, seen, ours);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const BookMove& move = seen.moves[i];
            if ((move.flags & Never) != 0 || (by_reach_ && ranks[i] < MinReach))
                continue;
            Visited next{.position = from.position, .plies = from.plies + 1, .rank = ranks[i]};
            next.position.make(stored_move(move.move));
            waiting_.push(next);
        }
    }

    const Layers& layers_;
    const Model& model_;
    const WorkOptions& options_;
    Color side_;
    bool by_reach_;
    std::priority_queue<Visited> waiting_;
    std::unordered_set<Key> seen_;
    std::vector<Work> found_;
};

}  // namespace

std::optional<Work>
work_at(const Position& pos, const PositionView& view, std::int64_t search_nodes) {
    Work work{.position = pos};
    bool has_deviation = false;  // a move found by a search and never played since
    for (const BookMove& move : view.moves) {
        work.known.push_back(stored_move(move.move));
        if ((move.flags & Never) != 0)
            continue;
        const bool searched = is_searched(move, search_nodes);
        if (searched && move.imported_games == 0 && move.visits == 0 && move.exits == 0)
            has_deviation = true;
        if (!searched && work.candidates.size() < MaxCandidates)
            work.candidates.push_back(stored_move(move.move));
    }
    const auto legal = static_cast<std::size_t>(engine::count_legal_moves(pos));
    work.deviation = !has_deviation && work.known.size() < legal;
    if (!work.deviation && work.candidates.empty())
        return std::nullopt;
    return work;
}

std::vector<Work>
plan_work(const Layers& layers, const Model& model, const WorkOptions& options, std::size_t max) {
    std::vector<Work> found;
    for (const Color side : {engine::White, engine::Black})
        std::ranges::move(WorkFinder(layers, model, options, side).run(max),
                          std::back_inserter(found));
    std::stable_sort(found.begin(), found.end(), more_useful);
    if (found.size() > max)
        found.erase(found.begin() + static_cast<std::ptrdiff_t>(max), found.end());
    return found;
}

// Takes the lease of the first planned position that still needs work and is free.
std::optional<Work> Extension::lease_from_plan(const WorkOptions& options, std::int64_t now) {
    Store& store = *layers_.experience;
    Leases leases(store.db);
    const Model model = store.model();
    while (!plan_.empty()) {
        const Work planned = std::move(plan_.back());
        plan_.pop_back();
        const Position& pos = planned.position;
        Transaction transaction(store.db);
        const PositionView seen =
            view(layers_, model, query_of(pos, pos.side_to_move(), options.time));
        std::optional<Work> work = work_at(pos, seen, options.nodes);
        if (!work)
            continue;  // another process has done it since
        work->priority = planned.priority;
        work->owner = owner_;
        if (!leases.take({.key = pos.key(),
                          .fen = pos.fen(),
                          .priority = planned.priority,
                          .owner = owner_,
                          .until = now + options.lease.count()},
                         now))
            continue;
        transaction.commit();
        return work;
    }
    return std::nullopt;
}

std::optional<Work> Extension::next(const WorkOptions& options, std::int64_t now) {
    Store& store = *layers_.experience;
    const std::int64_t clock = store.clock();
    if (clock != plan_clock_)
        plan_.clear();  // games learned since have changed the values
    if (std::optional<Work> work = lease_from_plan(options, now))
        return work;
    const std::set<Key> taken = Leases(store.db).taken(owner_, now);
    plan_ = plan_work(layers_, store.model(), options, PlanSize + taken.size());
    std::erase_if(plan_, [&taken](const Work& w) { return taken.contains(w.position.key()); });
    std::reverse(plan_.begin(), plan_.end());
    plan_clock_ = clock;
    return lease_from_plan(options, now);
}

// NOLINTNEXTLINE(readability-make-member-function-const): changes the book
void Extension::finish(const Work& work,
                       const std::vector<Finding>& findings,
                       const std::string& engine,
                       std::int64_t now) {
    Store& store = *layers_.experience;
    const Key key = work.position.key();
    Transaction transaction(store.db);
    for (const Finding& finding : findings) {
        if (!work.position.is_legal(finding.move))
            throw Failure("a finding for \"" + engine::to_coordinates(finding.move) +
                          "\", which cannot be played");
        store.positions.set_analysis(
            key,
            {.move = book::store(finding.move, work.position.side_to_move()),
             .cp = std::clamp(finding.cp, -MaxCentipawns, MaxCentipawns),
             .depth = finding.depth,
             .nodes = finding.nodes,
             .at = now,
             .engine = engine});
    }
    std::vector<NodeKey> keys;
    for (const Color side : {engine::White, engine::Black})
        for (const auto& [time, node] : store.positions.nodes(key, side))
            keys.push_back({.key = key, .side = side, .time = time});
    const Model model = store.model();
    back_up(store, model, store.aging(model), keys);
    Leases(store.db).give_back(key, work.owner);
    transaction.commit();
}

}  // namespace book

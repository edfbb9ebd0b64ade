#include "tools/lab/basebook/base_builder.h"

#include "book/model/key.h"
#include "engine/board/movegen.h"
#include "tools/common/errors.h"
#include "tools/lab/basebook/play_policy.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tools::basebook {
namespace {

constexpr std::array<double, 3> ClassReach{1e-2, 1e-3, 2e-4};
constexpr double MinReach = ClassReach[2], UpgradeFactor = 2;
constexpr int MaxPly = 30;
constexpr double MaxValue = 150, GivenAway = 80;  // cp
// The worth of a position, in Elo of the games that reach it: the time saved for a move, and a
// better move near equality.
constexpr double SavedTime = 1.5, BetterMove = 3, ValueScale = 150, TheirPart = 0.8;
constexpr double EloOfPoints = 700, ResearchPart = 0.15, GapScale = 15;
constexpr double ResearchGap = 5, ResearchReach = 1e-3, PromoteMargin = 5, AlarmMargin = 25;
constexpr int MaxResearches = 2, MedianRound = 20, KnownRepliesInterval = 16;
constexpr std::size_t MaxPromoted = 2;
constexpr double MinPriority = 0.005;       // of the median of round MedianRound
constexpr double ReservedForChecks = 0.04;  // of the budget

Class class_of(double reach) {
    return reach >= ClassReach[0] ? Class::A : reach >= ClassReach[1] ? Class::B : Class::C;
}

std::size_t index(Class c) {
    return static_cast<std::size_t>(c);
}

double worth(double value) {
    return SavedTime + BetterMove * std::exp(-std::abs(value) / ValueScale);
}

// The best and the second move of the book, for the mover; null if there is none.
struct BestTwo {
    const Edge *first = nullptr, *second = nullptr, *deviation = nullptr;
};
BestTwo best_two(const Node& n) {
    BestTwo best;
    for (const Edge& edge : n.edges) {
        if (!edge.valued)
            continue;
        if (edge.deviation) {
            best.deviation = &edge;
        } else if (best.first == nullptr || edge.value > best.first->value) {
            best.second = best.first;
            best.first = &edge;
        } else if (best.second == nullptr || edge.value > best.second->value) {
            best.second = &edge;
        }
    }
    return best;
}

}  // namespace

void Builder::add(std::vector<Task> more, std::vector<Task>& tasks) {
    for (Task& task : more)
        if (asked_.insert(task.name).second)
            tasks.push_back(std::move(task));
}

std::vector<Task> Builder::next_round() {
    ++state_.round;
    asked_.clear();
    for (bool progress = true; progress;) {
        progress = false;
        std::vector<Task> tasks;
        const std::map<std::size_t, double> waiting = active_;
        for (const auto& [node, priority] : waiting) {
            std::vector<Task> missing = expansion_.advance(node);
            if (missing.empty())
                active_.erase(node);
            add(std::move(missing), tasks);
        }
        if (state_.round % KnownRepliesInterval == 0)
            for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
                if (graph_.nodes[i].theirs_done)
                    expansion_.add_known_replies(i);
        evaluate(graph_);
        std::vector<Wish> wishes;
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (!active_.contains(i))
                want(i, wishes);
        std::stable_sort(wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) {
            return a.priority > b.priority;
        });
        state_.checks_exits = state_.checks_exits || should_stop(wishes);
        if (state_.checks_exits) {
            add(exit_checks(), tasks);
            return tasks;
        }
        state_.priority = wishes.empty() ? 0 : wishes.front().priority;
        std::size_t granted = 0;
        for (; granted < wishes.size() && tasks.size() < rules_.round_tasks; ++granted) {
            std::vector<Task> missing = grant(wishes[granted]);
            progress = progress || missing.empty();
            add(std::move(missing), tasks);
        }
        if (state_.round == MedianRound && granted > 0)
            median_ = wishes[granted / 2].priority;
        if (!tasks.empty())
            return tasks;
        asked_.clear();
    }
    state_.checks_exits = true;
    return exit_checks();
}

bool Builder::should_stop(const std::vector<Wish>& wishes) const {
    const double budget = static_cast<double>(rules_.budget) * (1 - ReservedForChecks);
    const BuildState now = state();
    double priority = wishes.empty() ? 0 : wishes.front().priority;
    for (const auto& [node, granted] : active_)
        priority = std::max(priority, granted);
    return (rules_.rounds > 0 && state_.round > rules_.rounds) ||
           static_cast<double>(state_.nodes) >= budget ||
           now.positions[0] + now.positions[1] + now.positions[2] >= rules_.positions ||
           (state_.round > MedianRound && priority < MinPriority * median_);
}

// The share of their replies to which the book has no answer yet.
double Builder::unbooked(const Node& n) const {
    const int games = counts_.games(n.position.key());
    if (games == 0)
        return 1;
    double part = 1;
    for (const CountedMove& m : counts_.moves(n.position.key())) {
        engine::Position after = n.position;
        after.make(m.move);
        const auto child = graph_.find(after);
        if (child && graph_.nodes[*child].ours_done)
            part -= static_cast<double>(m.games) / games;
    }
    return std::max(part, 0.1);
}

// For which side's book the position is worth searching.
Builder::Needs Builder::needs(const Node& n) const {
    const std::size_t us = n.position.side_to_move();
    const double value = n.valued ? n.value : n.estimate;
    const double start = us == engine::White ? graph_.nodes[0].value : -graph_.nodes[0].value;
    if (n.ply > MaxPly || std::abs(value) > MaxValue)
        return {};
    // If they gave much away before the position, no more answers are stored.
    const bool given_away = n.ply > 0 && value < start - GivenAway;
    return {.ours = n.reach.at(us) >= MinReach,
            .theirs = n.reach.at(1 - us) >= MinReach && !given_away};
}

void Builder::want(std::size_t node, std::vector<Wish>& wishes) const {
    const Node& n = graph_.nodes[node];
    const std::size_t us = n.position.side_to_move();
    const Needs needed = needs(n);
    double priority = 0;
    if (needed.ours && n.ours == 0)
        priority = n.reach.at(us) * worth(n.valued ? n.value : n.estimate);
    if (needed.theirs && n.theirs == 0)
        priority = std::max(priority, n.reach.at(1 - us) * worth(0) * TheirPart * unbooked(n));
    if (priority > 0)
        wishes.push_back({priority, node, Reason::Expand});
    else if (n.expanded() && n.ply <= MaxPly)
        want_more(n, node, wishes);
}

// Proposes searches that make the values of known moves more certain.
void Builder::want_more(const Node& n, std::size_t node, std::vector<Wish>& wishes) const {
    const std::size_t us = n.position.side_to_move();
    const double ours = n.reach.at(us), theirs = n.reach.at(1 - us);
    const auto rises = [](std::uint64_t begun, Class c, double reach) {
        return begun > 0 && c != Class::A && reach >= UpgradeFactor * ClassReach.at(index(c) - 1);
    };
    if (rises(n.ours, n.ours_class, ours) || rises(n.theirs, n.theirs_class, theirs))
        return wishes.push_back({std::max(ours, theirs) * worth(n.value), node, Reason::Expand});
    if (!n.ours_done || ours < MinReach)
        return;
    const BestTwo best = best_two(n);
    if (best.first == nullptr)
        return;
    if (best.deviation != nullptr && n.promoted.size() < MaxPromoted &&
        best.deviation->value > best.first->value - PromoteMargin)
        return wishes.push_back({ours * worth(n.value), node, Reason::Promote});
    const double fall = leaf_of(graph_, *best.first).cp - best.first->value;
    if (!n.alarmed && n.ours_class != Class::A && !best.first->back &&
        fall > std::max(AlarmMargin, 2 * best.first->error))
        return wishes.push_back({ours * worth(n.value), node, Reason::Alarm});
    if (ours < ResearchReach || best.second == nullptr || n.researched >= MaxResearches)
        return;
    const double gap = best.first->value - best.second->value;
    const bool changed = n.researched == 0 || best.first->move != n.first;
    if (gap < ResearchGap && changed) {
        const double error = points(n.value + n.error) - points(n.value);
        wishes.push_back({ours * EloOfPoints * error * std::exp(-gap / GapScale) * ResearchPart,
                          node,
                          Reason::Research});
    }
}

// Sets the nodes of the searches of a node by its reach.
void Builder::begin(Node& n) const {
    const std::size_t us = n.position.side_to_move();
    const Needs needed = needs(n);
    const auto raise = [](std::uint64_t& nodes, Class& now, double reach, const auto& table) {
        now = nodes > 0 ? std::min(now, class_of(reach)) : class_of(reach);
        nodes = table.at(index(now));
    };
    if (needed.ours || n.ours > 0)
        raise(n.ours, n.ours_class, n.reach.at(us), rules_.ours);
    if (needed.theirs || n.theirs > 0)
        raise(n.theirs, n.theirs_class, n.reach.at(1 - us), rules_.theirs);
}

std::vector<Task> Builder::grant(const Wish& wish) {
    Node& n = graph_.nodes[wish.node];
    switch (wish.reason) {
    case Reason::Expand:
        begin(n);
        break;
    case Reason::Alarm:
        n.ours_class = static_cast<Class>(index(n.ours_class) - 1);
        n.ours = rules_.ours.at(index(n.ours_class));
        n.alarmed = true;
        break;
    case Reason::Promote:
        n.promoted.push_back(best_two(n).deviation->move);
        break;
    case Reason::Research:
        return search_again(wish.node);
    }
    std::vector<Task> missing = expansion_.advance(wish.node);
    if (!missing.empty())
        active_[wish.node] = wish.priority;
    return missing;
}

// Searches the two best moves of a node, which are nearly equal, with twice the nodes.
std::vector<Task> Builder::search_again(std::size_t node) {
    Node& n = graph_.nodes[node];
    const BestTwo best = best_two(n);
    n.first = best.first->move;
    n.second = best.second->move;
    ++n.researched;
    std::vector<Task> tasks;
    for (const Edge* edge : {best.first, best.second}) {
        const Node& child = graph_.nodes[edge->child];
        const std::uint64_t nodes = n.ours << n.researched;
        if (engine::has_legal_move(child.position) &&
            (child.whole.empty() || child.whole.back().nodes < nodes))
            tasks.push_back(make_task(child.position, {}, nodes));
    }
    return tasks;
}

// The most reached positions after our last move of the book, once each with twice the nodes.
std::vector<Task> Builder::exit_checks() {
    struct Exit {
        double reach;
        std::size_t child;
        std::uint64_t nodes;
    };
    std::vector<Exit> exits;
    for (const Node& n : graph_.nodes) {
        if (!n.ours_done || n.ply == Unreached)
            continue;
        const double reach = n.reach.at(n.position.side_to_move());
        for (const Edge& edge : n.edges)
            if (edge.share > 0 && !edge.back && !graph_.nodes[edge.child].expanded())
                exits.push_back({reach * edge.share, edge.child, 2 * n.ours});
    }
    std::stable_sort(
        exits.begin(), exits.end(), [](const Exit& a, const Exit& b) { return a.reach > b.reach; });
    exits.resize(std::min(exits.size(), rules_.exits));
    std::vector<Task> tasks;
    std::uint64_t planned = state_.nodes;
    for (const Exit& e : exits) {
        const Node& child = graph_.nodes[e.child];
        if (tasks.size() >= rules_.round_tasks || planned >= rules_.budget)
            break;
        if (!engine::has_legal_move(child.position) ||
            (!child.whole.empty() && child.whole.back().nodes >= e.nodes))
            continue;
        tasks.push_back(make_task(child.position, {}, e.nodes));
        planned += e.nodes;
    }
    return tasks;
}

void Builder::finish_round(const std::vector<Task>& tasks) {
    for (const Task& task : tasks) {
        const auto result = log_.find(task.name);
        if (!result)
            throw Failure("a search of the round has no result");
        expansion_.store(task, *result);
        used_.insert(task.name);
        ++state_.tasks;
        state_.nodes += task.name.nodes;
        // A deeper search may have found another best move.
        const auto node = graph_.find(task.position);
        if (node && graph_.nodes[*node].expanded())
            active_.emplace(*node, 0);
    }
}

BuildState Builder::state() const {
    BuildState state = state_;
    for (const Node& n : graph_.nodes)
        if (n.expanded())
            ++state.positions.at(std::min(n.ours_done ? index(n.ours_class) : 2,
                                          n.theirs_done ? index(n.theirs_class) : 2));
    return state;
}

std::string Builder::digest() const {
    book::Digest digest;
    for (const TaskKey& name : used_)
        digest.add(line_of(name, *log_.find(name)));
    return fmt::format("{:016x}", digest.finish_word());
}

}  // namespace tools::basebook

#include "tools/lab/bookbench/world.h"

#include "tools/common/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tools::bookbench {
namespace {

// Deviations are in Elo. The sizes are those of a small real book.
constexpr std::array<std::size_t, 13> Widths = {1, 4, 10, 20, 34, 46, 56, 64, 70, 70, 70, 70, 110};
constexpr std::array OurMoves = {3, 3, 4, 4, 5};
constexpr std::array TheirMoves = {2, 3, 3, 4};
constexpr double StrengthStep = 42;     // of a move
constexpr double OthersDeviation = 50;  // of the strength in the hands of others
constexpr double TrapChance = 0.04, Trap = -200, TrapInherited = 0.7;
constexpr double Overlooked = 0.7;            // share of a trap that a search misses
constexpr double Taste = 0.9, Insight = 0.6;  // of popularity: spread, weight of 100 Elo
constexpr double Stray = 0.15;                // share of replies that are not in the book
constexpr double SearchError = 80, BadSearchError = 170;
constexpr int Players = 12;
constexpr double RatingSpread = 170, HabitSpread = 0.7;
constexpr int ImportedGames = 4000;
constexpr double DrawnAtBalance = 0.36;
constexpr std::size_t PoisonedPositions = 60;
constexpr double Poison = -110, PoisonBelow = -60;
constexpr double ChangedShare = 0.30, ChangedStrength = 120, ChangedError = 70;

}  // namespace

const char* name_of(Scenario scenario) {
    for (const auto& [known, name] : Scenarios)
        if (known == scenario)
            return name;
    return "";
}

std::optional<Scenario> scenario_of(std::string_view name) {
    for (const auto& [scenario, known] : Scenarios)
        if (name == known)
            return scenario;
    return std::nullopt;
}

double draw_result(book::Random& random, double p) {
    const double drawn = std::min({DrawnAtBalance * 4 * p * (1 - p), 2 * p, 2 * (1 - p)});
    const double won = p - drawn / 2, fate = random.uniform();
    return fate < won ? 1 : fate < won + drawn ? 0.5 : 0;
}

std::size_t draw_index(book::Random& random, const std::vector<double>& weights) {
    double left = random.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        left -= weights[i];
        if (left < 0)
            return i;
    }
    return weights.size() - 1;
}

World::World(std::uint64_t seed, Scenario scenario)
    : scenario_(scenario), random_(book::Random(seed + 0x626F'6F6B).next()) {
    make_positions();
    assign_strengths();
    make_popular();
    if (scenario == Scenario::Poison)
        poison();
    for (Position& p : positions_)
        p.misjudged = normal(scenario == Scenario::BadEval ? BadSearchError : SearchError);
    make_players();
    set_habits();
    import_games(scenario == Scenario::Cold ? 0 : ImportedGames);
}

double World::searched(std::size_t position) const {
    const Position& p = positions_[position];
    return p.strength - Overlooked * p.trap + p.misjudged;
}

std::size_t World::below(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(random_.uniform() * static_cast<double>(n)));
}

void World::join(std::size_t from, std::size_t to) {
    positions_[from].next.push_back(to);
    from_[to].push_back(from);
}

// One layer of positions for each ply. Moves lead to positions at a similar height of the next
// layer, so that there are transpositions.
void World::make_positions() {
    std::array<std::size_t, Widths.size()> first{};
    for (std::size_t ply = 0; ply < Widths.size(); ++ply) {
        first[ply] = positions_.size();
        positions_.resize(positions_.size() + Widths[ply], Position{.ply = static_cast<int>(ply)});
    }
    from_.resize(positions_.size());
    for (std::size_t ply = 0; ply + 1 < Widths.size(); ++ply) {
        const std::size_t width = Widths[ply], wider = Widths[ply + 1];
        const std::size_t reach = std::max<std::size_t>(6, wider / 6);
        for (std::size_t i = 0; i < width; ++i) {
            const auto centre =
                static_cast<std::size_t>((static_cast<double>(i) + 0.5) /
                                         static_cast<double>(width) * static_cast<double>(wider));
            const std::size_t low = centre > reach ? centre - reach : 0;
            const std::size_t high = std::min(wider, centre + reach + 1);
            std::vector<std::size_t> near(high - low);
            std::iota(near.begin(), near.end(), first[ply + 1] + low);
            const int wanted = ply % 2 == 0 ? OurMoves.at(below(OurMoves.size()))
                                            : TheirMoves.at(below(TheirMoves.size()));
            for (int k = 0; k < wanted && !near.empty(); ++k) {
                const std::size_t at = below(near.size());
                join(first[ply] + i, near[at]);
                near[at] = near.back();
                near.pop_back();
            }
        }
        for (std::size_t i = 0; i < wider; ++i)
            if (from_[first[ply + 1] + i].empty())
                join(first[ply] + i * width / wider, first[ply + 1] + i);
    }
    // In each of their positions opponents also have one reply that is not in the book.
    for (std::size_t i = 0, booked = positions_.size(); i < booked; ++i)
        if (!positions_[i].ours() && !positions_[i].next.empty()) {
            positions_.push_back({.ply = positions_[i].ply + 1});
            from_.emplace_back();
            join(i, positions_.size() - 1);
        }
}

// The strength of a position is that of its parents with a random change; a trap lowers a whole
// subtree.
void World::assign_strengths() {
    others_.assign(positions_.size(), 0);
    std::vector<double> plain(positions_.size());
    for (std::size_t i = 1; i < positions_.size(); ++i) {
        double strength = 0, trap = 0;
        for (const std::size_t parent : from_[i]) {
            strength += plain[parent];
            trap += positions_[parent].trap;
        }
        const auto parents = static_cast<double>(from_[i].size());
        plain[i] = strength / parents + normal(StrengthStep);
        positions_[i].trap = TrapInherited * trap / parents;
        if (random_.uniform() < TrapChance)
            positions_[i].trap += Trap;
    }
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        positions_[i].strength = plain[i];  // make_popular() adds the traps later
        others_[i] = plain[i] + normal(OthersDeviation);
    }
}

// Good moves are more popular, with a large random part; the traps are unknown.
void World::make_popular() {
    for (Position& p : positions_) {
        const double insight = (p.ours() ? Insight : -Insight) / 100;
        double sum = 0, weight = 0;
        for (const std::size_t to : p.next) {
            const double gain = positions_[to].strength - p.strength;
            weight = std::exp(normal(Taste) + insight * gain);
            p.popularity.push_back(weight);
            sum += weight;
        }
        if (!p.ours() && !p.next.empty()) {  // the last reply is the one that is not in the book
            sum -= weight;
            p.popularity[p.next.size() - 1] = Stray * sum;
            sum += Stray * sum;
        }
        for (double& share : p.popularity)
            share /= sum;
    }
    for (Position& p : positions_)
        p.strength += p.trap;
}

void World::poison() {
    std::vector<double> met(1, 1.0);
    met.resize(positions_.size());
    for (std::size_t i = 0; i < positions_.size(); ++i)
        for (std::size_t m = 0; m < positions_[i].next.size(); ++m)
            met[positions_[i].next[m]] += met[i] * positions_[i].popularity[m];
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < positions_.size(); ++i)
        if (positions_[i].ours() && !positions_[i].next.empty())
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&met](std::size_t a, std::size_t b) {
        return met[a] > met[b];
    });
    order.resize(std::min(order.size(), PoisonedPositions));
    for (const std::size_t i : order) {
        const Position& p = positions_[i];
        const auto top = std::max_element(p.popularity.begin(), p.popularity.end());
        const std::size_t bad = p.next[static_cast<std::size_t>(top - p.popularity.begin())];
        positions_[bad].strength += Poison;
        for (const std::size_t below_bad : positions_[bad].next)
            positions_[below_bad].strength += PoisonBelow;
    }
}

void World::make_players() {
    players_.resize(Players);
    for (std::size_t i = 0; i < players_.size(); ++i) {
        players_[i].rating = normal(RatingSpread);
        players_[i].frequency = std::pow(static_cast<double>(i + 1), -0.6);
    }
}

// Every player varies the popular replies in their own way; stronger players reply better.
void World::set_habits() {
    for (Player& player : players_) {
        const double insight = std::max(0.0, 0.5 + player.rating / 250) / 100;
        player.replies.assign(positions_.size(), {});
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            const Position& p = positions_[i];
            if (p.ours() || p.next.empty())
                continue;
            std::vector<double>& replies = player.replies[i];
            double sum = 0;
            for (std::size_t m = 0; m < p.next.size(); ++m) {
                const double gain = positions_[p.next[m]].strength - p.strength;
                replies.push_back(p.popularity[m] * std::exp(normal(HabitSpread) - insight * gain));
                sum += replies.back();
            }
            for (double& share : replies)
                share /= sum;
        }
    }
    compute_worth();
}

// Expectimax, from the leaves up.
void World::compute_worth() {
    std::vector<std::size_t> order(positions_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return positions_[a].ply > positions_[b].ply;
    });
    const auto solve = [&](const auto& replies_at) {
        std::vector<double> worth(positions_.size());
        for (const std::size_t i : order) {
            const Position& p = positions_[i];
            if (p.next.empty()) {
                worth[i] = expected_score(p.strength);
            } else if (p.ours()) {
                for (const std::size_t to : p.next)
                    worth[i] = std::max(worth[i], worth[to]);
            } else {
                const std::vector<double> replies = replies_at(i);
                for (std::size_t m = 0; m < p.next.size(); ++m)
                    worth[i] += replies[m] * worth[p.next[m]];
            }
        }
        return worth;
    };
    double frequency = 0;
    for (Player& player : players_) {
        player.worth = solve([&player](std::size_t i) { return player.replies[i]; });
        frequency += player.frequency;
    }
    average_worth_ = solve([&](std::size_t i) {
        std::vector<double> replies(positions_[i].next.size());
        for (const Player& player : players_)
            for (std::size_t m = 0; m < replies.size(); ++m)
                replies[m] += player.frequency / frequency * player.replies[i][m];
        return replies;
    });
}

void World::import_games(int games) {
    for (Position& p : positions_)
        p.imported.assign(p.next.size(), {});
    for (int g = 0; g < games; ++g) {
        std::vector<book::Results*> way;
        std::size_t at = 0;
        while (!positions_[at].next.empty()) {
            const std::size_t m = draw_index(random_, positions_[at].popularity);
            way.push_back(&positions_[at].imported[m]);
            at = positions_[at].next[m];
        }
        const double result = draw_result(random_, expected_score(others_[at]));
        for (book::Results* r : way)
            (result > 0.75 ? r->wins : result > 0.25 ? r->draws : r->losses) += 1;
    }
}

void World::change() {
    for (std::size_t i = 1; i < positions_.size(); ++i)
        if (random_.uniform() < ChangedShare) {
            positions_[i].strength += normal(ChangedStrength);
            positions_[i].misjudged = positions_[i].misjudged / 2 + normal(ChangedError);
        }
    set_habits();
}

}  // namespace tools::bookbench

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
// In Calm: nearer to real opponents with good books, where a search of 1000 nodes errs by 20.
constexpr double CalmStep = 15, CalmTrap = -60, CalmSearchError = 25;
constexpr int Players = 12;
constexpr double RatingSpread = 170, HabitSpread = 0.7;
constexpr int ImportedGames = 4000;
constexpr double DrawnAtBalance = 0.36, OftenDrawn = 0.72;
constexpr std::size_t PoisonedPositions = 60;
constexpr double Poison = -110, PoisonBelow = -60;
constexpr double ChangedShare = 0.30, ChangedStrength = 120, ChangedError = 70;
constexpr std::size_t RepeatingPlayers = 4;
constexpr double Variation = 0.03;  // share of replies of a repeating player that are not the usual
constexpr double ClassStrength = 25;
constexpr std::array ClassError = {60.0, 30.0, 30.0};    // besides that of all classes
constexpr double LeavingShare = 0.6, LeavingScale = 25;  // at a large gain; Elo of gain
constexpr int KnownGames = 150;                          // imported by a book that grows

std::size_t index_of(book::TimeClass time) {
    return static_cast<std::size_t>(time);
}

}  // namespace

const char* name_of(Scenario scenario) {
    for (const ScenarioName& s : Scenarios)
        if (s.scenario == scenario)
            return s.name;
    return "";
}

std::optional<Scenario> scenario_of(std::string_view name) {
    for (const ScenarioName& s : Scenarios)
        if (name == s.name)
            return s.scenario;
    return std::nullopt;
}

double draw_result(book::Random& random, double expected, double drawn_at_balance) {
    const double missed = 1 - expected;
    const double drawn =
        std::min({drawn_at_balance * 4 * expected * missed, 2 * expected, 2 * missed});
    const double won = expected - drawn / 2, fate = random.uniform();
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
    : seed_(seed), scenario_(scenario), random_(book::Random(seed + 0x626F'6F6B).next()) {
    make_positions();
    assign_strengths();
    make_popular();
    if (scenario == Scenario::Poison)
        poison();
    for (Position& p : positions_)
        p.misjudged = normal(scenario == Scenario::BadEval ? BadSearchError
                             : scenario == Scenario::Calm  ? CalmSearchError
                                                           : SearchError);
    make_players();
    set_habits();
    import_games(scenario == Scenario::Cold      ? 0
                 : scenario == Scenario::Growing ? KnownGames
                                                 : ImportedGames);
}

double World::strength(std::size_t position, book::TimeClass time) const {
    return positions_[position].strength + positions_[position].class_strength[index_of(time)];
}

double World::searched(std::size_t position, book::TimeClass time) const {
    const Position& p = positions_[position];
    return strength(position, time) - Overlooked * p.trap + p.misjudged +
           p.class_misjudged[index_of(time)];
}

double World::drawn() const {
    return scenario_ == Scenario::Draws ? OftenDrawn : DrawnAtBalance;
}

double World::repeated_score(std::size_t position, std::size_t player) const {
    book::Random random(seed_ * 0x1'0001 + position * 0x101 + player);
    return draw_result(
        random, expected_score(positions_[position].strength - players_[player].rating), drawn());
}

const std::vector<double>& World::worth(std::size_t player, book::TimeClass time) const {
    const auto& by_class = players_[player].worth;
    return by_class[std::min(by_class.size() - 1, index_of(time))];
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
    const bool calm = scenario_ == Scenario::Calm;
    for (std::size_t i = 1; i < positions_.size(); ++i) {
        double strength = 0, trap = 0;
        for (const std::size_t parent : from_[i]) {
            strength += plain[parent];
            trap += positions_[parent].trap;
        }
        const auto parents = static_cast<double>(from_[i].size());
        plain[i] = strength / parents + normal(calm ? CalmStep : StrengthStep);
        positions_[i].trap = TrapInherited * trap / parents;
        if (random_.uniform() < TrapChance)
            positions_[i].trap += calm ? CalmTrap : Trap;
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
    players_.resize(scenario_ == Scenario::Repeat ? RepeatingPlayers : Players);
    for (std::size_t i = 0; i < players_.size(); ++i) {
        players_[i].rating = normal(RatingSpread);
        players_[i].frequency = std::pow(static_cast<double>(i + 1), -0.6);
    }
}

// Each player varies the popular replies at random; stronger players reply better.
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
    for (Player& player : players_)
        if (scenario_ == Scenario::Repeat)
            make_repeating(player);
        else if (scenario_ == Scenario::Leavers)
            make_leaving(player);
    if (scenario_ == Scenario::Classes)
        set_classes();
    compute_worth();
}

// One of their replies, drawn by their habits, is played nearly always.
void World::make_repeating(Player& player) {
    for (std::vector<double>& replies : player.replies)
        if (!replies.empty()) {
            const std::size_t usual = draw_index(random_, replies);
            for (double& share : replies)
                share *= Variation;
            replies[usual] += 1 - Variation;
        }
}

// The reply that is not in the book (the last) is played often where it is better than the others.
void World::make_leaving(Player& player) {
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        const Position& p = positions_[i];
        if (p.ours() || p.next.empty())
            continue;
        std::vector<double>& replies = player.replies[i];
        const double booked = 1 - replies.back();
        double gain = -positions_[p.next.back()].strength;
        for (std::size_t m = 0; m + 1 < p.next.size(); ++m)
            gain += replies[m] / booked * positions_[p.next[m]].strength;
        const double leaving = LeavingShare / (1 + std::exp(-gain / LeavingScale));
        for (double& share : replies)
            share *= (1 - leaving) / booked;
        replies.back() = leaving;
    }
}

void World::set_classes() {
    for (Position& p : positions_)
        for (std::size_t c = 0; c < ClassError.size(); ++c) {
            p.class_strength[c] = normal(ClassStrength);
            p.class_misjudged[c] = normal(ClassError[c]);
        }
}

void World::compute_worth() {
    leaves_first_.resize(positions_.size());
    std::iota(leaves_first_.begin(), leaves_first_.end(), 0U);
    std::stable_sort(
        leaves_first_.begin(), leaves_first_.end(), [this](std::size_t a, std::size_t b) {
            return positions_[a].ply > positions_[b].ply;
        });
    double frequency = 0;
    for (std::size_t i = 0; i < players_.size(); ++i) {
        Player& player = players_[i];
        player.worth.clear();
        for (std::size_t c = 0; c < (scenario_ == Scenario::Classes ? ClassError.size() : 1); ++c)
            player.worth.push_back(solve(
                [&](std::size_t at) {
                    return scenario_ == Scenario::Repeat
                               ? repeated_score(at, i)
                               : expected_score(strength(at, static_cast<book::TimeClass>(c)));
                },
                [&](std::size_t at) -> const std::vector<double>& { return player.replies[at]; }));
        frequency += player.frequency;
    }
    average_worth_ = solve([&](std::size_t at) { return expected_score(positions_[at].strength); },
                           [&](std::size_t at) {
                               std::vector<double> replies(positions_[at].next.size());
                               for (const Player& player : players_)
                                   for (std::size_t m = 0; m < replies.size(); ++m)
                                       replies[m] +=
                                           player.frequency / frequency * player.replies[at][m];
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
        const double result = draw_result(random_, expected_score(others_[at]), drawn());
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

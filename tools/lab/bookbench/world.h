// A made-up opening tree whose true values are known, with opponents that have habits, games of
// others to import, and a search with errors: so the regret of a learning rule can be computed
// exactly. Equal seeds give equal worlds.
#pragma once

#include "book/model/belief.h"
#include "book/model/choice.h"
#include "book/types.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace tools::bookbench {

enum class Scenario {
    Base,
    Poison,
    Cold,
    BadEval,
    Switch,
    Exploit,
    Repeat,
    Learners,
    Unrated,
    Draws,
    Classes,
    Leavers,
    Growing,
    Calm
};
struct ScenarioName {
    Scenario scenario;
    const char *name, *what;
};
// All scenarios, in the order of --help.
inline constexpr std::array<ScenarioName, 14> Scenarios = {{
    {Scenario::Base, "base", "the normal case; each of the others differs in one thing"},
    {Scenario::Poison, "poison", "the most popular of our moves are secretly bad"},
    {Scenario::Cold, "cold", "no games by others"},
    {Scenario::BadEval, "badeval", "the errors of the search are twice as large"},
    {Scenario::Switch, "switch", "halfway, positions and habits of opponents change"},
    {Scenario::Exploit, "exploit", "one opponent repeats and improves the lines that beat us"},
    {Scenario::Repeat, "repeat", "4 opponents repeat themselves: equal lines, equal games"},
    {Scenario::Learners, "learners", "every opponent repeats and improves what beat us"},
    {Scenario::Unrated, "unrated", "no rating is known"},
    {Scenario::Draws, "draws", "72 % of balanced games are drawn"},
    {Scenario::Classes, "classes", "strengths and errors of the search differ by time class"},
    {Scenario::Leavers, "leavers", "opponents leave the book where that helps them"},
    {Scenario::Growing, "growing", "few moves are known; where the book is left, a search plays"},
    {Scenario::Calm,
     "calm",
     "moves differ little, errors of the search are small, no rating is known"},
}};
const char* name_of(Scenario scenario);
std::optional<Scenario> scenario_of(std::string_view name);

// 1, 0.5 or 0 with this expected score; `drawn_at_balance`: the share of draws in balanced games.
double draw_result(book::Random& random, double expected, double drawn_at_balance);
// An index, with probability in proportion to its weight.
std::size_t draw_index(book::Random& random, const std::vector<double>& weights);

struct Position {  // a position of the book; we move at even plies
    int ply = 0;
    std::vector<std::size_t> next{};        // where its moves lead; empty: the book ends here
    std::vector<double> popularity{};       // of its moves among all players; sums to 1
    std::vector<book::Results> imported{};  // of its moves, our view
    double strength = 0;                    // Elo, our view
    double trap = 0;                        // the part of it that a search mostly misses
    double misjudged = 0;                   // constant error of the search
    // What a time class adds to the strength and to that error, in Classes.
    std::array<double, 3> class_strength{}, class_misjudged{};
    [[nodiscard]] bool ours() const { return ply % 2 == 0; }
};

struct Player {
    double rating = 0;                         // Elo above ours
    double frequency = 1;                      // how often we meet them
    std::vector<std::vector<double>> replies;  // by position: probabilities of their moves
    // By time class and position: expected score of our best moves against their replies. One
    // class stands for all where classes make no difference.
    std::vector<std::vector<double>> worth;
};

class World {
  public:
    World(std::uint64_t seed, Scenario scenario);

    [[nodiscard]] Scenario scenario() const { return scenario_; }
    // The first one is the start of all games.
    [[nodiscard]] const std::vector<Position>& positions() const { return positions_; }
    [[nodiscard]] const std::vector<Player>& players() const { return players_; }
    [[nodiscard]] const std::vector<double>& worth(std::size_t player, book::TimeClass time) const;
    // By position: expected score against the average opponent.
    [[nodiscard]] const std::vector<double>& average_worth() const { return average_worth_; }
    // Elo, our view; of what a search sees there: the error of a single search comes on top.
    [[nodiscard]] double strength(std::size_t position, book::TimeClass time) const;
    [[nodiscard]] double searched(std::size_t position, book::TimeClass time) const;
    // The share of draws in balanced games.
    [[nodiscard]] double drawn() const;
    // The rule is told the ratings of opponents.
    [[nodiscard]] bool rated() const {
        return scenario_ != Scenario::Unrated && scenario_ != Scenario::Calm;
    }
    // A search of ours plays where our book ends, and the book starts with the imported moves only.
    [[nodiscard]] bool grows() const { return scenario_ == Scenario::Growing; }
    // The score of every game that ends the book there against the player, in Repeat.
    [[nodiscard]] double repeated_score(std::size_t position, std::size_t player) const;
    // Expectimax, from the leaves up: `score_at` gives the expected score where the book ends,
    // `replies_at` the probabilities of their moves.
    [[nodiscard]] std::vector<double> solve(const auto& score_at, const auto& replies_at) const {
        std::vector<double> worth(positions_.size());
        for (const std::size_t i : leaves_first_) {
            const Position& p = positions_[i];
            if (p.next.empty()) {
                worth[i] = score_at(i);
            } else if (p.ours()) {
                for (const std::size_t to : p.next)
                    worth[i] = std::max(worth[i], worth[to]);
            } else {
                const auto& replies = replies_at(i);
                for (std::size_t m = 0; m < p.next.size(); ++m)
                    worth[i] += replies[m] * worth[p.next[m]];
            }
        }
        return worth;
    }
    // The change of the scenario Switch.
    void change();

  private:
    void make_positions();
    void join(std::size_t from, std::size_t to);
    void assign_strengths();
    void make_popular();
    void poison();
    void make_players();
    void set_habits();
    void set_classes();
    void make_repeating(Player& player);
    void make_leaving(Player& player);
    void compute_worth();
    void import_games(int games);
    double normal(double deviation) { return deviation * random_.normal(); }
    std::size_t below(std::size_t n);

    std::uint64_t seed_;
    Scenario scenario_;
    book::Random random_;
    std::vector<Position> positions_;
    std::vector<std::vector<std::size_t>> from_;  // by position: where it is reached from
    std::vector<std::size_t> leaves_first_;       // positions, the deepest first
    std::vector<double> others_;                  // strength in the hands of others
    std::vector<Player> players_;
    std::vector<double> average_worth_;
};

}  // namespace tools::bookbench

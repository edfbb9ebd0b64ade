// A made-up opening tree whose true values are known, with opponents that have habits, games of
// others to import, and a search with errors: so the regret of a learning rule can be computed
// exactly. Equal seeds give equal worlds.
#pragma once

#include "book/model/belief.h"
#include "book/model/choice.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace tools::bookbench {

enum class Scenario {
    Base,
    Poison,   // the most popular of our moves are secretly bad
    Cold,     // no games by others
    BadEval,  // the search errs twice as much
    Switch,   // at half time a third of the positions change strength, and all opponents
              // their habits
    Exploit   // one opponent repeats and improves the lines that beat us
};
inline constexpr std::array<std::pair<Scenario, const char*>, 6> Scenarios = {{
    {Scenario::Base, "base"},
    {Scenario::Poison, "poison"},
    {Scenario::Cold, "cold"},
    {Scenario::BadEval, "badeval"},
    {Scenario::Switch, "switch"},
    {Scenario::Exploit, "exploit"},
}};
const char* name_of(Scenario scenario);
std::optional<Scenario> scenario_of(std::string_view name);

// 1, 0.5 or 0 with this expected score; a third of balanced games is drawn.
double draw_result(book::Random& random, double expected);
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
    [[nodiscard]] bool ours() const { return ply % 2 == 0; }
};

struct Player {
    double rating = 0;                         // Elo above ours
    double frequency = 1;                      // how often we meet them
    std::vector<std::vector<double>> replies;  // by position: probabilities of their moves
    // By position: expected score of our best moves against their replies.
    std::vector<double> worth;
};

class World {
  public:
    World(std::uint64_t seed, Scenario scenario);

    [[nodiscard]] Scenario scenario() const { return scenario_; }
    // The first one is the start of all games.
    [[nodiscard]] const std::vector<Position>& positions() const { return positions_; }
    [[nodiscard]] const std::vector<Player>& players() const { return players_; }
    // By position: expected score against the average opponent.
    [[nodiscard]] const std::vector<double>& average_worth() const { return average_worth_; }
    // Elo, our view, of what a search sees there; the error of a single search comes on top.
    [[nodiscard]] double searched(std::size_t position) const;
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
    void compute_worth();
    void import_games(int games);
    double normal(double deviation) { return deviation * random_.normal(); }
    std::size_t below(std::size_t n);

    Scenario scenario_;
    book::Random random_;
    std::vector<Position> positions_;
    std::vector<std::vector<std::size_t>> from_;  // by position: where it is reached from
    std::vector<double> others_;                  // strength in the hands of others
    std::vector<Player> players_;
    std::vector<double> average_worth_;
};

}  // namespace tools::bookbench

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
    Switch,   // at half time a third of the places change strength, and all opponents
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

struct Place {  // a position of the book; we move at even plies
    int ply = 0;
    std::vector<std::size_t> next{};        // where its moves lead; empty: the book ends here
    std::vector<double> popularity{};       // of its moves among the players at large; sums to 1
    std::vector<book::Results> imported{};  // of its moves, our view
    double strength = 0;                    // Elo, our view
    double trap = 0;                        // the part of it that a search mostly misses
    double misjudged = 0;                   // constant error of the search
    [[nodiscard]] bool ours() const { return ply % 2 == 0; }
};

struct Player {
    double rating = 0;                         // Elo above ours
    double frequency = 1;                      // how often we meet them
    std::vector<std::vector<double>> replies;  // by place: probabilities of their moves
    std::vector<double> worth;  // by place: expected score of our best moves against their replies
};

class World {
  public:
    World(std::uint64_t seed, Scenario scenario);

    [[nodiscard]] Scenario scenario() const { return scenario_; }
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }  // 0: the first
    [[nodiscard]] const std::vector<Player>& players() const { return players_; }
    // By place: expected score against the average opponent.
    [[nodiscard]] const std::vector<double>& average_worth() const { return average_worth_; }
    // Elo, our view, of what a search sees there; the error of a single search comes on top.
    [[nodiscard]] double searched(std::size_t place) const;
    // The change of the scenario Switch.
    void change();

  private:
    void lay_out();
    void join(std::size_t from, std::size_t to);
    void assess();
    void make_popular();
    void poison();
    void find_players();
    void set_habits();
    void work_out();
    void import_games(int games);
    double normal(double deviation) { return deviation * random_.normal(); }
    std::size_t below(std::size_t n);

    Scenario scenario_;
    book::Random random_;
    std::vector<Place> places_;
    std::vector<std::vector<std::size_t>> from_;  // by place: where it is reached from
    std::vector<double> others_;                  // strength in the hands of others
    std::vector<Player> players_;
    std::vector<double> average_worth_;
};

}  // namespace tools::bookbench

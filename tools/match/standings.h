// The table of a match: results by opponent, and the faults of the engines.
#pragma once

#include "tools/common/statistics.h"
#include "tools/match/played_game.h"

#include <map>
#include <vector>

namespace tools::match {

// Which game of the match this is. `pair` numbers the openings against one opponent; the first
// engine has White in the first game of a pair.
struct GameNumber {
    int opponent = 0;  // index among the others, from 0
    int pair = 0;
    bool reversed = false;  // the second of the pair: the first engine has Black
};

// How often an engine lost by its own fault.
struct Faults {
    int crashes = 0, stalls = 0, illegal_moves = 0, time_forfeits = 0, false_claims = 0;
    int breakdowns = 0;  // died or fell silent after a game had ended
    [[nodiscard]] int total() const {
        return crashes + stalls + illegal_moves + time_forfeits + false_claims + breakdowns;
    }
};

class Standings {
  public:
    // `names`: the first engine and then its opponents, at least two.
    explicit Standings(std::vector<std::string> names);

    void rename(std::size_t engine, std::string name) { names_[engine] = std::move(name); }
    // Unfinished games change nothing.
    void add(const GameNumber& number, const PlayedGame& record);

    [[nodiscard]] const Tally& against(int opponent) const;
    [[nodiscard]] Tally total() const;
    [[nodiscard]] const Faults& faults(std::size_t engine) const { return faults_[engine]; }

    [[nodiscard]] std::string progress_line(const Sprt* test) const;
    // One row for each opponent, the faults, and how the games ended.
    [[nodiscard]] std::string table(const Sprt* test) const;

  private:
    void add_fault(std::size_t engine, Ending ending);
    [[nodiscard]] std::string row(const std::string& name, const Tally& tally) const;

    std::vector<std::string> names_;
    std::vector<Tally> tallies_;  // by opponent
    std::vector<Faults> faults_;  // by engine
    std::map<Ending, int> endings_;
    std::map<std::pair<int, int>, int> halves_;  // half points from the first game of open pairs
};

}  // namespace tools::match

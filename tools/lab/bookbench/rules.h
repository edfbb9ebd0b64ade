// Rules that choose moves in a World and learn from its games: the book of this program, and models
// of the books of others.
#pragma once

#include "tools/lab/bookbench/world.h"

#include <memory>
#include <string>

namespace tools::bookbench {

struct PlayedMove {
    std::size_t position = 0, move = 0;
};
// A game as a program sees it. A rule must not use the strength of the positions.
struct PlayedGame {
    std::vector<PlayedMove> moves{};
    std::size_t exit = 0;    // the position where the book ended
    double score = 0.5;      // ours
    double searched = 0;     // Elo, by the first search out of the book
    double difference = 0;   // our rating minus theirs, with an error
    std::size_t player = 0;  // the opponent
};

class Rule {
  public:
    virtual ~Rule() = default;
    // The index of our move against this player. Both functions throw if the rule's storage fails.
    virtual std::size_t choose(std::size_t position, std::size_t player) = 0;
    virtual void learn(const PlayedGame&) {}
};

// A new value of a constant of book::Model; or 0 or 1 for "calibration" (the book measures its
// constants) or "ratings" (it knows the opponents' ratings).
struct Setting {
    std::string name{};
    double value = 0;
};
std::vector<std::string> setting_names();
// Null for the two that are no constants.
double book::Model::*model_setting(std::string_view name);

struct RuleName {
    const char *name, *what;
};
// All rules, in the order of --help.
const std::vector<RuleName>& rule_names();
bool is_rule(std::string_view name);

// The world must outlive the rule. The settings are for this program's book. Throws Failure if
// there is no such rule.
std::unique_ptr<Rule> make_rule(std::string_view name,
                                const World& world,
                                std::uint64_t seed,
                                const std::vector<Setting>& settings);

}  // namespace tools::bookbench

// Rules that choose moves in a World and learn from its games: those that other programs are known
// for, told by their selection and their update, and the book of this program.
#pragma once

#include "engine/board/result.h"
#include "tools/lab/bookbench/world.h"

#include <memory>
#include <string>

namespace tools::bookbench {

struct Turn {
    std::size_t place = 0, move = 0;
};
// A game as a program sees it. Places are its positions; their strength is not to be looked at.
struct Played {
    std::vector<Turn> turns{};
    std::size_t exit = 0;    // where the book ended
    double score = 0.5;      // ours
    double searched = 0;     // Elo, what the first search out of the book saw
    double difference = 0;   // our rating minus theirs, as far as known
    std::size_t player = 0;  // whom we met
};

class Rule {
  public:
    virtual ~Rule() = default;
    // One of our moves against this player. Fails if the rule's storage does.
    virtual Result<std::size_t> choose(std::size_t place, std::size_t player) = 0;
    virtual Result<void> learn(const Played&) { return {}; }
};

// A constant of the book's Model with the value it shall have; or "calibration" or "ratings" with 0
// or 1, whether the book measures its constants and knows whom it plays.
struct Setting {
    std::string name{};
    double value = 0;
};
std::vector<std::string> setting_names();
// Nothing for the two that are no constants.
double book::Model::*model_setting(std::string_view name);

struct RuleName {
    const char *name, *what;
};
// Every rule there is, for --help.
const std::vector<RuleName>& rule_names();
bool is_rule(std::string_view name);

// The world must outlive the rule. Settings are for the rules of this program's book.
Result<std::unique_ptr<Rule>> make_rule(std::string_view name,
                                        const World& world,
                                        std::uint64_t seed,
                                        const std::vector<Setting>& settings);

}  // namespace tools::bookbench

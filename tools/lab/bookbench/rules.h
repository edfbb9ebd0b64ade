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
    std::vector<PlayedMove> moves{};     // inside the book
    std::size_t exit = 0;                // the position where the book ended or was left
    std::optional<std::size_t> found{};  // the move of our search there; nothing: no moves there
    double score = 0.5;                  // ours
    double searched = 0;                 // Elo, by the first search out of the book
    std::optional<double> difference{};  // our rating minus theirs, with an error; nothing: unknown
    std::size_t player = 0;              // the opponent
    book::TimeClass time = book::TimeClass::Blitz;
    std::int64_t content = 0;  // the same number for the same game, move by move
};

struct Situation {
    std::size_t position = 0, player = 0;
    book::TimeClass time = book::TimeClass::Blitz;
};

// See book::TriedMoves; moves are indices, and the score to beat is expected against an equal.
struct Tried {
    std::vector<std::size_t> moves{};
    std::optional<std::size_t> best{};
    double to_beat = 0;
};

class Rule {
  public:
    virtual ~Rule() = default;
    // The index of our move; nothing, in a World that grows(): our search is to find one. Both
    // functions throw if the rule's storage fails.
    virtual std::optional<std::size_t> choose(const Situation& situation) = 0;
    // After choose() found nothing: what the search should not try again.
    virtual Tried tried() { return {}; }
    virtual void learn(const PlayedGame&) {}
};

// A new value of a constant of book::Model; or 0 or 1 for "calibration" (the book measures its
// constants) or "ratings" (it knows the opponents' ratings).
struct Setting {
    std::string name{};
    double value = 0;
};
std::vector<std::string> setting_names();
// Reads NAME=NUMBER. Fails if there is no such constant, or the number makes no sense for it.
Result<Setting> setting_from_text(const std::string& text);
// Ignores "calibration" and "ratings", which are no constants.
void set_constant(book::Model& model, const Setting& setting);

struct RuleName {
    const char *name, *what;
};
// All rules, in the order of --help.
const std::vector<RuleName>& rule_names();
bool is_rule(std::string_view name);
bool is_own_rule(std::string_view name);  // of this program

// The world must outlive the rule. The settings are for this program's book. Throws Failure if
// there is no such rule.
std::unique_ptr<Rule> make_rule(std::string_view name,
                                const World& world,
                                std::uint64_t seed,
                                const std::vector<Setting>& settings);

}  // namespace tools::bookbench

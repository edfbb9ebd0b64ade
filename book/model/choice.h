// The choice among candidate moves, apart from where they come from: pure, and repeatable from its
// record. Source: W. R. Thompson, "On the likelihood that one unknown probability exceeds another",
// 1933, with a narrowed posterior.
#pragma once

#include "book/model/belief.h"
#include "book/model/key.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace book {

struct Candidate {
    StoredMove move = 0;
    double mean = 0.5, evidence = 0;  // ours; games
    double guard = 0;                 // taken off for this opponent's sake
    int flags = 0;                    // see Flag
};

struct ChoiceRule {
    double deviation = 0.24;  // of a draw with one game's evidence
    double slack = 0.10;
    double leave_below = 0.35,
           pessimism = 0.20;  // the second: deviations of one game taken off the mean
    double least_evidence = 3;
    double preference = 0.05;
    friend bool operator==(const ChoiceRule&, const ChoiceRule&) = default;
};
// `spent`: expected loss that earlier choices of this game gave away.
ChoiceRule rule_of(const Model& model, bool match, double spent);

// splitmix64 with normal deviates; the same everywhere.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    double uniform();  // [0, 1)
    double normal();   // mean 0, deviation 1

  private:
    std::uint64_t state_;
};

struct Decision {
    std::optional<std::size_t> chosen;  // index of the candidate; nothing: leave the book
    std::string left_because;           // if so
    std::vector<double> draws;          // one a candidate; meaningless where it was not eligible
    double loss = 0;                    // best mean minus the chosen one's
};
Decision decide(const ChoiceRule& rule, std::span<const Candidate> candidates, std::uint64_t seed);

// Rounds to what a record keeps. To be done before deciding, so that the record decides the same.
void round_for_record(std::vector<Candidate>& candidates);

struct DrawRecord {
    int ply = 0;  // moves of the game before the choice
    std::uint64_t seed = 0;
    ChoiceRule rule{};
    std::vector<Candidate> candidates;
};
// One line without line end, and back; nothing if the text is none of ours.
std::string to_text(const DrawRecord& record);
std::optional<DrawRecord> draw_from_text(std::string_view text);

}  // namespace book

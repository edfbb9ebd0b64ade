// The choice of one among candidate moves: pure, and repeatable from its record. Source: W. R.
// Thompson, "On the likelihood that one unknown probability exceeds another", 1933, with a narrowed
// posterior; E. J. Gumbel, "Statistical theory of extreme values", 1954, for the softmax of values.
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
    double mean = 0.5, evidence = 0;  // our expected score; games
    double opponent_penalty = 0;      // subtracted from the mean
    int flags = 0;                    // see Flag
    double popularity = 1;            // relative to the most popular candidate: (0, 1]
    double lesson = 0;                // added to the mean: what a game with the move may teach
};

struct ChoiceRule {
    double deviation =
        0.24;             // of a draw with the evidence of one game; 0: the best value is chosen
    double slack = 0.10;  // see Model
    double leave_below = 0.35,
           pessimism = 0.20;  // leave if mean - pessimism / sqrt(evidence) is below
    double min_evidence = 3;
    double preference = 0.05;
    double temperature = 0;  // of the draw between moves of equal evidence
    friend bool operator==(const ChoiceRule&, const ChoiceRule&) = default;
};
struct ChoiceMode {
    bool match = false;   // narrow choice: the best lines only
    double spent = 0;     // sum of Choice::loss over the earlier choices of the game
    int own_move = 1;     // of the game
    double variety = 50;  // 0: the best move only, 50: normal, up to 100
};
ChoiceRule choice_rule(const Model& model, const ChoiceMode& mode);

// A random generator (splitmix64) that gives the same numbers on every machine.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    double uniform();  // [0, 1)
    double normal();   // mean 0, deviation 1
    double gumbel();   // the largest of x[i] + gumbel() is x[i] with probability ~ exp(x[i])

  private:
    std::uint64_t state_;
};

struct Choice {
    std::optional<std::size_t> chosen;  // index of the candidate; nothing: leave the book
    std::string left_because;           // why nothing was chosen
    std::vector<double> draws;          // for each candidate, also for those not eligible
    // How far the mean of the chosen candidate, with lesson, penalty and flags, is below the
    // highest of the eligible candidates.
    double loss = 0;
};
Choice choose(const ChoiceRule& rule, std::span<const Candidate> candidates, std::uint64_t seed);

// How often choose() plays each candidate over all seeds: 0..1, with an error of about 0.01. The
// rest to 1 is how often it leaves the book.
std::vector<double> play_probabilities(const ChoiceRule& rule,
                                       std::span<const Candidate> candidates);

// Rounds to a record's precision. Call it before choose(), so that the record repeats the choice.
void round_for_record(std::vector<Candidate>& candidates);

struct DrawRecord {
    int ply = 0;  // of the game at the choice
    std::uint64_t seed = 0;
    ChoiceRule rule{};
    std::vector<Candidate> candidates;
};
// Converts to one line without line end, and back; nothing if the text is not such a line.
std::string to_text(const DrawRecord& record);
std::optional<DrawRecord> draw_from_text(std::string_view text);

}  // namespace book

// What the book believes about a position: sums of evidence turned into a mean and the games' worth
// of knowledge behind it. Pure arithmetic; all scores are ours (0..1), not the mover's. Source: M.
// Buro, "Toward opening book learning", 1999, for values that are backed up through the graph of
// positions; the weights are our own measurements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace book {

// Every number of the method. Games are the unit of evidence.
struct Model {
    double sigma = 0.40;            // standard deviation of one result
    double parent = 2;              // worth of the parent position's value as a prior
    double imported = 6;            // most that imported games can be worth
    double exit = 10;               // worth of the search score where the book was left
    double analysis = 8;            // worth of a search score of a candidate move
    double other_class = 0.35;      // weight of games at other time classes
    double imported_replies = 0.1;  // of the root of imported games, in how often a reply comes
    double half_life = 1500;        // own games after which evidence counts half; 0: never
    double width = 0.6;             // of the posterior deviation, in the draw
    double slack = 0.10;            // candidates are at most so much worse than the best
    double match_slack = 0.03;      // the same where it matters
    double budget = 0.15;       // expected loss given away in one game before choice turns greedy
    double leave_below = 0.35;  // pessimistic value under which the book is left
    double look_below = 0.46;   // value under which the search may look for better now and then
    int look_after = 4;         // own games with a book move for each such look
    int looks = 4;              // at one position, the exits of other games among them
    double least_evidence = 3;  // games' worth a move needs to be played unsearched
    double preference = 0.05;   // of the flags "prefer" and "avoid"
    double guard = 0.10;        // per loss of the same line to the same opponent
    double guard_hot = 1.5;     // deviations above expectation that make an opponent suspicious
};

// A belief that still depends on the mean of the position it is seen from.
struct Belief {
    double evidence = 0;  // games, the parent's share included
    double sum = 0;       // of evidence times score, the parent's share left out
    [[nodiscard]] double mean(const Model& model, double parent_mean) const {
        return (sum + model.parent * parent_mean) / evidence;
    }
    // Of a draw from the posterior.
    [[nodiscard]] double deviation(const Model& model) const;
};

// Results of games by others, from our side.
struct Results {
    double wins = 0, draws = 0, losses = 0;
    [[nodiscard]] double games() const { return wins + draws + losses; }
};

// Own evidence at one position, weights aged to the same moment.
struct Own {
    double exits = 0;                    // games that left the book here
    double weight = 0, score = 0;        // of their results; score is weight times result
    std::optional<double> exit_score{};  // from the search where they left, 0..1
    double value = 0.5,
           evidence = 0;  // backed up from the moves played here; evidence 0: none were
};

// What is known of a position before its own games. Where they have a search score, too, `own`, an
// analysis adds only what it is worth more: two searches of one position err alike.
Belief prior(const Model& model,
             const Results& imported,
             std::optional<double> analysed,
             const Own& own = {});
// With what the games that left the book here say: their results and what the search saw.
Belief with_exits(const Model& model, Belief prior, const Own& own);
// What a position with own games is worth on top of its prior.
Belief posterior(const Model& model, Belief prior, const Own& own);

// One move of ours or theirs out of a position whose value is to be computed.
struct Child {
    Belief belief;
    double frequency = 0;  // how often the move is played
    bool visited = false;  // by own games
};
// Value and evidence of a position from its moves and from the games that ended their book there.
// With our side to move the frequencies are own visits; with theirs, what to expect of them.
struct Backed {
    double value = 0.5, evidence = 0;
};
Backed back_up(const Model& model, std::span<const Child> children, const Own& own);

}  // namespace book

// What the book believes about a position: an expected score and the evidence behind it, in games.
// Pure arithmetic; all scores are ours (0..1), not the mover's. Source: M. Buro, "Toward opening
// book learning", 1999, for values that are backed up through the graph of positions; the weights
// are our own measurements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace book {

// The constants of the method. Evidence is counted in games.
struct Model {
    double sigma = 0.40;             // standard deviation of one result
    double parent = 2;               // evidence of the parent position's value as a prior
    double imported = 6;             // upper bound of the evidence of imported games
    double import_noise = 50;        // imported games whose results say as much about a move as its
                                     // rarity does: sigma² over the variance of values
    double rarity = 0.008;           // our move's mean is lower by this per factor of e by which it
                                     // is rarer than the most popular move
    double exit = 10;                // evidence of the search score at an exit
    double analysis = 10;            // evidence of the search score of an analysed move
    double deep_analysis = 25;       // the same of a search of DeepNodes or more
    double other_class = 0.35;       // weight of games at other time classes
    double imported_replies = 0.1;   // weight of sqrt(imported games) in the frequency of replies
    double half_life = 1500;         // own games after which evidence counts half; 0: never
    double width = 0.15;             // of the draw, in posterior deviations
    double temperature = 0.008;      // of the draw between values, at our first move
    double slack = 3;                // a candidate may be this many temperatures below the best
    double narrowing = 0.6;          // of width and temperature by each of our first moves
    double match_share = 0.25;       // of width and temperature in match mode
    double move_deviation = 0.04;    // exploration: standard deviation of a position's move values
    double horizon = 2;              // exploration: future games expected, per game played so far
    double budget = 0.04;            // expected loss per game, after which the best value is played
    double match_budget = 0.01;      // the same in match mode
    double leave_below = 0.35;       // pessimistic value below which the book is left
    double look_below = 0.46;        // value below which a search may look for a better move,
    double look_margin = 0.03;       // or this much below the best analysed value
    int look_after = 4;              // own games with a book move between two such searches, or the
                                     // number of searches so far if that is more
    double min_evidence = 3;         // evidence that a move needs to be played without a search
    double preference = 0.05;        // bonus of the flag Prefer, penalty of Avoid
    double opponent_penalty = 0.10;  // per loss of the same line to the same opponent
    double opponent_cap = 8;         // evidence of one opponent's games at one exit for the others
    double repeat_weight = 4;        // evidence of a repeated game for that opponent: more than of
                                     // another game, since it will be repeated again
    double repeat_cap = 20;          // upper bound of that evidence
    double repeat_prior = 8;         // upper bound of all other evidence for that opponent, where
                                     // games were repeated
    double repeat_rest = 0.15;       // share of games whose first move is none of those that repeat
                                     // games or were played in nearly all games
    double look_ahead = 0.5;         // share of the value after the replies in our move's mean
    double suspicion = 2;  // an opponent is suspicious this many deviations above expectation in
                           // positions where they beat us before
};

inline constexpr std::int64_t DeepNodes = 100'000;

// The result of a search of a move: our expected score, 0..1.
struct SearchScore {
    double score = 0.5;
    bool deep = false;  // DeepNodes or more
    [[nodiscard]] double worth(const Model& model) const {
        return deep ? model.deep_analysis : model.analysis;
    }
};

// A belief about a move; its mean depends on the mean of the position it is played in.
struct Belief {
    double evidence = 0;  // with the parent's share
    double sum = 0;       // of evidence * score, without the parent's mean
    double parent = 0;    // the share of the evidence that has the parent's mean
    [[nodiscard]] double mean(double parent_mean) const {
        return (sum + parent * parent_mean) / evidence;
    }
    // Standard deviation of the posterior.
    [[nodiscard]] double deviation(const Model& model) const;
};

// Results of imported games, ours.
struct Results {
    double wins = 0, draws = 0, losses = 0;
    double rarity = 0;  // of a move of ours: see rarity()
    [[nodiscard]] double games() const { return wins + draws + losses; }
};

// Own evidence at one position, with weights aged to one moment.
struct Own {
    double exits = 0;                    // games that left the book here: their weight as visits
    double weight = 0, score = 0;        // their sums of weight and of weight * result
    std::optional<double> exit_score{};  // of the search at the exit, 0..1
    double value = 0.5, evidence = 0;    // backed up from the moves played; evidence 0: none
};

// How much rarer a move is than the most popular one: the logarithm of the ratio of their games.
double rarity(std::int64_t games, std::int64_t most_games);
// The evidence of `games` imported games.
double import_worth(const Model& model, double games);
// The belief before own games. If `own` has a search score, an analysis counts only with its
// evidence beyond that score's: the errors of two searches of one position are correlated.
Belief prior(const Model& model,
             const Results& imported,
             std::optional<SearchScore> analysed,
             const Own& own = {});
// Adds the results and the search score of games that left the book here.
Belief with_exits(const Model& model, Belief b, const Own& own);
// Adds own games to the prior.
Belief posterior(const Model& model, Belief b, const Own& own);

// A move of ours or theirs in the position whose value is backed up.
struct Child {
    Belief belief;
    double frequency = 0;  // ours: weight of own visits; theirs: how often to expect the reply
    double gained = 0;     // evidence of own games alone
};
// Value and evidence of a position from its moves and from the games that left the book there.
struct Backed {
    double value = 0.5, evidence = 0;
};
Backed back_up(const Model& model, std::span<const Child> children, const Own& own);

}  // namespace book

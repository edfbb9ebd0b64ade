// Scores, Elo and their errors; the sequential probability ratio test (SPRT) on pairs of games.
// Source: M. Van den Bergh, "A practical introduction to the GSPRT" (2018), pentanomial form.
#pragma once

#include <array>
#include <vector>

namespace tools {

// Results of one engine. `pairs` counts the pairs of games (same opening, colours reversed) by
// their points: 0, 1/2, 1, 3/2, 2.
struct Tally {
    int wins = 0, draws = 0, losses = 0;
    std::array<int, 5> pairs{};

    [[nodiscard]] int games() const { return wins + draws + losses; }
    [[nodiscard]] double points() const { return wins + draws / 2.0; }
    [[nodiscard]] int full_pairs() const;
};

// All numbers are finite; an all-won match has its Elo at the end of the scale (about 1200).
struct Estimate {
    double score = 0.5;        // share of the points, 0..1
    double elo = 0;            // logistic
    double low = 0, high = 0;  // the 95 % interval of the Elo difference
    double superiority = 0.5;  // likelihood of superiority (LOS), 0..1
    bool error_known = false;  // false while all results are equal: they have no spread

    // Half the width of the interval: "elo +- error".
    [[nodiscard]] double error() const { return (high - low) / 2; }
};

// The error comes from the pairs; from single games where no pair is complete.
Estimate estimate(const Tally& tally);

double expected_score(double elo);  // logistic: 0 is 0.5, 400 is 10/11
double elo_of_score(double score);  // the inverse; requires 0 < score < 1

double winning_chance(int centipawns);  // 0..1, for bars and pictures only

struct Measured {  // a mean and its standard error
    double mean = 0, error = 0;
};
// Of independent numbers. The error of a single number is 0, and so is the mean of none.
Measured mean_of(const std::vector<double>& numbers);
Measured operator-(const Measured& a, const Measured& b);  // of independent means
// A score (0..1, kept 0.001 away from the ends) as a difference in Elo.
Measured elo_of(const Measured& score);

struct Sprt {
    double elo0 = 0, elo1 = 10;        // the two hypotheses, in logistic Elo
    double alpha = 0.05, beta = 0.05;  // probabilities of the wrong decision
};
enum class Verdict { Undecided, AcceptElo0, AcceptElo1 };

// Logarithm of the likelihood ratio of elo1 against elo0 on the complete pairs; 0 without any.
double log_likelihood_ratio(const Tally& tally, const Sprt& test);
double lower_bound(const Sprt& test);  // at or below it elo0 is accepted
double upper_bound(const Sprt& test);  // at or above it elo1 is accepted
Verdict verdict(const Tally& tally, const Sprt& test);

}  // namespace tools

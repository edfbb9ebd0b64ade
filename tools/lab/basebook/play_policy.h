// How often moves are played: ours by the rule of the engine's choice, theirs by popularity and by
// value. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tools::basebook {

// Expected score, 0..1, of a value in centipawns between equal engines.
double points(double centipawns);
// Error of the score of a search: one standard deviation, in centipawns.
double leaf_error(std::uint64_t nodes);

struct Option {                  // a move of a position
    std::optional<double> cp{};  // value for the mover; nothing: not searched
    int games = 0;               // of masters
};

// `own_move`: number of the move in our game, from 1. Options without a value are not played. The
// sum is 1, or 0 if no option has a value. Moves within 30 cp of the best share 3 per cent.
std::vector<double> our_policy(std::span<const Option> options, int own_move);
// `games`: of masters in the position. The sum is below 1: the rest are unlisted replies.
std::vector<double> their_policy(std::span<const Option> options, int games);

inline constexpr double BookMargin = 30;  // cp below the best: still a move of the book

}  // namespace tools::basebook

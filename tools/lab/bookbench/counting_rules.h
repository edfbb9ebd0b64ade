// Rules that keep games and points of every move: the mean, upper confidence bounds, and draws.
#pragma once

#include "tools/lab/bookbench/rules.h"

namespace tools::bookbench {

enum class Knowledge {
    Results,  // those of the games, as these programs use them
    // As this program's book: a result is adjusted by the ratings, and a game counts as the mean of
    // the results at its exit and a search score there, which is worth ten of them. Where the book
    // may be left, the games that left it count as those of one more move.
    Fair
};

std::unique_ptr<Rule> make_greedy(const World& world, std::uint64_t seed, Knowledge knowledge);
std::unique_ptr<Rule> make_uct(const World& world, std::uint64_t seed, Knowledge knowledge);
std::unique_ptr<Rule> make_thompson(const World& world, std::uint64_t seed, Knowledge knowledge);

}  // namespace tools::bookbench

#include "engine/search/election.h"

#include <algorithm>
#include <map>

namespace engine {
namespace {

// Every thread votes for its move, the more the deeper and the better it thinks it to be.
std::map<std::uint16_t, std::int64_t> count_votes(std::span<const Ballot> ballots) {
    Score worst = Infinite;
    for (const Ballot& b : ballots)
        if (b.depth > 0)
            worst = std::min(worst, b.score);
    std::map<std::uint16_t, std::int64_t> votes;
    for (const Ballot& b : ballots)
        if (b.depth > 0)
            votes[b.move.raw()] += std::int64_t{b.score - worst + 10} * b.depth;
    return votes;
}

}  // namespace

std::size_t elect(std::span<const Ballot> ballots) {
    std::map<std::uint16_t, std::int64_t> votes = count_votes(ballots);
    std::size_t winner = 0;
    for (std::size_t i = 1; i < ballots.size(); ++i) {
        const Ballot &mine = ballots[i], &best = ballots[winner];
        if (mine.depth == 0)
            continue;
        const bool proof = is_mate(mine.score) || is_mate(best.score);
        // Who is an iteration behind has not seen why the others changed their minds.
        if (best.depth == 0 ||
            (proof ? mine.score > best.score
                   : mine.depth >= best.depth && votes[mine.move.raw()] > votes[best.move.raw()]))
            winner = i;
    }
    return winner;
}

}  // namespace engine

#include "engine/search/voting.h"

#include <algorithm>
#include <map>

namespace engine {
namespace {

// The weight of each move: the sum over its threads of the margin over the worst score times depth.
std::map<std::uint16_t, std::int64_t> count_votes(std::span<const ThreadVote> votes) {
    Score worst = Infinite;
    for (const ThreadVote& vote : votes)
        if (vote.depth > 0)
            worst = std::min(worst, vote.score);
    std::map<std::uint16_t, std::int64_t> weights;
    for (const ThreadVote& vote : votes)
        if (vote.depth > 0)
            weights[vote.move.raw()] += std::int64_t{vote.score - worst + 10} * vote.depth;
    return weights;
}

// True if `vote` beats `best`, of which at least one is proved. An unproved score does not beat a
// proved loss: its thread has not seen the loss.
bool proves_more(const ThreadVote& vote, const ThreadVote& best) {
    return is_proved(vote.score) && vote.score > best.score;
}

}  // namespace

std::size_t best_thread(std::span<const ThreadVote> votes) {
    std::map<std::uint16_t, std::int64_t> weights = count_votes(votes);
    std::size_t winner = 0;
    for (std::size_t i = 1; i < votes.size(); ++i) {
        const ThreadVote &vote = votes[i], &best = votes[winner];
        if (vote.depth == 0)
            continue;
        const bool proved = is_proved(vote.score) || is_proved(best.score);
        // A thread that is an iteration behind has not yet seen why the others changed their move.
        if (best.depth == 0 || (proved ? proves_more(vote, best)
                                       : vote.depth >= best.depth &&
                                             weights[vote.move.raw()] > weights[best.move.raw()]))
            winner = i;
    }
    return winner;
}

}  // namespace engine

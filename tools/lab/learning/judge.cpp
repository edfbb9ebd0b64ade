#include "tools/lab/learning/judge.h"

#include <algorithm>

namespace tools::learning {

int to_centipawns(engine::Score score) {
    return score == engine::NoScore ? 0 : std::clamp(score, -MaxCentipawns, MaxCentipawns);
}

int Judge::score(const engine::Position& pos) {
    const auto known = known_.find(pos.key());
    if (known != known_.end())
        return known->second;
    searcher_->clear();
    const engine::SearchResult found = search_nodes(*searcher_, engine::Game(pos), nodes_);
    return known_[pos.key()] = to_centipawns(found.score);
}

}  // namespace tools::learning

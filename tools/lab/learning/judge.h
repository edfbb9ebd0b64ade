// Scores of positions for the learning match, and the rules by which its games are adjudicated.
#pragma once

#include "tools/common/adjudicator.h"
#include "tools/common/fixed_nodes.h"

#include <unordered_map>

namespace tools::learning {

inline constexpr AdjudicationRules Adjudication{.win_score = 501,
                                                .win_plies = 5,
                                                .draw_score = 7,
                                                .draw_plies = 8,
                                                .draw_from_ply = 59,
                                                .max_plies = 299};

inline constexpr int MaxCentipawns = 1'000;
int to_centipawns(engine::Score score);  // within +-MaxCentipawns; 0 for NoScore

// Scores positions with a fixed number of nodes. Each position is searched once, with an empty hash
// table.
class Judge {
  public:
    Judge(std::unique_ptr<engine::Searcher> searcher, std::uint64_t nodes)
        : searcher_(std::move(searcher)), nodes_(nodes) {}
    int score(const engine::Position& pos);  // for the side to move, see to_centipawns()

  private:
    std::unique_ptr<engine::Searcher> searcher_;
    std::uint64_t nodes_;
    std::unordered_map<engine::Key, int> known_;
};

}  // namespace tools::learning

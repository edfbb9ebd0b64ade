// Ranks the legal moves of a position by how likely a game goes on with them, by features whose
// weights are learned from the games so far. Packed games store the rank, so this is part of their
// format: it depends on the rules of chess and on integers, and on nothing of the search.
#pragma once

#include "engine/board/position.h"

#include <array>
#include <vector>

namespace tools::datagen {

struct RankedMove {
    engine::Move move;
    int score = 0;                        // logit of its chance, in 1/65536
    std::array<std::uint16_t, 7> traits;  // indices of weights
};

// The moves before a position, NoMove if there are none.
struct EarlierMoves {
    engine::Move theirs, ours;  // the last of each side
};

class MoveRanking {
  public:
    MoveRanking();
    // All legal moves, the likeliest first. Valid until the next call.
    const std::vector<RankedMove>& rank(const engine::Position& pos, const EarlierMoves& earlier);
    // Adjusts the weights by whether the move was played.
    void learn(const RankedMove& ranked, bool played);

  private:
    std::vector<std::int32_t> weights_;
    std::vector<RankedMove> ranked_;
};

}  // namespace tools::datagen

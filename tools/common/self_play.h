// Games of engines against each other inside this process.
#pragma once

#include "engine/board/game.h"
#include "engine/score.h"
#include "tools/common/adjudicator.h"

#include <functional>

namespace tools {

struct MoveChoice {
    engine::Move move;
    std::optional<engine::Score> score;  // the mover's; nothing if it has none
};
// The choice of the side to move; nothing leaves the game unfinished.
using ChooseMove = std::function<std::optional<MoveChoice>(const engine::Game&)>;

// Plays `game` on until the rules of chess or the adjudicator end it.
Outcome play_out(engine::Game& game, const AdjudicationRules& rules, const ChooseMove& choose);

}  // namespace tools

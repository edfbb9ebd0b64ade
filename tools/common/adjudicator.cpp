#include "tools/common/adjudicator.h"

#include <cstdlib>

namespace tools {

Outcome Adjudicator::move_made(engine::Color mover, int number, const Thinking& thinking) {
    const bool known = thinking.depth > 0;
    const bool drawn = known && std::abs(thinking.score) <= rules_.draw_score;
    drawn_plies_ = drawn && number >= rules_.draw_from_move ? drawn_plies_ + 1 : 0;
    if (rules_.draw_moves > 0 && drawn_plies_ >= 2 * rules_.draw_moves)
        return Outcome::Draw;
    for (const engine::Color c : {engine::White, engine::Black}) {
        const int score = c == mover ? thinking.score : -thinking.score;
        won_plies_[c] = known && score >= rules_.resign_score ? won_plies_[c] + 1 : 0;
        if (rules_.resign_moves > 0 && won_plies_[c] >= 2 * rules_.resign_moves)
            return win_for(c);
    }
    return Outcome::Unfinished;
}

}  // namespace tools

#include "tools/common/adjudicator.h"

#include <cstdlib>

namespace tools {

int game_ply(const engine::Position& pos) {
    return 2 * (pos.fullmove_number() - 1) + (pos.side_to_move() == engine::Black ? 1 : 0);
}

Outcome Adjudicator::judge(std::optional<int> white, int ply) {
    const bool drawn =
        white && std::abs(*white) <= rules_.draw_score && ply >= rules_.draw_from_ply;
    drawn_plies_ = drawn ? drawn_plies_ + 1 : 0;
    if (rules_.draw_plies > 0 && drawn_plies_ >= rules_.draw_plies)
        return Outcome::Draw;
    for (const engine::Color c : {engine::White, engine::Black}) {
        const bool won = white && (c == engine::White ? *white : -*white) >= rules_.win_score;
        won_plies_[c] = won ? won_plies_[c] + 1 : 0;
        if (rules_.win_plies > 0 && won_plies_[c] >= rules_.win_plies)
            return win_for(c);
    }
    return rules_.max_plies > 0 && ply >= rules_.max_plies ? Outcome::Draw : Outcome::Unfinished;
}

}  // namespace tools

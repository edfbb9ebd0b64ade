#include "tools/common/self_play.h"

namespace tools {

Outcome play_out(engine::Game& game, const AdjudicationRules& rules, const ChooseMove& choose) {
    Adjudicator adjudicator(rules);
    while (game.status() == engine::Status::Ongoing) {
        const std::optional<MoveChoice> choice = choose(game);
        if (!choice)
            return Outcome::Unfinished;
        const bool white = game.position().side_to_move() == engine::White;
        const int ply = game_ply(game.position());
        game.play(choice->move);
        if (game.status() != engine::Status::Ongoing)
            break;
        std::optional<int> score = choice->score;
        if (score && !white)
            score = -*score;
        if (const Outcome judged = adjudicator.judge(score, ply); judged != Outcome::Unfinished)
            return judged;
    }
    return game.status() == engine::Status::Checkmate ? win_for(~game.position().side_to_move())
                                                      : Outcome::Draw;
}

}  // namespace tools

#include "tools/datagen/revalue.h"

namespace tools {

TrainingGame revalue(engine::Searcher& searcher, TrainingGame game, std::uint64_t nodes) {
    searcher.clear();
    engine::Limits limits;
    limits.nodes = nodes;
    std::vector<engine::Position> positions;
    engine::Position pos = game.start;
    for (const ScoredMove& ply : game.plies) {
        positions.push_back(pos);
        pos.make(ply.move);
    }
    // The last position first: the table then knows what comes after each.
    for (std::size_t i = positions.size(); i-- > 0;) {
        const engine::Position& here = positions[i];
        ScoredMove& ply = game.plies[i];
        const int number = game_ply(here);
        if (is_usable(here, ply, number)) {
            const engine::Choice choice = engine::think(searcher, engine::Game(here), limits);
            const ScoredMove valued{choice.best, static_cast<std::int16_t>(choice.score)};
            ply.score = is_usable(here, valued, number) ? valued.score : NotForTraining;
        } else {
            ply.score = NotForTraining;
        }
    }
    return game;
}

}  // namespace tools

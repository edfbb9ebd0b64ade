#include "tools/lab/datagen/rescore.h"

#include "tools/lab/datagen/training_game.h"

namespace tools {

TrainingGame revalue(engine::Searcher& searcher, TrainingGame game, std::uint64_t nodes) {
    searcher.clear();
    std::vector<engine::Position> positions;
    engine::Position pos = game.start;
    for (const ScoredMove& ply : game.plies) {
        positions.push_back(pos);
        pos.make(ply.move);
    }
    // The last position first: the table then knows what comes after each.
    for (std::size_t i = positions.size(); i-- > 0;) {
        ScoredMove& ply = game.plies[i];
        const bool usable = is_usable(positions[i], ply, game_ply(positions[i]));
        const auto valued = usable ? value_of(searcher, positions[i], nodes) : std::nullopt;
        ply.score = valued ? valued->score : NotForTraining;
    }
    return game;
}

}  // namespace tools
